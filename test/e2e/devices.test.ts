import { describe, expect, test } from 'bun:test'
import decodeQR from 'qr/decode.js'
import { hasBrowser, passages, play, visit } from '../support/browser/browser.ts'
import { gate, say, sayAround, startEndpoint } from '../support/endpoint/endpoint.ts'
import { startPhone } from '../support/service/phone.ts'
import { startServer } from '../support/service/server.ts'

const canTry = hasBrowser && process.platform === 'linux'

describe.if(canTry)('a phone', () => {
  test('is allowed, plays, imports a file, and loses its access in the middle of a turn', async () => {
    const endpoint = await startEndpoint()
    endpoint.byDefault(say('The lamp burns low.'))
    const server = await startServer()
    await server.send('PUT', '/api/settings', {
      endpoint_url: endpoint.url,
      model: 'm',
      second_call: 'never',
    })
    const { page: machine, faults } = await visit(server.address)
    await machine.goto('/settings')
    await machine.getByRole('link', { name: 'Read on another device' }).click()
    await machine.getByText('Another address or port').click()
    await machine.getByLabel('Address', { exact: true }).fill('127.0.0.2')
    await machine.getByLabel('Port').fill('0')
    await machine.getByRole('button', { name: 'Switch on' }).click()
    const listening = (await machine.locator('.address').innerText()).trim()
    expect(decodeQR(await pixelsOf(machine))).toBe(listening)

    const phone = await startPhone(listening)
    const context = { proxy: phone.proxy, viewport: { width: 390, height: 844 }, hasTouch: true }
    const { page } = await visit(listening, context)
    expect((await page.goto('/'))?.status()).toBe(403)
    const code = (await page.locator('strong').innerText()).trim()
    const row = machine.locator('#device-lists li', { hasText: code })
    await row.getByText(phone.address).waitFor()
    await row.getByRole('button', { name: 'Allow for today' }).click()
    await machine.getByRole('button', { name: `Remove ${phone.address}` }).waitFor()
    await page.getByRole('link', { name: 'Library' }).waitFor()

    await page.setInputFiles('[name=file]', {
      name: 'odo.json',
      mimeType: 'application/json',
      buffer: Buffer.from(
        JSON.stringify({ spec: 'chara_card_v2', data: { name: 'Odo', first_mes: 'Hello.' } }),
      ),
    })
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.waitForURL(/\/(scenarios|adventures)\//)
    const { body: story } = await server.post('/api/adventures', { title: 'Fog' })
    await page.goto(`/adventures/${story.id}`)
    await play(page, 'wait')
    expect((await passages(page)).at(-1)).toBe('The lamp burns low.')

    const held = gate()
    endpoint.next(sayAround('The fog comes in. ', held, 'The fog goes.', { pieces: 1 }))
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    await page.getByText('The fog comes in.').waitFor()
    await machine.getByRole('button', { name: `Remove ${phone.address}` }).click()
    await machine.getByText('No other device can read your stories.').waitFor()
    held.open()
    expect((await page.reload())?.status()).toBe(403)
    expect(await page.content()).not.toContain('fog')
    expect(faults).toEqual([])
    await endpoint.close()
  })
})

/** What a camera sees of the QR code. */
async function pixelsOf(page: import('playwright-core').Page) {
  const png = await page.locator('svg.qr').screenshot()
  const { width, height } = await new Bun.Image(png).metadata()
  const data = await page.evaluate(
    async (bytes) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]))
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
      context?.drawImage(image, 0, 0)
      return [...(context?.getImageData(0, 0, image.width, image.height).data ?? [])]
    },
    [...png],
  )
  return { width, height, data: new Uint8ClampedArray(data) }
}

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, passages, visit } from '../../support/browser/browser.ts'
import { gate, say, sayAround } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const { endpoint, server } = await startWithModel()

/** A story with two turns, the last passage with two versions, and a page of it. */
async function open(): Promise<{ id: number; page: Page; path: string }> {
  const { body } = await server.post('/api/adventures', { title: 'Watched' })
  for (const told of ['One.', 'Two.']) {
    endpoint.next(say(told))
    await playTurn(server, body.id, { type: 'do', text: 'wait' })
  }
  const path = `/adventures/${body.id}`
  return { id: body.id, path, page: await another(path) }
}

async function another(path: string): Promise<Page> {
  const { page } = await visit(server.address)
  await Promise.all([page.waitForResponse('**/events*'), page.goto(path)])
  return page
}

/** The sentences of the status line, one after the other. */
async function statusOf(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = []
    const phase = document.querySelector('#phase') as Element
    const note = () => phase.textContent && phase.textContent !== said.at(-1) && said.push(phase.textContent)
    new MutationObserver(note).observe(phase, { childList: true, characterData: true, subtree: true })
    Object.assign(window, { said })
  })
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said)
}

describe.skipIf(!hasBrowser)('two pages of a story', () => {
  test('are in step, both ways, beside an open editor and a typed line', async () => {
    const { page: one, path, id } = await open()
    const other = await another(path)
    const told = await statusOf(other)
    await other.fill('#words', 'half a line')
    const last = (await server.get(`/api/adventures/${id}`)).body.actions.at(-1).id
    await other.locator(`#action-${last} a[href*="?edit="]`).click()
    await other.locator('#story textarea').fill('Typed here.')
    await server.send('PATCH', `/api/adventures/${id}/actions/${last}`, { text: 'Edited there.' })
    await one.locator('#story', { hasText: 'Edited there.' }).waitFor()
    await other.getByText('Changed elsewhere.').waitFor()
    await eventually(told, ['A passage was edited on another page.'])
    expect(await other.locator('#story textarea').inputValue()).toBe('Typed here.')
    await one.getByRole('button', { name: 'Undo' }).click()
    await eventually(told, ['A passage was edited on another page.', 'A turn was undone on another page.'])
    expect(await other.inputValue('#words')).toBe('half a line')
    endpoint.next(say('Three.'))
    await other.press('#words', 'Enter')
    await one.locator('#story', { hasText: 'Three.' }).waitFor()
    await eventually(() => one.locator('#phase').innerText(), '')
  })

  test('say nothing twice about what they did themselves', async () => {
    const { page } = await open()
    const told = await statusOf(page)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('#phase', { hasText: 'Turn undone.' }).waitFor()
    await eventually(() => passages(page).then(({ length }) => length), 2)
    expect((await told()).filter((one) => one.includes('another page'))).toEqual([])
  })

  test('bring the panel that shows the story up to date, unless it is in use', async () => {
    const { page, id, path } = await open()
    await page.goto(`${path}?panel=contents`)
    await page.locator('#panel', { hasText: '5 passages' }).waitFor()
    endpoint.next(say('Three.'))
    await playTurn(server, id, { type: 'do', text: 'wait' })
    await page.locator('#panel', { hasText: '7 passages' }).waitFor()
  })
})

describe.skipIf(!hasBrowser)('a page of earlier passages', () => {
  test('shows what concerns them, and that there is new text', async () => {
    const { id, path } = await open()
    const { actions } = (await server.get(`/api/adventures/${id}`)).body
    const page = await another(`${path}?before=${actions.at(-1).id}`)
    await server.send('PATCH', `/api/adventures/${id}/actions/${actions[2].id}`, { text: 'Edited there.' })
    await page.locator('#story', { hasText: 'Edited there.' }).waitFor()
    expect(await page.locator('#new-text').isVisible()).toBe(false)
    endpoint.next(say('Three.'))
    await playTurn(server, id, { type: 'do', text: 'wait' })
    await page.locator('#new-text').click()
    await page.locator('#story', { hasText: 'Three.' }).waitFor()
  })
})

describe.skipIf(!hasBrowser)('a page that comes back', () => {
  test('is offline during the end of a turn, and then says that the reply came', async () => {
    const { page, id } = await open()
    const end = gate()
    endpoint.next(sayAround('It rains. And then', end, ' it stops.'))
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    await page.locator('#told', { hasText: 'And then' }).waitFor()
    await page.context().setOffline(true)
    // A stream that is open goes on in an emulated network.
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.locator('#phase', { hasText: 'connection' }).waitFor()
    end.open()
    await server.deps.locks.freed(id)
    await page.context().setOffline(false)
    await page.locator('#story', { hasText: 'it stops.' }).waitFor()
    await page.locator('#phase', { hasText: 'The reply came' }).waitFor()
  })

  test('opens a stream anew that has been silent, though the connection gave no error', async () => {
    const { page, id } = await open()
    await page.addInitScript(() => {
      const real = window.fetch
      const dropping = async (...asked: Parameters<typeof fetch>) => {
        const answer = await real(...asked)
        if (!answer.headers.get('content-type')?.includes('event-stream')) return answer
        const network = new TransformStream({
          transform: (packet, to) => {
            if (!('drops' in window)) to.enqueue(packet)
          },
        })
        return new Response(answer.body?.pipeThrough(network), answer)
      }
      window.fetch = dropping as typeof fetch
    })
    await page.clock.install()
    await Promise.all([page.waitForResponse('**/events*'), page.reload()])
    await page.evaluate(() => Object.assign(window, { drops: true }))
    endpoint.next(say('Three.'))
    await playTurn(server, id, { type: 'do', text: 'wait' })
    await page.clock.runFor(10_000)
    expect(await page.locator('#story', { hasText: 'Three.' }).count()).toBe(0)
    await page.evaluate(() => Reflect.deleteProperty(window, 'drops'))
    const comes = async () => {
      await page.clock.runFor(1_000)
      return await page.locator('#story', { hasText: 'Three.' }).count()
    }
    await eventually(comes, 1)
    await page.locator('#phase', { hasText: 'The reply came' }).waitFor()
  })

  test('whose story was deleted asks once', async () => {
    const { page, id } = await open()
    await page.clock.install()
    await Promise.all([page.waitForResponse('**/events*'), page.reload()])
    await server.send('DELETE', `/api/adventures/${id}`)
    await page.locator('#notice', { hasText: 'deleted' }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await page.locator('#words').click()
    await page.clock.runFor(60_000)
    expect(asked).toEqual([])
  })

  for (const when of ['in the middle of a turn', 'between the page and its stream'])
    test(`goes on where the service was restarted ${when}`, async () => {
      const dbPath = join(temporaryFolder(), 'library.db')
      const before = await startServer({ dbPath })
      await before.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
      const { body } = await before.post('/api/adventures', { title: 'Restarted' })
      const { page } = await visit(before.address)
      const opened = gate()
      await page.route('**/events*', async (route) => {
        if (when === 'between the page and its stream') await opened.opened
        await route.continue()
      })
      await page.goto(`/adventures/${body.id}`)
      endpoint.next(sayAround('It rains. And then', gate(), ''))
      await page.fill('#words', 'wait')
      await page.press('#words', 'Enter')
      const isBegun = () => before.deps.live.find(body.id)?.text.includes('And then')
      while (!isBegun()) await Bun.sleep(20)
      await before.stop()
      await startServer({ dbPath, port: Number(new URL(before.address).port) })
      opened.open()
      await page.locator('#interrupted', { hasText: 'And then' }).waitFor()
      expect(await passages(page)).toContain('You wait.')
      await page.waitForSelector('#telling', { state: 'detached' })
    })

  test('without a stream loads itself again, as without script', async () => {
    const { page, path } = await open()
    await page.route('**/events*', () => {})
    await page.clock.install()
    await page.goto(path)
    await page.waitForFunction(() => 'htmx' in window)
    await page.clock.runFor(16_000)
    await page.waitForFunction(() => sessionStorage.getItem('deaf') !== null)
    endpoint.next(say('Three.'))
    await page.fill('#words', 'wait')
    await Promise.all([page.waitForEvent('load'), page.press('#words', 'Enter')])
    await page.locator('#story', { hasText: 'You wait.' }).last().waitFor()
    await page.clock.runFor(4_000)
    await page.locator('#story', { hasText: 'Three.' }).waitFor()
  })
})

import { describe, expect, test } from 'bun:test'
import { tooWide } from '../../support/browser/axe.ts'
import { eventually, hasBrowser, passages, play, visit } from '../../support/browser/browser.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { server } = await startWithModel({}, {})
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Lamp Road',
  prompt: '${Your name} wakes.',
  memory: '${Your friend} keeps the lamp.',
})

async function begin(): Promise<number> {
  const { body } = await server.post('/api/adventures', { scenario_id: scenario.id })
  await playTurn(server, body.id)
  return body.id
}

describe.skipIf(!hasBrowser)('a story that began without answers asks once', () => {
  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with script' : 'without script'
    const open = async () => {
      const { page, faults } = await visit(server.address, {
        javaScriptEnabled,
        viewport: { width: 390, height: 800 },
      })
      const id = await begin()
      await page.goto(`/adventures/${id}#end`)
      return { page, faults, id, form: page.locator('#asks') }
    }
    const memory = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.memory

    test(`and has the answers in it, ${how}`, async () => {
      const { page, faults, id, form } = await open()
      expect(await tooWide(page)).toEqual([])
      await page.getByLabel('Your name').fill('Mira')
      await form.getByRole('button', { name: 'Save' }).click()
      await form.waitFor({ state: 'detached' })
      await eventually(async () => (await passages(page))[0], 'Mira wakes.')
      await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor()
      expect(await memory(id)).toBe('Your friend keeps the lamp.')
      await page.goto(`/adventures/${id}`)
      expect(await form.count()).toBe(0)
      expect(faults).toEqual([])
    })

    test(`or keeps the names when it is skipped, ${how}`, async () => {
      const { page, id, form } = await open()
      await page.getByLabel('Your name').fill('Mira')
      await form.getByRole('button', { name: 'Skip' }).click()
      await form.waitFor({ state: 'detached' })
      await eventually(async () => (await passages(page))[0], 'Your name wakes.')
      await page.goto(`/adventures/${id}`)
      expect(await form.count()).toBe(0)
    })
  }

  test('keeps what is typed beside it, the place that is read, and the focus in the story', async () => {
    const { page } = await visit(server.address, { viewport: { width: 1280, height: 400 } })
    const id = await begin()
    for (let turn = 0; turn < 6; turn++) await playTurn(server, id, { type: 'do', text: 'wait' })
    await page.goto(`/adventures/${id}`)
    await page.getByLabel('Your name').fill('Mira')
    await play(page, 'wait')
    expect(await page.getByLabel('Your name').inputValue()).toBe('Mira')
    await page.fill('#words', 'and then')
    // So long that the opening grows by lines.
    await page.getByLabel('Your name').fill('Mira of the lamp '.repeat(30))
    const last = page.locator('#story > article').last()
    const top = () => last.evaluate((passage) => Math.round(passage.getBoundingClientRect().top))
    // Away from the end, where the page would stay at its end.
    await page.evaluate(() => scrollBy({ top: -700, behavior: 'instant' }))
    const before = await top()
    await page.keyboard.press('Enter')
    await page.locator('#asks').waitFor({ state: 'detached' })
    await page.locator('#story > article', { hasText: 'Mira of the lamp Mira' }).waitFor()
    await eventually(top, before)
    expect(await page.inputValue('#words')).toBe('and then')
    await eventually(() => last.evaluate((passage) => passage.matches(':focus, :focus-within')), true)
  })
})

import { describe, expect, test } from 'bun:test'
import { eventually, hasBrowser } from '../../support/browser/browser.ts'
import { openStory } from '../../support/browser/turn.ts'
import { afterGate, gate, say, status } from '../../support/endpoint/endpoint.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()
const ANSWER = '{"careful":"wait","bold":"jump","unexpected":"sing"}'

describe.skipIf(!hasBrowser)('suggestions', () => {
  test('come by a key, and a press puts one behind what is typed, to be sent by the player', async () => {
    const { id, page } = await openStory(server, endpoint, { viewport: { width: 390, height: 800 } })
    await page.locator('#composer[data-htmx-powered]').waitFor()
    endpoint.next(say(ANSWER))
    await page.locator('#story article').last().focus()
    await page.keyboard.press('t')
    await page.getByRole('button', { name: 'jump' }).click()
    await eventually(() => page.inputValue('#words'), 'jump')
    await page.locator('.suggest').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'sing' }).click()
    await eventually(() => page.inputValue('#words'), 'jump\nsing')
    await page.locator('#words:focus').waitFor()
    expect((await server.get(`/api/adventures/${id}`)).body.actions).toHaveLength(3)
    endpoint.next(say('You land.'))
    await page.fill('#words', 'jump')
    await page.press('#words', 'Enter')
    await page.locator('article.narration', { hasText: 'You land.' }).waitFor()
    await eventually(() => page.locator('#suggestions button').count(), 0)
  })

  test('say that they are being made, as long as that takes', async () => {
    const { page } = await openStory(server, endpoint)
    await page.locator('#composer[data-htmx-powered]').waitFor()
    const answered = gate()
    endpoint.next(afterGate(answered, say(ANSWER)))
    await page.getByRole('button', { name: 'Suggest' }).click()
    await page.locator('#phase', { hasText: 'making suggestions' }).waitFor()
    answered.open()
    await page.getByRole('button', { name: 'jump' }).waitFor()
    await page.waitForFunction(() => document.querySelector('#phase')?.textContent === '')
  })

  test('that cannot be had say why', async () => {
    const { page } = await openStory(server, endpoint)
    await page.locator('#composer[data-htmx-powered]').waitFor()
    endpoint.next(status(500))
    await page.getByRole('button', { name: 'Suggest' }).click()
    await page.locator('#notice', { hasText: '500' }).waitFor()
  })
})

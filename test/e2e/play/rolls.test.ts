import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, visit } from '../../support/browser/browser.ts'
import { gate, say, sayAround, status } from '../../support/endpoint/endpoint.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel({}, {})
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'The wall',
  prompt: 'A wall.',
  stat_schema: {
    checks: { Climb: { dice: '1d20', difficulties: [{ name: 'wet', number: 12 }], reroll: {} } },
  },
})

/** Each line and passage after the opening, and whether a roll is seen with it. */
const rolls = (page: Page) =>
  page
    .locator('#story > article:not(:first-child), #story ~ article')
    .evaluateAll((all) =>
      all.map((one) => [
        one.querySelector('.prose')?.textContent,
        [...one.querySelectorAll('.rolled')].some((chip) => chip.checkVisibility()),
      ]),
    )

for (const javaScriptEnabled of [true, false])
  describe.skipIf(!hasBrowser)(`a roll, ${javaScriptEnabled ? 'with' : 'without'} script,`, () => {
    async function opened() {
      const { body } = await server.post('/api/adventures', { scenario_id: scenario.id })
      const { page } = await visit(server.address, { javaScriptEnabled })
      await page.goto(`/adventures/${body.id}`)
      return page
    }

    async function send(page: Page, mode: string, text: string) {
      await page.locator(`.modes [value="${mode}"]`).check({ force: true })
      await page.fill('#words', text)
      await page.locator('.words .main').click({ noWaitAfter: true })
    }

    test('is shown with its own line where the reply is to another one', async () => {
      const page = await opened()
      endpoint.next(status(400, 'No.'))
      await send(page, 'try', 'climb')
      await page.locator('#notice', { hasText: 'No.' }).first().waitFor()
      endpoint.next(say('Somebody calls back.'))
      await send(page, 'do', 'call')
      await page.locator('article.narration', { hasText: 'Somebody calls back.' }).waitFor()
      const shown = [
        ['You climb.', true],
        ['You call.', false],
        ['Somebody calls back.', false],
      ]
      await eventually(() => rolls(page), shown)
      await page.goto(page.url().replace(/[/]turns.*/, ''))
      expect(await rolls(page)).toEqual(shown)
    })

    test('is shown with the reply that tells it, and not while the dice are thrown again', async () => {
      const page = await opened()
      endpoint.next(say('You are up.'))
      await send(page, 'try', 'climb')
      await page.locator('article.narration', { hasText: 'You are up.' }).waitFor()
      const told = (text: string) => [
        ['You climb.', false],
        [text, true],
      ]
      await eventually(() => rolls(page), told('You are up.'))
      const end = gate()
      endpoint.next(sayAround('You slip, and', end, ' hold on.'))
      await page.getByRole('button', { name: 'Roll again' }).click({ noWaitAfter: true })
      await page.locator('.streaming', { hasText: 'You slip, and' }).waitFor()
      await eventually(async () => (await rolls(page))[0], ['You climb.', false])
      end.open()
      await page.locator('article.narration:not(.telling)', { hasText: 'You slip, and hold on.' }).waitFor()
      await eventually(() => rolls(page), told('You slip, and hold on.'))
      const again = gate()
      endpoint.next(sayAround('You grip, and', again, ' wait.'))
      await page.getByRole('button', { name: 'Retry', exact: true }).click({ noWaitAfter: true })
      await page.locator('.streaming', { hasText: 'You grip, and' }).waitFor()
      again.open()
      await page.locator('article.narration:not(.telling)', { hasText: 'You grip, and wait.' }).waitFor()
      await eventually(() => rolls(page), told('You grip, and wait.'))
    })
  })

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, openPanel, visit } from '../../support/browser/browser.ts'
import { gate, say, sayAndRecord, sayAround } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel()

const COUNTED = sayAndRecord('The tide comes in.', { 'player.warmth': -3 })

/** A panel, how it is opened, and where words are typed in it, if anywhere. */
const PANELS: [name: string, field: string | null][] = [
  ['Plot', '[name="memory"]'],
  ['Memory', 'textarea[name="text"]'],
  ['Contents', null],
  ['Text settings', null],
  ['Insights', null],
]

describe.skipIf(!hasBrowser)('what is open beside the story', () => {
  let page: Page
  let faults: string[]
  let story: string
  beforeAll(async () => {
    ;({ page, faults } = await visit(server.address, { viewport: { width: 1280, height: 420 } }))
    const { body: scenario } = await server.post('/api/scenarios', {
      title: 'Rock',
      stat_schema: LANTERN_ROCK,
    })
    const { body } = await server.post('/api/adventures', { scenario_id: scenario.id })
    await playTurn(server, body.id)
    await retryTurn(server, body.id)
    story = `/adventures/${body.id}`
  })

  const settled = () => page.waitForSelector('#telling, .htmx-request', { state: 'detached' })

  /** A turn ends, and then another attempt is shown. */
  async function goOn(): Promise<void> {
    endpoint.next(COUNTED)
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.waitForSelector('#story > :last-child .changes')
    await settled()
    await page.locator('[aria-label="Previous version"]').dispatchEvent('click')
    await settled()
  }

  for (const [name, field] of PANELS)
    test(`${name} keeps its place and what was typed`, async () => {
      await page.goto(story)
      await openPanel(page, name)
      await page.locator('#panel .panel-head h2').waitFor()
      for (const details of await page.locator('#panel details > summary').all())
        await details.dispatchEvent('click')
      if (field) await page.locator(`#panel ${field}`).last().fill('A word.')
      const place = () =>
        page.evaluate(
          (selector) => ({
            top: document.querySelector('.margin')?.scrollTop,
            open: document.querySelectorAll('#panel details[open]').length,
            words: selector
              ? [...document.querySelectorAll<HTMLTextAreaElement>(`#panel ${selector}`)].at(-1)?.value
              : 'A word.',
            focus: document.activeElement?.getAttribute('name'),
          }),
          field,
        )
      await page.evaluate(() => document.querySelector('.margin')?.scrollTo(0, 150))
      const before = await place()
      expect(before).toMatchObject({ top: 150, words: 'A word.' })
      await goOn()
      expect({ ...(await place()), focus: before.focus }).toEqual(before)
      expect(faults).toEqual([])
    })

  test('the numbers that are being changed by hand stay as they were typed', async () => {
    await page.goto(story)
    await page.getByText('Edit values').click()
    const field = page.locator('[name="set:player.warmth"]')
    await field.fill('17')
    await goOn()
    expect(await field.inputValue()).toBe('17')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.by-hand').waitFor({ state: 'detached' })
    await page.locator('#world-state', { hasText: '17' }).waitFor()
  })

  test('an edited text stays as typed while a turn streams', async () => {
    await page.goto(story)
    const passage = page.locator('#story > article').last()
    await passage.getByRole('link', { name: 'Edit', exact: true }).dispatchEvent('click')
    const field = page.locator('.editing textarea')
    await field.fill('Other words.')
    const end = gate()
    endpoint.next(sayAround('It begins.', end, ' It ends.'))
    await page.getByRole('button', { name: 'Continue', exact: true }).dispatchEvent('click')
    await page.locator('#told', { hasText: 'It begins' }).waitFor()
    end.open()
    await settled()
    expect(await field.inputValue()).toBe('Other words.')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.editing').waitFor({ state: 'detached' })
    await page.locator('#story', { hasText: 'Other words.' }).waitFor()
  })

  test('a passage that was undone while it was edited does not replace the next one', async () => {
    await page.goto(story)
    endpoint.next(say('It is gone soon.'))
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.locator('article.narration', { hasText: 'It is gone soon.' }).waitFor()
    await settled()
    const passage = page.locator('#story > article').last()
    const id = await passage.getAttribute('id')
    await passage.getByRole('link', { name: 'Edit', exact: true }).dispatchEvent('click')
    await page.locator('.editing textarea').fill('Words for what is gone.')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.locator('.editing').waitFor({ state: 'detached' })
    endpoint.next(say('It stays.'))
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.locator(`#${id}`, { hasText: 'It stays.' }).waitFor()
    await settled()
    await eventually(() => page.locator(`#${id} .prose`).innerText(), 'It stays.')
  })
})

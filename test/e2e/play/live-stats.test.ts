import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, play, visit } from '../../support/browser/browser.ts'
import { recorded, say, sayAndRecord } from '../../support/endpoint/endpoint.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel({}, {})
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Lantern Rock',
  stat_schema: LANTERN_ROCK,
})

const tell = (delta: Record<string, unknown>) => endpoint.next(sayAndRecord('The sea rises.', delta))

async function open(options: Parameters<typeof visit>[1] = {}) {
  const { body } = await server.post('/api/adventures', { scenario_id: scenario.id })
  const visitor = await visit(server.address, { viewport: { width: 1400, height: 900 }, ...options })
  // What the script sets bars to.
  await visitor.page.addInitScript(() => {
    const set = Object.getOwnPropertyDescriptor(HTMLMeterElement.prototype, 'value')?.set
    const seen: string[] = []
    Object.assign(window, { barsSetTo: seen })
    Object.defineProperty(HTMLMeterElement.prototype, 'value', {
      set(value: string) {
        seen.push(value)
        set?.call(this, value)
      },
    })
  })
  await visitor.page.goto(`/adventures/${body.id}`)
  return visitor
}

const lit = (page: Page) =>
  page
    .locator('#world-state .lit')
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.path))
const barsSetTo = (page: Page) =>
  page.evaluate(() => (window as unknown as { barsSetTo: string[] }).barsSetTo.splice(0))
const animation = (page: Page) =>
  page
    .locator('.lit')
    .first()
    .evaluate((row) => getComputedStyle(row).animationName)

describe.skipIf(!hasBrowser)('the stats beside a story', () => {
  test('light up when they change, and their bars move from the old value', async () => {
    const { page, faults } = await open()
    expect(await lit(page)).toEqual([])
    tell({ 'player.warmth': -8, 'flags.door_barred': true })
    await play(page, 'wait')
    await eventually(() => lit(page), ['player.warmth', 'flags.door_barred'])
    expect(await barsSetTo(page)).toEqual(['32', '24'])
    expect(await animation(page)).toBe('lit')
    tell({ 'world.sea': 2 })
    await play(page, 'wait')
    await eventually(() => lit(page), ['world.sea'])
    // The form in between shows no values.
    await page.getByText('Edit values').click()
    await page.fill('[name="set:player.warmth"]', '5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#world-state .stats').first().waitFor()
    await eventually(() => lit(page), ['player.warmth'])
    await page.reload()
    expect(await lit(page)).toEqual([])
    expect(faults).toEqual([])
  })

  test('have their milestones in the text, and a sign where nothing was recorded', async () => {
    const { page } = await open()
    tell({ 'milestones.signal_sent': true, 'player.warmth': -1 })
    await play(page, 'wait')
    const told = page.locator('#story article:last-of-type')
    expect(await told.locator('.reached').innerText()).toBe(
      '✦ Milestone reached: Send the distress signal “The sea rises.”',
    )
    await eventually(() => told.locator('.changes li').allInnerTexts(), ['warmth −1 → 31 “The sea rises.”'])
    endpoint.next(recorded(say('The sea rises.'), say('no changes')))
    await play(page, 'wait')
    await page.locator('#recording').waitFor({ state: 'detached' })
    const reason = told.getByText('The model gave no answer that could be read.')
    expect(await reason.isVisible()).toBe(false)
    await told.locator('summary', { hasText: 'Changes not recorded' }).click()
    await reason.waitFor()
  })

  test('stay still where less motion is wanted', async () => {
    const { page } = await open({ reducedMotion: 'reduce' })
    tell({ 'player.warmth': -8 })
    await play(page, 'wait')
    await eventually(() => lit(page), ['player.warmth'])
    expect(await animation(page)).toBe('none')
  })
})

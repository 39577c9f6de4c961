import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually, hasBrowser, passages, visit } from '../../support/browser/browser.ts'
import { afterGate, gate, recorded, say, sayAndRecord, silent } from '../../support/endpoint/endpoint.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel({}, {})
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Lantern Rock',
  stat_schema: {
    ...LANTERN_ROCK,
    checks: {
      Climb: {
        dice: '1d20',
        stat: 'player.warmth',
        difficulties: [{ name: 'wet', number: 12 }],
        outcomes: [{ name: 'a slip' }],
      },
    },
  },
})
const begin = async () =>
  (await server.post('/api/adventures', { title: 'Rock', scenario_id: scenario.id })).body.id as number
const COLD = say(JSON.stringify({ edits: [{ because: 'The cold bites', path: 'player.warmth', by: -5 }] }))
/** Changes that the passage does not tell: each gets a line below it. */
const UNTOLD = say(
  JSON.stringify({
    edits: Array.from({ length: 8 }, (_, i) => ({ because: 'not there', path: `player.${i}`, by: 1 })),
  }),
)
/** Several screens of a phone. */
const LONG = `The cold bites. ${Array.from({ length: 200 }, (_, i) => `Wave ${i} breaks on rock ${i * 7}.`).join(' ')}`

/** A page whose newest passage is complete, while the model is asked for its changes until `answered` opens. */
async function recordingPage({
  passage = 'The cold bites.',
  changes = COLD,
  viewport = { width: 1280, height: 800 },
} = {}) {
  const { page, faults } = await visit(server.address, { viewport })
  await page.goto(`${server.address}adventures/${await begin()}`)
  const answered = gate()
  endpoint.next(recorded(say(passage), afterGate(answered, changes)))
  await page.fill('#words', 'wait')
  await page.press('#words', 'Enter')
  await page.locator('#recording').waitFor({ state: 'attached' })
  return { page, faults, answered }
}

/** Tries a check, whose line waits for the changes, and then its reply. */
async function tryToClimb(page: Page, answered: ReturnType<typeof gate>): Promise<void> {
  endpoint.next(sayAndRecord('You slip.', {}))
  await page.locator('.modes label', { hasText: 'Try' }).click()
  await page.fill('#words', 'climb up')
  await page.press('#words', 'Enter')
  await page.waitForSelector('#telling', { state: 'attached' })
  answered.open()
  await page.locator('#story').getByText('You slip.').waitFor()
  await page.waitForSelector('#telling', { state: 'detached' })
}

describe.skipIf(!hasBrowser)('a page whose changes are being recorded', () => {
  test('shows the passage as finished and takes the next line; the numbers come by themselves', async () => {
    const { page, faults, answered } = await recordingPage()
    expect(await page.locator('#telling').count()).toBe(0)
    expect(await page.getByText('Changes not recorded').count()).toBe(0)
    endpoint.next(sayAndRecord('You sit.', {}))
    await page.fill('#words', 'sit down')
    await page.press('#words', 'Enter')
    await page.locator('#story').getByText('You sit down.').waitFor()
    await eventually(() => page.inputValue('#words'), '')
    answered.open()
    await page.locator('#story').getByText('You sit.').waitFor()
    await page.waitForSelector('#recording', { state: 'detached' })
    await page.locator('#world').getByText('27/40').waitFor()
    await page.locator('.changes').getByText('warmth').waitFor()
    expect(faults).toEqual([])
  })

  test('shows a line with a roll, which waits for them, before its reply', async () => {
    const { page, faults, answered } = await recordingPage()
    await tryToClimb(page, answered)
    const told = async () => (await passages(page)).filter((text) => text !== '')
    await eventually(told, ['You wait.', 'The cold bites.', 'You climb up.', 'You slip.'])
    await eventually(() => page.inputValue('#words'), '')
    expect(faults).toEqual([])
  })

  test('scrolls to a line with a roll when it comes', async () => {
    const { page, answered } = await recordingPage({
      passage: LONG,
      changes: UNTOLD,
      viewport: { width: 390, height: 700 },
    })
    await tryToClimb(page, answered)
    const isAboveDesk = async () => {
      const line = await page.locator('.line', { hasText: 'You climb up.' }).boundingBox()
      const desk = await page.locator('.desk').boundingBox()
      return (line?.y ?? 0) + (line?.height ?? 0) < (desk?.y ?? 0)
    }
    await eventually(isAboveDesk, true)
  })

  test('and is opened in another tab shows them too', async () => {
    const id = await begin()
    const { page } = await visit(server.address)
    const other = (await visit(server.address)).page
    const answered = gate()
    await page.goto(`${server.address}adventures/${id}`)
    endpoint.next(recorded(say('The cold bites.'), afterGate(answered, COLD)))
    await page.fill('#words', 'wait')
    await page.press('#words', 'Enter')
    await page.locator('#recording').waitFor()
    await page.close()
    await other.goto(`${server.address}adventures/${id}`)
    await other.locator('#recording').waitFor()
    answered.open()
    await other.locator('#world').getByText('27/40').waitFor()
  })

  test('has the tools at once without script', async () => {
    const { page } = await visit(server.address, { javaScriptEnabled: false })
    const id = await begin()
    await page.goto(`${server.address}adventures/${id}`)
    endpoint.next(recorded(say('The cold bites.'), silent))
    await page.fill('#words', 'wait')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#recording').waitFor()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await server.post(`/api/adventures/${id}/stop`)
    await page.goto(`${server.address}adventures/${id}`)
    await page.locator('.missed summary').click()
    await page.getByText('You stopped the model before it had answered.').waitFor()
  })
})

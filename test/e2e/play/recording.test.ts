import { describe, expect, test } from 'bun:test'
import { hasBrowser, passages, visit } from '../../support/browser/browser.ts'
import { afterGate, gate, say, silent } from '../../support/endpoint/endpoint.ts'
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

/** A page whose newest passage is complete, while the model is asked for its changes until `answered` opens. */
async function recordingPage() {
  const { page, faults } = await visit(server.address)
  await page.goto(`${server.address}adventures/${await begin()}`)
  const answered = gate()
  endpoint.next(say('The cold bites.'), afterGate(answered, COLD))
  await page.fill('#words', 'wait')
  await page.press('#words', 'Enter')
  await page.locator('#recording').waitFor()
  return { page, faults, answered }
}

describe.skipIf(!hasBrowser)('a page whose changes are being recorded', () => {
  test('shows the passage as finished and takes the next line; the numbers come by themselves', async () => {
    const { page, faults, answered } = await recordingPage()
    expect(await page.locator('#telling').count()).toBe(0)
    expect(await page.getByText('Changes not recorded').count()).toBe(0)
    endpoint.next(say('You sit.\n\n```state_delta\n{}\n```'))
    await page.fill('#words', 'sit down')
    await page.press('#words', 'Enter')
    await page.locator('#story').getByText('You sit down.').waitFor()
    expect(await page.inputValue('#words')).toBe('')
    answered.open()
    await page.locator('#story').getByText('You sit.').waitFor()
    await page.waitForSelector('#recording', { state: 'detached' })
    await page.locator('#world').getByText('27/40').waitFor()
    await page.locator('.changes').getByText('warmth').waitFor()
    expect(faults).toEqual([])
  })

  test('shows a line with a roll, which waits for them, before its reply', async () => {
    const { page, faults, answered } = await recordingPage()
    endpoint.next(say('You slip.\n\n```state_delta\n{}\n```'))
    await page.locator('.modes label', { hasText: 'Try' }).click()
    await page.fill('#words', 'climb up')
    await page.press('#words', 'Enter')
    await page.waitForSelector('#telling', { state: 'attached' })
    answered.open()
    await page.locator('#story').getByText('You slip.').waitFor()
    await page.waitForSelector('#telling', { state: 'detached' })
    const told = (await passages(page)).filter((text) => text !== '')
    expect(told).toEqual(['You wait.', 'The cold bites.', 'You climb up.', 'You slip.'])
    expect(await page.inputValue('#words')).toBe('')
    expect(faults).toEqual([])
  })

  test('and is opened in another tab shows them too', async () => {
    const id = await begin()
    const { page } = await visit(server.address)
    const other = (await visit(server.address)).page
    const answered = gate()
    await page.goto(`${server.address}adventures/${id}`)
    endpoint.next(say('The cold bites.'), afterGate(answered, COLD))
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
    endpoint.next(say('The cold bites.'), silent)
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

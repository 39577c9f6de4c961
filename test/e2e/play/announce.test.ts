import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasBrowser, visit } from '../../support/browser/browser.ts'
import {
  afterGate,
  breakOff,
  editsAbout,
  gate,
  loading,
  recorded,
  type Step,
  say,
  sayAround,
} from '../../support/endpoint/endpoint.ts'
import { startWithModel } from '../../support/service/with-model.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const { endpoint, server } = await startWithModel({ narrator: { retryEvery: 0.5, acceptTimeout: 0.1 } })

const PASSAGE = [
  'The door opens.',
  '“Who is there?” he asks.',
  'Nobody… and then a step.',
  'Mr. Hale waits.',
  '“Run!”',
  'She **runs**.',
  'The lamp costs 3.50 and',
  'no more.',
  '灯が消えた。',
  '誰だ？',
  'It breaks off in the',
]
const TEXT = `${PASSAGE.slice(0, 4).join(' ')}\n\n${PASSAGE.slice(4, 8).join(' ')}\n\n* * *\n\n${PASSAGE.slice(8, 10).join('')}\n\n${PASSAGE[10]}`
const SENTENCES = [
  'The door opens.',
  '“Who is there?”',
  'he asks.',
  ...PASSAGE.slice(2, 5),
  'She runs.',
  'The lamp costs 3.50 and no more.',
  ...PASSAGE.slice(8),
]

/** What the live regions of the page were told, each time that words came into one. */
interface Heard {
  said: string[]
  alerts: string[]
  phases: string[]
}

describe.skipIf(!hasBrowser)('what a screen reader hears', () => {
  let page: Page
  beforeAll(async () => {
    page = (await visit(server.address)).page
    await page.addInitScript(listen)
  })

  /** A story of its own, with its numbers if they are wanted. */
  async function begin(schema = {}): Promise<void> {
    const { body: scenario } = await server.post('/api/scenarios', { title: 'Rock', stat_schema: schema })
    const { body } = await server.post('/api/adventures', { scenario_id: scenario.id })
    await page.goto(`/adventures/${body.id}`)
    await page.waitForFunction(() => document.querySelector('#composer[data-htmx-powered]'))
  }

  /** Presses a button; what was heard from there on, when the last of it is. */
  async function tell(step: Step | Step[], last: string, button = 'Continue'): Promise<Heard> {
    endpoint.next(...[step].flat())
    await page.waitForSelector('.htmx-request', { state: 'detached' })
    await page.evaluate(() => Object.assign(window, { heard: { said: [], alerts: [], phases: [] } }))
    await page.getByRole('button', { name: button }).click()
    return heard(last)
  }

  async function heard(last: string): Promise<Heard> {
    const of = () => (window as unknown as { heard: Heard }).heard
    await page.waitForFunction(
      (words) =>
        Object.values((window as unknown as { heard: Heard }).heard).some((all) => all.at(-1) === words),
      last,
    )
    return page.evaluate(of)
  }

  const ended = () => page.waitForSelector('#telling, .htmx-request', { state: 'detached' })

  test('each sentence of a passage once, when it is complete, and the rest at its end', async () => {
    await begin()
    const { said, alerts, phases } = await tell(say(TEXT, { pieces: 90 }), 'It breaks off in the')
    expect(said).toEqual(SENTENCES)
    expect(alerts).toEqual([])
    expect(phases.at(-1)).toBe('The narrator is writing.')
    // The passage itself is no live region, nor in one.
    expect(
      await page.locator('[aria-live] article, [role=status] article, article [aria-live]').count(),
    ).toBe(0)
    expect(await page.getByRole('article', { name: 'Narrator, passage 1' }).count()).toBe(1)
  })

  test('the items of a list and the paragraphs of a quote apart', async () => {
    await begin()
    const lists = say('On the table:\n\n1. A lamp.\n2. A rope.\n\n> Wait.\n>\n> Then go.\n\nNight falls.', {
      pieces: 60,
    })
    const { said } = await tell(lists, 'Night falls.')
    expect(said).toEqual(['On the table:', 'A lamp.', 'A rope.', 'Wait.', 'Then go.', 'Night falls.'])
  })

  test('nothing of a sentence before its end, and the article is busy meanwhile', async () => {
    await begin()
    const [first, last] = [gate(), gate()]
    endpoint.next(afterGate(first, sayAround('One is told. Two is', last, ' told.')))
    await page.getByRole('button', { name: 'Continue' }).click()
    first.open()
    await page.locator('#told', { hasText: 'Two is' }).waitFor()
    expect(await page.locator('#telling').getAttribute('aria-busy')).toBe('true')
    expect((await heard('One is told.')).said).toEqual(['One is told.'])
    last.open()
    expect((await heard('Two is told.')).said).toEqual(['One is told.', 'Two is told.'])
    await ended()
    expect(await page.locator('[aria-busy]').count()).toBe(0)
  })

  test('of a retry the new text alone, then which attempt is shown', async () => {
    await begin()
    await tell(say('The old one. It was long.'), 'It was long.')
    await tell(say('The new one.'), 'The new one.', 'Retry')
    await ended()
    await page.getByRole('button', { name: 'Previous version' }).click()
    expect((await heard('Version 1 of 2')).said).toEqual(['The new one.', 'Version 1 of 2'])
  })

  test('what was counted after the prose', async () => {
    await begin(LANTERN_ROCK)
    const delta = { 'player.warmth': -90, 'flags.door_barred': true }
    const cold = recorded(say('It is cold.', { pieces: 20 }), say(editsAbout('It is cold.', delta)))
    const { said } = await tell(cold, 'door barred: yes')
    expect(said).toEqual([
      'It is cold.',
      'warmth −8 → 24: asked for −90, got −8: at most 8 per turn',
      'door barred: yes',
    ])
  })

  test('an error once, and nothing more of what it cut off', async () => {
    await begin()
    await tell(say('It stands.'), 'It stands.')
    await tell(breakOff('A new one begins. And then it'), 'A new one begins.', 'Retry')
    await page.locator('#notice p, #notice:not(:empty)').first().waitFor()
    await ended()
    // What is said is said in its order.
    endpoint.next(say('It goes on.'))
    await page.getByRole('button', { name: 'Continue' }).click()
    const { said, alerts } = await heard('It goes on.')
    expect(said).toEqual(['A new one begins.', 'It goes on.'])
    expect(alerts).toHaveLength(1)
  })

  test('what is waited for when that changes, not every second', async () => {
    await begin()
    const opened = gate()
    endpoint.next(...loading(2), afterGate(opened, say('At last.')))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(/Waiting for the model: ([3-9]|\d\d+) s/).waitFor()
    opened.open()
    const { phases, said } = await heard('At last.')
    expect(phases.filter((phase, i) => phase === phases[i - 1])).toEqual([])
    expect(phases.at(-1)).toBe('The narrator is writing.')
    expect(said).toEqual(['At last.'])
  })

  test('nothing where the reader wants it quiet', async () => {
    await server.send('PUT', '/api/preferences', { announce: false })
    await begin()
    await tell(say('One. Two. Three.'), 'The narrator is writing.')
    await ended()
    expect((await heard('The narrator is writing.')).said).toEqual([])
    await server.send('PUT', '/api/preferences', { announce: true })
  })

  test('all of it at the end where a reply is shown when it is whole', async () => {
    await server.send('PUT', '/api/preferences', { whole_replies: true })
    await begin()
    const opened = gate()
    endpoint.next(sayAround('One is told. Two is', opened, ' told.'))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('#told', { hasText: 'Two is' }).waitFor({ state: 'attached' })
    expect((await heard('The narrator is writing.')).said).toEqual([])
    opened.open()
    expect((await heard('Two is told.')).said).toEqual(['One is told.', 'Two is told.'])
    await server.send('PUT', '/api/preferences', { whole_replies: false })
  })
})

/** Runs in the page: keeps what comes into its live regions, as a screen reader does. */
function listen(): void {
  const own = window as unknown as { heard: Heard }
  own.heard = { said: [], alerts: [], phases: [] }
  document.addEventListener('DOMContentLoaded', () => {
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        const place = target.parentElement?.closest('[aria-live], [role]') ?? (target as Element)
        const region =
          (target as Element).closest?.('[aria-live="polite"], [role="alert"], [role="status"]') ?? place
        const words = [...addedNodes].map(({ textContent }) => (textContent ?? '').trim()).filter(Boolean)
        if (region.matches('[role="alert"]')) own.heard.alerts.push(...words)
        else if (region.matches('[role="status"]')) own.heard.phases.push(...words)
        else if (region.matches('[aria-live]')) own.heard.said.push(...words)
      }
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
  })
}

import { describe, expect, test } from 'bun:test'
import { cardMatcher } from '../../../src/domain/cards/card-triggers.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()

/** Whether a text triggers a card with these keys, by the page for testing triggers. */
async function calls(keys: string, text: string): Promise<boolean> {
  const { body: scenario } = await server.post('/api/scenarios', { title: 'Keys' })
  await server.post('/api/story-cards', { scenario_id: scenario.id, name: 'x', keys, entry: 'x' })
  const { status, body } = await server.post('/api/story-cards/try', { scenario_id: scenario.id, text })
  expect(status).toBe(200)
  return body.cards.some(({ reason }: { reason: string }) => reason === 'shown')
}

describe('72 triggers are plain text', () => {
  const cases: [keys: string, text: string, called: boolean][] = [
    ['(a+)+$', `${'a'.repeat(5_000)}!`, false],
    ['(a+)+$', 'It says (a+)+$ on the wall.', true],
    ['.*', 'anything', false],
    ['.*', 'a .* b', true],
    ['[', 'nothing here', false],
    ['[', 'a [ b', true],
    ['a|b', 'a', false],
    ['^boat', 'boat', false],
    ['', 'anything', false],
    [',,,', 'anything', false],
    ['🏮', 'a 🏮 burns', true],
    ['👩‍🚒', 'a 👩‍🚒 comes', true],
    ['é', 'cafe\u0301 e\u0301', true],
    ['caf\u0065\u0301', 'the café', true],
    ['\u0301', 'cafe', false],
    ['İstanbul', 'İstanbul', true],
    ['istanbul', 'Istanbul', true],
    ['STRASSE', 'strasse', true],
    ['constructor', 'nothing', false],
    ['/(a+)+$/', `${'a'.repeat(5_000)}!`, false],
    ['/(a+)+b/', 'aaab', true],
    ['boat', 'Two boats.', true],
  ]
  for (const [keys, text, called] of cases)
    test(`72 ${JSON.stringify(keys)} in ${JSON.stringify(text.slice(0, 20))}: ${called}`, async () =>
      expect(await calls(keys, text)).toBe(called))

  const costly: [name: string, keys: string[]][] = [
    ['ten thousand words', Array.from({ length: 10_000 }, (_, i) => `${i.toString(36)}(a+)+$${i}`)],
    ...['(a+)+$', '(a|aa)+$', '(a*)*b', '(a|a?)+b', '(.*)*x', '(a?){20}a{20}b', 'a.*b|a'].map(
      (pattern): [string, string[]] => [pattern, [`/${pattern}/s`]],
    ),
  ]
  for (const [name, keys] of costly)
    test(`72 ${name}: four times the text does not take sixteen times the time`, () => {
      const matcher = cardMatcher(keys.map((key) => ({ keys: key, entry: 'x' })))
      const work = (length: number) => {
        // A new text each time, because results are cached.
        const texts = Array.from({ length: 5 }, (_, i) => `${i} ${'a 1 (a+)+$ '.repeat(length / 11)}`)
        const times = texts.map((text) => {
          const { user, system } = process.cpuUsage()
          matcher.match(text)
          const after = process.cpuUsage({ user, system })
          return after.user + after.system
        })
        return Math.max(500, Math.min(...times))
      }
      work(400_000)
      expect(work(400_000)).toBeLessThan(8 * work(100_000))
    })
})

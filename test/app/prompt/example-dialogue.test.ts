import { describe, expect, test } from 'bun:test'
import { EXAMPLES_HEADING } from '../../../src/domain/prompt/phrases.ts'
import { say } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel({}, { context_token_budget: 2_000, max_output_tokens: 200 })
const DIALOGUE = '<START>\n${Hero}: Who are you?\nOdo: Nobody owes me that.\n<start>\nOdo: Sit.'
const TOLD = `${EXAMPLES_HEADING}\nMira: Who are you?\nOdo: Nobody owes me that.\n\nOdo: Sit.`
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Odo',
  prompt: 'A market at night.',
  memory: 'Odo lends money.',
  example_dialogue: DIALOGUE,
})

const path = (id: number, rest = '') => `/api/adventures/${id}${rest}`
const story = async (id: number) => (await server.get(path(id))).body
const front = () => endpoint.requests.at(-1)?.body?.messages?.[0]?.content ?? ''
const begin = async () =>
  (await server.post('/api/adventures', { scenario_id: scenario.id, placeholders: { Hero: 'Mira' } })).body.id
/** A passage of about 100 tokens, unlike the others. */
const passage = (n: number) =>
  `Passage ${n}. ${Array.from({ length: 60 }, (_, i) => `w${n * 61 + i * 7}`).join(' ')}.`

async function tell(id: number, n: number): Promise<string> {
  endpoint.next(say(passage(n)))
  await playTurn(server, id, { type: 'do', text: `wait ${n}` })
  return front()
}

describe('example dialogue', () => {
  test('follows the plot essentials, with placeholders filled and no marks of other programs', async () => {
    const id = await begin()
    const told = await tell(id, 1)
    expect(told).toContain(`Odo lends money.\n\n${TOLD}`)
    expect(told).not.toMatch(/<START>/i)
    expect((await story(id)).example_dialogue).toBe(DIALOGUE.replace('${Hero}', 'Mira'))
  })

  test('is removed with the first cut for good, and the front does not change again', async () => {
    const id = await begin()
    await server.send('PATCH', path(id), { memory_bank_enabled: false, auto_summarize: false })
    const fronts: string[] = []
    for (let n = 1; n <= 40; n++) fronts.push(await tell(id, n))
    const lasts = fronts.findLastIndex((one) => one.includes(TOLD))
    expect(lasts).toBeGreaterThan(2)
    expect(lasts).toBeLessThan(30)
    expect(new Set(fronts.slice(0, lasts + 1)).size).toBe(1)
    expect(new Set(fronts.slice(lasts + 1)).size).toBe(1)
    expect(fronts.at(-1)).toContain('Odo lends money.')
    const shown = (await server.get(path(id, '/context'))).body
    expect(shown.shed).toEqual(['example dialogue'])
  })

  test('of a long story that is new here is left out from the start', async () => {
    const id = await begin()
    for (let n = 1; n <= 20; n++) await tell(id, n)
    const file = (await server.get(path(id, '/export?format=json'))).body
    expect(file.example_dialogue).toContain('Odo: Sit.')
    const { adventure_ids } = (await server.post('/api/import?apply=1', file)).body
    expect((await story(adventure_ids[0])).example_dialogue).toBe(file.example_dialogue)
    expect(await tell(adventure_ids[0], 21)).not.toContain(EXAMPLES_HEADING)
  })

  test('is updated from the scenario as an item of its own, and copied', async () => {
    const id = await begin()
    await server.send('PATCH', `/api/scenarios/${scenario.id}`, { example_dialogue: 'Odo: Stand.' })
    const { items } = (await server.get(path(id, '/refresh'))).body
    expect(items).toMatchObject([{ kind: 'field', ref: 'field:example_dialogue', new: 'Odo: Stand.' }])
    await server.post(path(id, '/refresh'), {})
    const { body: copy } = await server.post(path(id, '/copy'), {})
    expect((await story(copy.id)).example_dialogue).toBe('Odo: Stand.')
    await server.send('PATCH', `/api/scenarios/${scenario.id}`, { example_dialogue: DIALOGUE })
  })
})

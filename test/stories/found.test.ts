import { describe, expect, test } from 'bun:test'
import { sayAndRecord } from '../support/endpoint/endpoint.ts'
import { ofType, playTurn, retryTurn } from '../support/service/events.ts'
import { startWithModel } from '../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

/** A story with stats, and the operations on it. */
async function begin(stat_schema: object) {
  const scenario = (await server.post('/api/scenarios', { prompt: 'The lamp is lit.', stat_schema })).body.id
  const { id } = (await server.post('/api/adventures', { scenario_id: scenario })).body
  const path = `/api/adventures/${id}`
  return {
    turn: async (reply: string, changes: Record<string, unknown> = {}) => {
      endpoint.next(sayAndRecord(reply, changes))
      return (await playTurn(server, id, { type: 'do', text: 'wait' })).find(ofType('done'))
    },
    retry: () => retryTurn(server, id),
    say: (text: string) => playTurn(server, id, { type: 'say', text }),
    rewrite: async (text: string) =>
      server.send('PATCH', `${path}/actions/${(await server.get(path)).body.actions.at(-1).id}`, { text }),
    read: async () => (await server.get(path)).body.actions.map(({ text }: { text: string }) => text),
    undo: () => server.post(`${path}/undo`),
    set: (values: object) => server.send('PUT', `${path}/world-state`, values),
    refresh: async (stat_schema: object) => {
      await server.send('PATCH', `/api/scenarios/${scenario}`, { stat_schema })
      expect((await server.post(`${path}/refresh`)).status).toBe(200)
    },
    state: async () => (await server.get(`${path}/world-state`)).body.state,
    audit: async () => (await server.get(`${path}/audit`)).body,
  }
}

type Story = Awaited<ReturnType<typeof begin>>

describe('found by random stories: the audit finds nothing', () => {
  const cases: [what: string, schema: object, run: (story: Story) => Promise<unknown>][] = [
    [
      'after a manual change after a refresh, before the first turn',
      { player: { hp: { initial: 9 } } },
      async ({ refresh, set }) => {
        await refresh({ player: { hp: { initial: 9, max: 5 } } })
        await set({ 'player.hp': 2 })
      },
    ],
    [
      'after a manual change after a refresh, at a narration',
      { player: { hp: { initial: 9 } } },
      async ({ turn, refresh, set }) => {
        await turn('The sea rises.', { 'player.hp': -1 })
        await refresh({ player: { hp: { initial: 9, max: 5 }, luck: {} } })
        await set({ 'player.hp': 2 })
      },
    ],
    [
      'after an undo after a refresh that did not change the values',
      { player: { hp: { initial: 9 } } },
      async ({ turn, refresh, undo }) => {
        await turn('The sea rises.', { 'player.hp': -5 })
        await refresh({ player: { hp: { initial: 9, max: 5 } } })
        await undo()
      },
    ],
    [
      'with a text of the maximum length, and a longer one',
      { player: { song: { type: 'text', max_length: 2_000 }, note: { type: 'text' } } },
      async ({ turn }) => {
        await turn('She sings.', { 'player.song': 'la'.repeat(1_500) })
        await turn('She writes.', { 'player.note': '🜲'.repeat(600) })
      },
    ],
    [
      'with a manual text that was cut after a word',
      { player: { song: { type: 'text', max_length: 3 } } },
      async ({ turn, set }) => {
        await turn('She sings.')
        await set({ 'player.song': 'la la' })
      },
    ],
    [
      'with a limit that is more precise than any number in a delta',
      { player: { hp: { initial: 0, max: 1 / 3 } } },
      async ({ turn, set }) => {
        await turn('The sea rises.')
        await set({ 'player.hp': 2 })
      },
    ],
  ]
  for (const [what, schema, run] of cases)
    test(what, async () => {
      const story = await begin(schema)
      await run(story)
      expect(await story.audit()).toMatchObject({ ok: true, findings: [] })
    })
})

describe('found by random stories: a lone surrogate', () => {
  test('in a reply is stored the same everywhere', async () => {
    const story = await begin({ player: { song: { type: 'text' } } })
    const done = await story.turn('Half \ud83d.', { 'player.song': 'la \ud800' })
    expect(done?.verdicts).toMatchObject([{ verdict: 'applied', new: 'la \ufffd' }])
    expect(await story.audit()).toMatchObject({ ok: true })
    await story.turn('The sea rises.')
    expect(JSON.stringify(endpoint.requests.at(-1)?.body)).not.toContain('\\\ud83d')
  })
})

test('found by random stories: a value inside its range does not change, however precise it is', async () => {
  const story = await begin({ player: { hp: { initial: -1e-9 } } })
  await story.refresh({ player: { hp: { max: -1e-12 } } })
  expect((await story.state()).player.hp).toBe(-1e-9)
})

test('found by random stories: a retry after a refresh uses values that fit the new schema', async () => {
  const story = await begin({ player: { hp: { initial: 9 } } })
  await story.turn('The sea rises.')
  await story.refresh({ player: { hp: { initial: 9, max: 5 } } })
  await story.retry()
  const prompt = endpoint.requests
    .at(-1)
    ?.body?.messages?.map(({ content }) => content)
    .join('\n')
  expect(prompt).toContain('You: hp 5/5.')
})

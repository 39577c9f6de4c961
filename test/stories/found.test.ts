import { describe, expect, test } from 'bun:test'
import { say } from '../support/endpoint/endpoint.ts'
import { ofType, playTurn, retryTurn } from '../support/service/events.ts'
import { startWithModel } from '../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const block = (body: string) => `\n\n\`\`\`state_delta\n${body}\n\`\`\``

/** A story whose scenario counts something, and what can be done to it. */
async function begin(stat_schema: object) {
  const scenario = (await server.post('/api/scenarios', { prompt: 'The lamp is lit.', stat_schema })).body.id
  const { id } = (await server.post('/api/adventures', { scenario_id: scenario })).body
  const path = `/api/adventures/${id}`
  return {
    turn: async (told: string) => {
      endpoint.next(say(told))
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

describe('found by random stories: the audit is content', () => {
  const cases: [what: string, schema: object, deeds: (story: Story) => Promise<unknown>][] = [
    [
      'with what a player set behind a refresh, before the first turn',
      { player: { hp: { initial: 9 } } },
      async ({ refresh, set }) => {
        await refresh({ player: { hp: { initial: 9, max: 5 } } })
        await set({ 'player.hp': 2 })
      },
    ],
    [
      'with what a player set behind a refresh, at a narration',
      { player: { hp: { initial: 9 } } },
      async ({ turn, refresh, set }) => {
        await turn(`The sea rises.${block('{"player.hp": -1}')}`)
        await refresh({ player: { hp: { initial: 9, max: 5 }, luck: {} } })
        await set({ 'player.hp': 2 })
      },
    ],
    [
      'with an undo behind a refresh that left the live values alone',
      { player: { hp: { initial: 9 } } },
      async ({ turn, refresh, undo }) => {
        await turn(`The sea rises.${block('{"player.hp": -5}')}`)
        await refresh({ player: { hp: { initial: 9, max: 5 } } })
        await undo()
      },
    ],
    [
      'with a text as long as may be, and longer',
      { player: { song: { type: 'text', max_length: 2_000 }, note: { type: 'text' } } },
      async ({ turn }) => {
        await turn(`She sings.${block(JSON.stringify({ 'player.song': 'la'.repeat(1_500) }))}`)
        await turn(`She writes.${block(JSON.stringify({ 'player.note': '🜲'.repeat(600) }))}`)
      },
    ],
    [
      'with a text that a player set and that was cut behind a word',
      { player: { song: { type: 'text', max_length: 3 } } },
      async ({ turn, set }) => {
        await turn('She sings.')
        await set({ 'player.song': 'la la' })
      },
    ],
    [
      'with a bound that is finer than any number that can be asked for',
      { player: { hp: { initial: 0, max: 1 / 3 } } },
      async ({ turn, set }) => {
        await turn('The sea rises.')
        await set({ 'player.hp': 2 })
      },
    ],
  ]
  for (const [what, schema, deeds] of cases)
    test(what, async () => {
      const story = await begin(schema)
      await deeds(story)
      expect(await story.audit()).toMatchObject({ ok: true, findings: [] })
    })
})

describe('found by random stories: half a letter', () => {
  test('in a reply is the same in every place that keeps it', async () => {
    const story = await begin({ player: { song: { type: 'text' } } })
    const done = await story.turn(`Half \ud83d.${block('{"player.song": "la \\ud800"}')}`)
    expect(done?.verdicts).toMatchObject([{ verdict: 'applied', new: 'la \ufffd' }])
    expect(await story.audit()).toMatchObject({ ok: true })
    await story.turn('The sea rises.')
    expect(JSON.stringify(endpoint.requests.at(-1)?.body)).not.toContain('\\\ud83d')
  })
})

describe('found by random stories: a block', () => {
  test('that says in a remark that nothing changed is read, and refused nothing', async () => {
    const story = await begin({ player: { hp: {} } })
    expect((await story.turn(`The sea rises.${block('{\n  // nothing\n}')}`))?.verdicts).toEqual([])
  })
  test('that breaks off behind an empty line goes on, also where a name has an apostrophe', async () => {
    const story = await begin({ flags: { "captain's luck": {} } })
    const done = await story.turn('The sea rises.\n\n```state_delta\n{\n\n"flags.captain\'s luck": true,')
    expect(done?.action.text).toBe('The sea rises.')
    expect((await story.state()).flags).toEqual({ "captain's luck": true })
  })
  test('of its own, whose names have an apostrophe, is not shown', async () => {
    const story = await begin({ flags: { "captain's luck": {} } })
    const done = await story.turn(`The sea rises.\n\n{"flags.captain's luck": true}`)
    expect(done?.action.text).toBe('The sea rises.')
    expect((await story.state()).flags).toEqual({ "captain's luck": true })
  })
})

test('found by random stories: a value inside its range stays as it is, however fine', async () => {
  const story = await begin({ player: { hp: { initial: -1e-9 } } })
  await story.refresh({ player: { hp: { max: -1e-12 } } })
  expect((await story.state()).player.hp).toBe(-1e-9)
})

test('found by random stories: a passage that is told anew behind a refresh is told from what fits the new rules', async () => {
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

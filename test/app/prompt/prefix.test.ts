import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '../../support/depth.ts'
import { sayAndRecord, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'
import { LANTERN_ROCK } from '../../support/stories/worlds.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer()
await server.send('PUT', '/api/settings', {
  endpoint_url: endpoint.url,
  model: 'test-model',
  context_token_budget: 4_000,
  max_output_tokens: 200,
})
const { body: scenario } = await server.post('/api/scenarios', {
  title: 'Lantern Rock',
  prompt: 'The lamp is lit.',
  stat_schema: LANTERN_ROCK,
})
for (const [keys, entry] of [
  ['lamp', 'It must never go out.'],
  ['gull', 'It has one eye.'],
  ['rope', 'It is frayed.'],
])
  await server.post('/api/story-cards', { scenario_id: scenario.id, keys, entry })

const words = fc.constantFrom('lamp', 'gull', 'rope', 'sea', 'wait', 'Ottoline')
const operations = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('play' as const),
        words,
        warmth: fc.integer({ min: -30, max: 9 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('retry' as const, 'undo' as const, 'switch' as const, 'edit' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('hand' as const), warmth: fc.nat(40) }) },
  ),
  { minLength: 3, maxLength: 14 },
)
const sent = () => JSON.stringify(endpoint.requests.at(-1)?.body?.messages).slice(0, -1)

test('after any change, a prompt shares the longest possible prefix with the one before', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (sequence) => {
      const { body: story } = await server.post('/api/adventures', { scenario_id: scenario.id })
      const at = `/api/adventures/${story.id}`
      const newest = async () => (await server.get(at)).body.actions.at(-1)
      let before = null as { prompt: string; told: string } | null
      let isTouched = false
      for (const [turn, operation] of sequence.entries()) {
        const last = await newest()
        if (operation.kind === 'play') {
          const told = `The ${operation.words} again, ${turn}. ${'The sea goes on. '.repeat(20)}`
          endpoint.next(sayAndRecord(told, { 'player.warmth': operation.warmth }))
          await playTurn(server, story.id, { type: 'do', text: operation.words })
          const { epoch } = (await server.get(`${at}/actions/${(await newest()).id}/context`)).body
          // Nothing that was sent or generated has changed, so the new prompt starts with all of it.
          if (before && !isTouched && epoch.reason === 'kept') {
            expect(sent().startsWith(before.prompt)).toBe(true)
            const spoken = JSON.stringify({ role: 'assistant', content: before.told })
            expect(
              sent()
                .slice(before.prompt.length)
                .startsWith(`,${spoken.slice(0, 20)}`),
            ).toBe(true)
          }
          before = { prompt: sent(), told }
          isTouched = false
        } else if (operation.kind === 'retry' && last.type === 'ai') {
          const first = sent()
          endpoint.next(sayAndRecord('Otherwise.', { 'player.warmth': -1 }))
          await retryTurn(server, story.id)
          // The same bytes again, unless something that they were made from has changed.
          if (before && !isTouched && first === before.prompt) expect(sent()).toBe(first)
          before = before && { ...before, prompt: sent() }
        } else if (operation.kind === 'undo' && last.type !== 'start') {
          await server.post(`${at}/undo`)
          isTouched = true
        } else if (operation.kind === 'switch') {
          await server.post(`${at}/actions/${last.id}/variant`, { index: 0 })
        } else if (operation.kind === 'edit' && last.type === 'ai') {
          await server.send('PATCH', `${at}/actions/${last.id}`, { text: 'Edited.' })
        } else if (operation.kind === 'hand') {
          await server.send('PUT', `${at}/world-state`, { 'player.warmth': operation.warmth })
        }
      }
      expect((await server.get(`${at}/audit`)).body).toMatchObject({ ok: true, findings: [] })
    }),
    { numRuns: runs(60) },
  )
})

test('a prompt rebuilt from stored data is laid out as it was sent', async () => {
  const { body: story } = await server.post('/api/adventures', { scenario_id: scenario.id })
  for (let turn = 0; turn < 12; turn++) {
    endpoint.next(sayAndRecord(`Turn ${turn}. ${'The rope creaks. '.repeat(30)}`, { 'player.warmth': -1 }))
    const next = (await server.get(`/api/adventures/${story.id}/context`)).body.messages
    await playTurn(server, story.id, { type: 'continue' })
    const messages = endpoint.requests.at(-1)?.body?.messages
    expect(messages).toEqual(
      next.map(({ role, text }: { role: string; text: string }) => ({ role, content: text })),
    )
  }
  const { actions } = (await server.get(`/api/adventures/${story.id}`)).body
  const context = (await server.get(`/api/adventures/${story.id}/actions/${actions.at(-1).id}/context`)).body
  expect(
    context.messages.map(({ role, text }: { role: string; text: string }) => ({ role, content: text })),
  ).toEqual(endpoint.requests.at(-1)?.body?.messages ?? [])
})

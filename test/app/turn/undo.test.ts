import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { runs } from '../../support/depth.ts'
import { say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer({ idleDelay: 0 })
// A separate summary model sees only the passages, so that the test knows what it may mention.
await server.send('PUT', '/api/settings', {
  endpoint_url: endpoint.url,
  model: 'teller',
  summary_model: 'noter',
  context_token_budget: 1_200,
  max_output_tokens: 60,
  memory_top_k: 5,
})

let planted = 0
/** Prose with one unique word, and others that make it worth recalling. */
const sentence = () =>
  `The keeper climbs to the lantern with planted${++planted} oil, ${planted}mark and ${planted}sign. ${'The sea goes on. '.repeat(12)}`
/** Asks for what a passage planted, without naming it. */
const question = (passage: { text: string } | undefined) =>
  `Where are ${passage?.text
    .match(/\d+(mark|sign)/g)
    ?.slice(0, 2)
    .join(' and ')}?`
const wordsIn = (text: string): string[] => text.match(/planted\d+/g) ?? []

/** The story model writes something new; the summary model repeats every planted word that it was shown. */
endpoint.byDefault((exchange) => {
  const { model, messages } = exchange.request.body ?? {}
  if (model === 'teller') return say(sentence())(exchange)
  const shown = wordsIn((messages ?? []).map(({ content }) => content).join('\n'))
  return say(`The keeper climbs to the lantern with oil: ${[...new Set(shown)].join(' ')}.`)(exchange)
})

/** Few enough to fit on one page of a story. */
const operations = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('play' as const), at: fc.nat() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('retry' as const, 'undo' as const, 'switch' as const, 'edit' as const),
        at: fc.nat(),
      }),
    },
  ),
  { minLength: 20, maxLength: 28 },
)

test('a word that was undone, retried or edited away is in no later prompt, memory or summary', async () => {
  const seen = { recalled: 0, quoted: 0, summaries: 0, memories: 0 }
  await fc.assert(
    fc.asyncProperty(operations, async (course) => {
      const { body: story } = await server.post('/api/adventures', { title: 'The lamp' })
      const path = `/api/adventures/${story.id}`
      const everything = async () => (await server.get(path)).body
      for (const { kind, at } of course) {
        const { actions } = await everything()
        const before = endpoint.requests.length
        const newest = actions.at(-1)
        const told = actions.filter(({ type }: { type: string }) => type === 'ai')
        if (kind === 'play' || actions.length < 4)
          await playTurn(server, story.id, {
            type: 'do',
            text: `${sentence()} ${question(actions[1 + (at % 4)])}`,
          })
        else if (kind === 'retry' && newest.type === 'ai') await retryTurn(server, story.id)
        else if (kind === 'undo') await server.post(`${path}/undo`)
        else if (kind === 'switch')
          await server.post(`${path}/actions/${newest.id}/variant`, {
            index: at % Math.max(1, newest.variant_count),
          })
        else if (kind === 'edit')
          await server.send('PATCH', `${path}/actions/${told[at % told.length]?.id}`, { text: sentence() })
        const prompt = endpoint.requests.slice(before).find(({ body }) => body?.model === 'teller')
        server.deps.idle.wake(story.id)
        await server.deps.idle.ended()
        const now = await everything()
        // A retried passage is not in its own prompt, so a prompt may contain only what is in the story now.
        const living = new Set(now.actions.flatMap(({ text }: { text: string }) => wordsIn(text)))
        const memories = (await server.get(`${path}/memories`)).body
        const sources: Record<string, string> = {
          prompt: (prompt?.body?.messages ?? []).map(({ content }) => content).join('\n'),
          summary: now.story_summary,
          memories: memories.map(({ text }: { text: string }) => text).join('\n'),
        }
        for (const [source, text] of Object.entries(sources))
          expect([source, kind, wordsIn(text).filter((word) => !living.has(word))]).toEqual([
            source,
            kind,
            [],
          ])
        seen.memories += memories.length
        seen.summaries += now.story_summary === '' ? 0 : 1
        seen.quoted += /Earlier, passage/.test(sources.prompt ?? '') ? 1 : 0
        seen.recalled += /Earlier in the story/.test(sources.prompt ?? '') ? 1 : 0
      }
    }),
    { numRuns: runs(24), endOnFailure: true },
  )
  // The stories became long enough for all of them.
  expect(Object.values(seen).every((times) => times > 0)).toBe(true)
})

import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { learnedFacts, type ModelFacts, UNKNOWN_MODEL } from '../../../src/domain/prompt/model-facts.ts'
import { formatNumber } from '../../../src/views/ui/format-number.ts'
import {
  json,
  type RecordedBody,
  type Step,
  say,
  silent,
  startEndpoint,
  status,
} from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer({ idleDelay: 0 })
let models = 0

/** A story with a model of its own, whose server was just probed. */
async function begin(): Promise<number> {
  await server.send('PUT', '/api/settings', {
    endpoint_url: endpoint.url,
    model: `model-${models++}`,
    context_token_budget: 16_384,
  })
  await server.deps.idle.ended()
  return (await server.post('/api/adventures', { title: 'Long' })).body.id
}
const tokens = async (id: number) => (await server.get(`/api/adventures/${id}/context`)).body.tokens
const long = 'The road goes on and on. '.repeat(400)

describe('the real context window of a model', () => {
  const cases: [server: string, path: string, page: (model: string) => unknown][] = [
    ['llama.cpp', '/props', () => ({ default_generation_settings: { n_ctx: 6_144 } })],
    ['KoboldCpp', '/api/extra/true_max_context_length', () => ({ value: 6_144 })],
    ['Ollama', '/api/ps', (model) => ({ models: [{ name: `${model}:latest`, context_length: 6_144 }] })],
    [
      'LM Studio',
      '/api/v1/models',
      (model) => ({
        models: [
          {
            key: model,
            max_context_length: 131_072,
            loaded_instances: [{ config: { context_length: 6_144 } }],
          },
        ],
      }),
    ],
    ['TabbyAPI', '/v1/model', () => ({ parameters: { max_seq_len: 6_144 } })],
    ['vLLM', '/v1/models', (model) => ({ data: [{ id: model, max_model_len: 6_144 }] })],
  ]
  for (const [name, path, page] of cases)
    test(`is read from ${name} and limits the prompt`, async () => {
      const unasked = await begin()
      expect(await tokens(unasked)).toMatchObject({ budget: 16_384, window: null, method: 'estimate' })
      endpoint.pages.set(path, page(`model-${models}`))
      const id = await begin()
      endpoint.pages.delete(path)
      expect(await (await server.ask('/settings')).text()).toContain('This model’s context is 6,144 tokens')
      expect(await tokens(id)).toMatchObject({
        budget: 6_144,
        window: 6_144,
        window_from: path.replace(/^.v1/, ''),
      })
    })
})

describe('a server that counts tokens', () => {
  const COUNTING = '/v1/chat/completions/input_tokens'
  /** A tokenizer that needs far more tokens than we estimate: two characters each. */
  const countOf = (body: RecordedBody | null) =>
    Math.ceil((body?.messages ?? []).reduce((sum, { content }) => sum + content.length, 0) / 2)
  const counts: Step = async (exchange) => {
    await json(200, { input_tokens: countOf(exchange.request.body) })(exchange)
  }

  async function beginAtLlama(): Promise<number> {
    endpoint.pages.set('/props', { default_generation_settings: { n_ctx: 6_144 } })
    const id = await begin()
    endpoint.byDefault(say(long.slice(0, 900)))
    endpoint.requests.splice(0)
    return id
  }
  afterEach(() => {
    endpoint.pages.clear()
    endpoint.routes.clear()
    endpoint.byDefault(say('The fire crackles. You wait.'))
  })

  test('is asked, so that no prompt is ever too long for the model', async () => {
    endpoint.routes.set(COUNTING, counts)
    const id = await beginAtLlama()
    for (let turn = 0; turn < 24; turn++) await playTurn(server, id, { type: 'continue' })
    const turns = endpoint.requests.filter(({ body }) => body?.max_tokens === 800)
    const sent = turns.map(({ body }) => countOf(body))
    expect(sent).toHaveLength(24)
    expect(Math.max(...sent)).toBeWithin(3_000, 6_144 - 800 + 1)
    const { actions } = (await server.get(`/api/adventures/${id}`)).body
    const past = (await server.get(`/api/adventures/${id}/actions/${actions.at(-1).id}/context`)).body
    expect(past.tokens).toMatchObject({ method: 'exact', total: sent.at(-1), limit: 6_144 - 800 - 64 })
  })

  test('that is too slow or gone does not delay the turn', async () => {
    for (const step of [silent, status(500, 'no'), json(200, { input_tokens: 'many' })]) {
      endpoint.routes.set(COUNTING, step)
      const id = await beginAtLlama()
      expect((await playTurn(server, id, { type: 'continue' })).at(-1)?.type).toBe('done')
      const { actions } = (await server.get(`/api/adventures/${id}`)).body
      const past = (await server.get(`/api/adventures/${id}/actions/${actions.at(-1).id}/context`)).body
      expect(past.tokens.method).toBe('estimate')
    }
  })
})

describe('the token factor of a model', () => {
  test('is learned from the tokens that the server reports', async () => {
    const id = await begin()
    const { plain } = await tokens(id)
    const details = { prompt_tokens_details: { cached_tokens: 700 } }
    endpoint.next(
      say('Rain.', { usage: { prompt_tokens: Math.round(plain * 0.8), completion_tokens: 2, ...details } }),
    )
    await playTurn(server, id, { type: 'continue' })
    const after = await tokens(id)
    expect(after.method).toBe('calibrated')
    expect(after.total / after.plain).toBeCloseTo(0.8, 1)
    expect(after.limit).toBeWithin(14_000, 16_384)
    const { actions } = (await server.get(`/api/adventures/${id}`)).body
    const { usage, timings } = (
      await server.get(`/api/adventures/${id}/actions/${actions.at(-1).id}/context`)
    ).body
    expect(usage).toEqual({
      prompt_tokens: Math.round(plain * 0.8),
      cached_tokens: 700,
      completion_tokens: 2,
    })
    expect(timings.total).toBeGreaterThanOrEqual(timings.first)
    const page = await (await server.ask(`/adventures/${id}/insights?turn=${actions.at(-1).id}`)).text()
    expect(page).toContain(
      `only ${formatNumber(usage.prompt_tokens - 700)} of ${formatNumber(usage.prompt_tokens)} tokens are new`,
    )
  })

  test('shows within one turn that a server cuts off prompts, and shorter ones are sent', async () => {
    const id = await begin()
    for (let turn = 0; turn < 3; turn++) {
      endpoint.next(say(long))
      await playTurn(server, id, { type: 'continue' })
    }
    endpoint.next(say('Rain.', { usage: { prompt_tokens: 2_048, completion_tokens: 2 } }))
    const done = (await playTurn(server, id, { type: 'continue' })).find(ofType('done'))
    expect(done?.notice).toMatch(/read only 2048 of about \d+ tokens/)
    expect(await tokens(id)).toMatchObject({ window: 2_848, window_from: 'clipped' })
    expect((await tokens(id)).total).toBeLessThanOrEqual(2_048)
  })

  test('is no sign of a cut where the server reports a large enough window, or counts only new tokens', () => {
    const counts: [says: string, told: Partial<ModelFacts>, counted: number, clipped: boolean][] = [
      ['half the window is kept', { samples: 3 }, 2_050, true],
      ['the whole of a small window is kept', { samples: 0 }, 2_000, true],
      ['it tells a window with room', { samples: 3, window: 16_384, window_from: '/props' }, 2_050, false],
      ['it tells one that is too small', { samples: 3, window: 4_096, window_from: '/api/ps' }, 2_050, true],
      ['an older cut is no word of its own', { window: 16_384, window_from: 'clipped' }, 2_050, true],
      ['only what it read anew', { samples: 3 }, 350, false],
    ]
    for (const [says, told, counted, clipped] of counts) {
      const found = learnedFacts({ ...UNKNOWN_MODEL, ...told }, 6_000, counted, 800)
      expect([says, found.clipped]).toEqual([says, clipped])
      if (!clipped) expect(found.facts).toEqual({ ...UNKNOWN_MODEL, ...told })
    }
  })
})

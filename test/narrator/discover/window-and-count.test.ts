import { describe, expect, test } from 'bun:test'
import type { Message } from '../../../src/domain/model/model-request.ts'
import { PER_MESSAGE } from '../../../src/domain/prompt/tokens.ts'
import { createNarrator } from '../../../src/narrator/client.ts'
import { SERVERS, serverOf } from '../../../src/narrator/servers/servers.ts'
import { page, plain, startRecorded } from '../../support/endpoint/recorded.ts'
import { TRANSCRIPTS } from '../servers/all.ts'
import { llamaCpp } from '../servers/llama-cpp.ts'
import { vllm } from '../servers/vllm.ts'

const narrator = createNarrator()
const signal = new AbortController().signal
const PROMPT: Message[] = [
  { role: 'system', text: 'You tell of a lighthouse.' },
  { role: 'user', text: 'I climb the stairs.' },
]
const NOWHERE = plain('Not Found', 404)
/** llama-swap has a page for each model. */
const withoutQuery = (asked: string) => asked.split('?')[0] ?? ''

describe('the context window of a model', () => {
  for (const { kind, pages, elsewhere, model, window } of TRANSCRIPTS) {
    test(`is read from ${kind}, from its own pages only`, async () => {
      await using server = await startRecorded({ pages, elsewhere })
      const found = await narrator.findWindow(
        { url: server.url, read_timeout_seconds: 10, server: kind },
        model,
        signal,
      )
      expect(found?.tokens ?? null).toBe(window)
      const own = (serverOf(kind).windowPages ?? []).map(
        ({ path, atRoot }) => `GET ${atRoot ? '' : '/v1'}${path}`,
      )
      expect(server.requests.filter((asked) => !own.includes(withoutQuery(asked)))).toEqual([])
    })

    test(`is found on ${kind} before it is recognised`, async () => {
      await using server = await startRecorded({ pages, elsewhere })
      const found = await narrator.findWindow({ url: server.url, read_timeout_seconds: 10 }, model, signal)
      expect(found?.tokens ?? null).toBe(window)
      expect(new Set(server.requests).size).toBe(server.requests.length)
    })
  }

  test('of an unknown server is looked for on every page', async () => {
    await using server = await startRecorded({ pages: {}, elsewhere: NOWHERE })
    expect(await narrator.findWindow({ url: server.url, read_timeout_seconds: 10 }, 'a', signal)).toBeNull()
    const all = SERVERS.flatMap(({ windowPages = [] }) => windowPages).map(
      ({ path, atRoot }) => `GET ${atRoot ? '' : '/v1'}${path}`,
    )
    expect([...new Set(server.requests.map(withoutQuery))].sort()).toEqual([...new Set(all)].sort())
  })

  test.each([
    ['the maximum of the model', { data: [{ id: 'a', meta: { n_ctx_train: 131_072 } }] }],
    ['an invalid number', { data: [{ id: 'a', meta: { n_ctx: -1 } }] }],
    ['a text', { data: [{ id: 'a', meta: { n_ctx: '8192' } }] }],
    ['another model', { data: [{ id: 'b', meta: { n_ctx: 8_192 } }] }],
  ])('is not %s', async (_name, models) => {
    await using server = await startRecorded({
      pages: { 'GET /v1/models': page(models) },
      elsewhere: NOWHERE,
    })
    const endpoint = { url: server.url, read_timeout_seconds: 10, server: 'llama-cpp' } as const
    expect(await narrator.findWindow(endpoint, 'a', signal)).toBeNull()
  })

  test('is not read from an error response', async () => {
    const refused = page({ default_generation_settings: { n_ctx: 8_192 } }, 401)
    await using server = await startRecorded({ pages: { 'GET /props': refused }, elsewhere: NOWHERE })
    const endpoint = { url: server.url, read_timeout_seconds: 10, server: 'llama-cpp' } as const
    expect(await narrator.findWindow(endpoint, 'a', signal)).toBeNull()
  })
})

describe('a prompt is counted', () => {
  for (const { kind, pages, elsewhere, model, counted } of TRANSCRIPTS)
    test(`by ${kind}${counted === null ? ' not' : ''}`, async () => {
      await using server = await startRecorded({ pages, elsewhere })
      const patient = createNarrator({ countTimeout: 5 })
      const endpoint = { url: server.url, read_timeout_seconds: 10, server: kind }
      expect(await patient.countTokens(endpoint, model, PROMPT, signal)).toBe(counted)
      expect(server.requests.length).toBe(counted === null ? 0 : 1)
    })

  const patient = createNarrator({ countTimeout: 5 })

  test('by another route if the best is missing, which is then not tried again', async () => {
    const { 'POST /v1/chat/completions/input_tokens': _gone, ...pages } = llamaCpp.pages
    await using server = await startRecorded({ pages, elsewhere: llamaCpp.elsewhere })
    await using other = await startRecorded(llamaCpp)
    const endpointAt = (url: string) => ({ url, read_timeout_seconds: 10, server: 'llama-cpp' }) as const
    for (let turn = 0; turn < 3; turn++)
      expect(await patient.countTokens(endpointAt(server.url), 'a', PROMPT, signal)).toBe(
        30 + 2 * PER_MESSAGE,
      )
    expect(server.requests).toEqual([
      'POST /v1/chat/completions/input_tokens',
      'POST /tokenize',
      'POST /tokenize',
      'POST /tokenize',
    ])
    expect(await patient.countTokens(endpointAt(other.url), 'a', PROMPT, signal)).toBe(42)
  })

  test.each([
    ['an error', page({ error: { message: 'no' } }, 500)],
    ['no number', page({ count: '42' })],
    ['nothing', page({ count: 0 })],
    ['garbage', plain('}{')],
    ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
  ])('not by %s, and the route is tried again', async (_name, reply) => {
    await using server = await startRecorded({ pages: { 'POST /tokenize': reply }, elsewhere: NOWHERE })
    const endpoint = { url: server.url, read_timeout_seconds: 10, server: 'vllm' } as const
    expect(await patient.countTokens(endpoint, 'a', PROMPT, signal)).toBeNull()
    server.pages.set('POST /tokenize', vllm.pages['POST /tokenize'] ?? NOWHERE)
    expect(await patient.countTokens(endpoint, 'a', PROMPT, signal)).toBe(42)
  })

  test('not by a silent server, which times out quickly', async () => {
    await using server = await startRecorded({ pages: {}, elsewhere: null })
    const endpoint = { url: server.url, read_timeout_seconds: 3_600, server: 'llama-cpp' } as const
    expect(await createNarrator({ countTimeout: 0.02 }).countTokens(endpoint, 'a', PROMPT, signal)).toBeNull()
  })

  test('not at a refused address, or after an abort', async () => {
    const far = { url: 'http://8.8.8.8/v1', read_timeout_seconds: 10, server: 'vllm' } as const
    expect(await patient.countTokens(far, 'a', PROMPT, signal)).toBeNull()
    const reason = new Error('the player has left')
    const near = { ...far, url: 'http://127.0.0.1:1/v1' }
    const aborted = patient.countTokens(near, 'a', PROMPT, AbortSignal.abort(reason))
    expect(await aborted.catch((error: unknown) => error)).toBe(reason)
  })
})

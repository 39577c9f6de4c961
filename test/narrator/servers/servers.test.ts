import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ModelRequest } from '../../../src/domain/model/model-request.ts'
import { keyAdvice } from '../../../src/narrator/error-sentences.ts'
import { readReply } from '../../../src/narrator/reply/read-reply.ts'
import { buildRequest } from '../../../src/narrator/request/build-request.ts'
import { SERVERS, serverOf, unknown } from '../../../src/narrator/servers/servers.ts'
import { collect, REQUEST } from '../reply/collect.ts'
import { TRANSCRIPTS } from './all.ts'

const ALL_SET: ModelRequest = {
  ...REQUEST,
  sampling: { top_p: 0.9, min_p: 0.05, repeat_penalty: 1.1, dry_multiplier: 0.8, xtc_probability: 0.5 },
  reasoning_effort: 'low',
  reasoning_max_tokens: 500,
  window: 8_192,
  num_ctx: 8_192,
  stop: ['\n> You'],
}
const NONE_SET: ModelRequest = {
  ...REQUEST,
  sampling: { top_p: null, min_p: null, repeat_penalty: null, dry_multiplier: null, xtc_probability: null },
  reasoning_effort: null,
}
const USAGE = { stream_options: { include_usage: true } }
const DRY = { dry_multiplier: 0.8, dry_base: 1.75, dry_allowed_length: 2 }
const RANGES = { repeat_last_n: 8_192, dry_penalty_last_n: 8_192 }
const XTC = { xtc_probability: 0.5, xtc_threshold: 0.1 }
const STOP = { stop: ['\n> You'] }
const LLAMA = {
  ...USAGE,
  ...RANGES,
  ...STOP,
  ...DRY,
  ...XTC,
  cache_prompt: true,
  return_progress: true,
  top_p: 0.9,
  min_p: 0.05,
  repeat_penalty: 1.1,
  reasoning_effort: 'low',
  thinking_budget_tokens: 500,
  reasoning_budget_tokens: 500,
}
const NO_THINKING = { chat_template_kwargs: { enable_thinking: false } }

describe('request fields beyond the common ones', () => {
  test.each([
    ['ollama', { ...USAGE, ...STOP, top_p: 0.9, reasoning_effort: 'low' }],
    [
      'lm-studio',
      { ...USAGE, ...STOP, ttl: 3_600, top_p: 0.9, repeat_penalty: 1.1, reasoning_effort: 'low' },
    ],
    ['llama-cpp', LLAMA],
    ['inglenook-engine', LLAMA],
    ['jan', LLAMA],
    ['llama-swap', LLAMA],
    [
      'koboldcpp',
      {
        ...USAGE,
        ...STOP,
        ...DRY,
        ...XTC,
        top_p: 0.9,
        min_p: 0.05,
        rep_pen: 1.1,
        rep_pen_range: 8_192,
        dry_penalty_last_n: 8_192,
        reasoning_effort: 'low',
      },
    ],
    [
      'vllm',
      { ...USAGE, ...STOP, top_p: 0.9, min_p: 0.05, repetition_penalty: 1.1, reasoning_effort: 'low' },
    ],
    [
      'text-generation-webui',
      {
        ...USAGE,
        ...STOP,
        ...DRY,
        ...XTC,
        top_p: 0.9,
        min_p: 0.05,
        repetition_penalty: 1.1,
        repetition_penalty_range: 8_192,
        reasoning_effort: 'low',
      },
    ],
    [
      'tabbyapi',
      {
        ...USAGE,
        ...STOP,
        ...DRY,
        ...XTC,
        top_p: 0.9,
        min_p: 0.05,
        repetition_penalty: 1.1,
        penalty_range: 8_192,
        dry_range: 8_192,
        reasoning_effort: 'low',
        reasoning: { max_tokens: 500 },
      },
    ],
    ['localai', { ...USAGE, ...STOP, top_p: 0.9, repeat_penalty: 1.1, reasoning_effort: 'low' }],
    ['gpt4all', { top_p: 0.9, min_p: 0.05 }],
    ['llamafile', { ...USAGE, ...STOP, top_p: 0.9 }],
    ['unknown', {}],
  ] as const)('%s', (kind, fields) => {
    expect(serverOf(kind).fields(ALL_SET)).toEqual(fields)
  })

  test('repetition counts over the whole window, also in Ollama’s native API', () => {
    const sampling = { ...NONE_SET.sampling, repeat_penalty: 1.1 } as ModelRequest['sampling']
    const own = (window?: number) =>
      serverOf('llama-cpp').fields({ ...NONE_SET, sampling, ...(window && { window }) } as ModelRequest)
    expect(own(4_096)).toMatchObject({ repeat_last_n: 4_096 })
    expect(Object.keys(serverOf('llama-cpp').fields(NONE_SET))).not.toContain('repeat_last_n')
    const native = buildRequest(
      { ...NONE_SET, ...(sampling && { sampling }), num_ctx: 8_192 },
      true,
      serverOf('ollama'),
    )
    expect(JSON.parse(native.body ?? '').options).toMatchObject({ repeat_penalty: 1.1, repeat_last_n: 8_192 })
  })

  test('without any settings', () => {
    const result = SERVERS.map(({ kind, fields }) => [kind, Object.keys(fields(NONE_SET))])
    expect(Object.fromEntries(result)).toEqual({
      'inglenook-engine': ['stream_options', 'cache_prompt', 'return_progress'],
      tabbyapi: ['stream_options'],
      koboldcpp: ['stream_options'],
      localai: ['stream_options'],
      ollama: ['stream_options'],
      'lm-studio': ['stream_options', 'ttl'],
      jan: ['stream_options', 'cache_prompt', 'return_progress'],
      llamafile: ['stream_options'],
      'llama-swap': ['stream_options', 'cache_prompt', 'return_progress'],
      'llama-cpp': ['stream_options', 'cache_prompt', 'return_progress'],
      'text-generation-webui': ['stream_options'],
      vllm: ['stream_options'],
      gpt4all: [],
    })
  })

  test.each([
    ['ollama', { reasoning_effort: 'none' }],
    ['lm-studio', { reasoning_effort: 'none' }],
    ['llama-cpp', { reasoning_effort: 'none', ...NO_THINKING }],
    ['inglenook-engine', { reasoning_effort: 'none', ...NO_THINKING }],
    ['jan', { reasoning_effort: 'none', ...NO_THINKING }],
    ['llama-swap', { reasoning_effort: 'none', ...NO_THINKING }],
    ['koboldcpp', { reasoning_effort: 'none' }],
    ['vllm', NO_THINKING],
    ['text-generation-webui', { enable_thinking: false }],
    ['tabbyapi', NO_THINKING],
    ['localai', { reasoning_effort: 'none' }],
    ['gpt4all', {}],
    ['llamafile', {}],
    ['unknown', {}],
  ] as const)('reasoning is turned off for %s', (kind, fields) => {
    const { fields: fieldsOf } = serverOf(kind)
    const silent = fieldsOf(NONE_SET)
    expect(fieldsOf({ ...NONE_SET, reasoning_max_tokens: -1, reasoning_effort: 'high' })).toEqual({
      ...silent,
      ...fields,
    })
    expect(fieldsOf({ ...NONE_SET, reasoning_max_tokens: -1, api_mode: 'completion' })).toEqual(silent)
  })

  const part = fc.option(fc.double({ min: 0, max: 5, noNaN: true }), { nil: null })
  const anyRequest: fc.Arbitrary<ModelRequest> = fc.record({
    model: fc.string(),
    api_mode: fc.constantFrom('chat', 'completion'),
    messages: fc.constant(REQUEST.messages),
    temperature: fc.double({ min: 0, max: 5, noNaN: true }),
    max_output_tokens: fc.integer({ min: 1, max: 1_000 }),
    reasoning_max_tokens: fc.integer({ min: -1, max: 1_000 }),
    sampling: fc.record({
      top_p: part,
      min_p: part,
      repeat_penalty: part,
      dry_multiplier: part,
      xtc_probability: part,
    }),
    reasoning_effort: fc.constantFrom(null, 'low', 'medium', 'high'),
    num_ctx: fc.option(fc.integer({ min: 512, max: 100_000 }), { nil: null }),
    stop: fc.array(fc.string()),
    schema: fc.constant({ type: 'object' }),
  })

  test('are never the common ones, and never null', () => {
    const common = ['model', 'messages', 'prompt', 'temperature', 'max_tokens', 'stream']
    fc.assert(
      fc.property(anyRequest, (any) => {
        for (const { fields, schemaFields } of [...SERVERS, unknown]) {
          const result = { ...fields(any), ...schemaFields?.({}) }
          expect(Object.keys(result).filter((name) => common.includes(name))).toEqual([])
          expect(Object.values(result).filter((value) => value === null || value === undefined)).toEqual([])
        }
        expect(unknown.fields(any)).toEqual({})
      }),
    )
  })
})

describe('a response schema is sent', () => {
  const schema = { type: 'object', properties: { hp: { type: 'integer' } } }
  const nested = { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } } }
  test.each([
    ['ollama', nested],
    ['lm-studio', nested],
    ['llama-cpp', { ...nested, reasoning_effort: 'none', ...NO_THINKING }],
    ['jan', { ...nested, reasoning_effort: 'none', ...NO_THINKING }],
    ['llama-swap', { ...nested, reasoning_effort: 'none', ...NO_THINKING }],
    ['koboldcpp', { ...nested, json_schema: schema }],
    ['vllm', nested],
    ['text-generation-webui', null],
    ['tabbyapi', { ...nested, json_schema: schema }],
    ['localai', nested],
    ['gpt4all', null],
    ['llamafile', { response_format: { type: 'json_object', schema } }],
    ['unknown', null],
  ] as const)('to %s', (kind, fields) => {
    expect(serverOf(kind).schemaFields?.(schema) ?? null).toEqual(fields)
  })
})

test('every server is listed once, with its own name', () => {
  expect(new Set(SERVERS.map(({ kind }) => kind)).size).toBe(SERVERS.length)
  expect(new Set(SERVERS.map(({ name }) => name)).size).toBe(SERVERS.length)
  for (const { kind, ports, fingerprints, largerWindow } of SERVERS) {
    expect(serverOf(kind).kind).toBe(kind)
    // The engine is at our own port.
    expect(ports.length > 0).toBe(kind !== 'inglenook-engine')
    expect(fingerprints.length).toBeGreaterThan(0)
    expect(largerWindow).toMatch(/^[a-z].*[^.]$/)
  }
  expect(serverOf()).toBe(unknown)
})

test('only KoboldCpp needs a request to abort a reply', () => {
  const result = SERVERS.filter(({ abort }) => abort !== undefined)
  expect(result.map(({ kind, abort }) => [kind, abort])).toEqual([
    ['koboldcpp', { method: 'POST', path: '/api/extra/abort', body: '{}', atRoot: true }],
  ])
})

describe('the advice about a key', () => {
  test.each([
    ['{"detail":"Please provide an API key"}', 'TabbyAPI', 'set disable_auth: true in its config.yml'],
    ['An LM Studio API token is required', 'LM Studio', 'turn off "Require Authentication"'],
    ['{"detail":"Authentication key is missing or invalid"}', 'KoboldCpp', 'start it without --password'],
    [
      '{"error":{"message":"An authentication key is required"}}',
      'LocalAI',
      'start it without LOCALAI_API_KEY',
    ],
    ['Jan says no', 'Jan', 'clear the API key'],
    ['vLLM', 'vLLM', 'start it without --api-key and VLLM_API_KEY'],
    ['{"error":{"type":"authentication_error"}}', 'llama.cpp', 'start it without --api-key'],
    ['oobabooga', 'text-generation-webui', 'start it without --api-key'],
    ['Ollama', 'Ollama', 'remove the proxy'],
  ])('%s', (response, name, remedy) => {
    expect(keyAdvice(response)).toStartWith(
      `Inglenook does not store keys. This looks like ${name}: ${remedy}`,
    )
  })

  test('names the most common servers for an unknown one', () => {
    expect(keyAdvice('no')).toMatch(
      /^Inglenook does not store keys, so turn the key off.*TabbyAPI: .*LM Studio: .*KoboldCpp: .*llama.cpp or vLLM/,
    )
  })
})

describe('a recorded reply gives the same result wherever its bytes are split', () => {
  async function* inTwo(bytes: Uint8Array, position: number): AsyncGenerator<Uint8Array> {
    yield bytes.slice(0, position)
    yield bytes.slice(position)
  }
  async function cutEverywhere(body: string) {
    const bytes = new TextEncoder().encode(body)
    const whole = await collect(readReply(inTwo(bytes, bytes.length)))
    for (let position = 0; position < bytes.length; position++) {
      const { parts, error } = await collect(readReply(inTwo(bytes, position)))
      if (JSON.stringify(parts) !== JSON.stringify(whole.parts) || String(error) !== String(whole.error))
        expect({ position, parts, error: String(error) }).toEqual({
          position,
          parts: whole.parts,
          error: String(whole.error),
        })
    }
    return whole
  }

  for (const { kind, stream, thinking, error, loading } of TRANSCRIPTS) {
    test(`${kind}: a reply`, async () => {
      const { body, ...heard } = stream
      expect(await cutEverywhere(body)).toMatchObject({ ...heard, error: null })
    })
    if (thinking)
      test(`${kind}: a reply with reasoning`, async () => {
        const { body, ...heard } = thinking
        expect(await cutEverywhere(body)).toMatchObject({ ...heard, error: null })
      })
    test(`${kind}: an error, whatever its status`, async () => {
      const { error: result, text } = await cutEverywhere(error.body)
      expect(text).toBe('')
      expect(String(result)).toContain(error.words)
    })
    if (loading)
      test(`${kind}: the response of a loading server`, async () => {
        expect((await cutEverywhere(loading.body)).text).toBe('')
      })
  }
})

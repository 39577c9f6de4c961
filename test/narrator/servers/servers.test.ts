import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Telling } from '../../../src/domain/model/model-request.ts'
import { keyAdvice } from '../../../src/narrator/key-advice.ts'
import { SERVERS, serverOf } from '../../../src/narrator/servers/servers.ts'
import { unknown } from '../../../src/narrator/servers/unknown.ts'
import { readPieces } from '../../../src/narrator/stream.ts'
import { TRANSCRIPTS } from './all.ts'
import { collect, TELLING } from '../told.ts'

const ALL_SET: Telling = {
  ...TELLING,
  sampling: { top_p: 0.9, min_p: 0.05, repeat_penalty: 1.1, dry_multiplier: 0.8, xtc_probability: 0.5 },
  reasoning_effort: 'low',
  reasoning_max_tokens: 500,
  num_ctx: 8_192,
  stop: ['\n> You'],
}
const NONE_SET: Telling = {
  ...TELLING,
  sampling: { top_p: null, min_p: null, repeat_penalty: null, dry_multiplier: null, xtc_probability: null },
  reasoning_effort: null,
}
const USAGE = { stream_options: { include_usage: true } }
const DRY = { dry_multiplier: 0.8, dry_base: 1.75, dry_allowed_length: 2 }
const XTC = { xtc_probability: 0.5, xtc_threshold: 0.1 }
const STOP = { stop: ['\n> You'] }
const LLAMA = {
  ...USAGE,
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

describe('what a server is told beyond the common fields', () => {
  test.each([
    ['ollama', { ...USAGE, ...STOP, top_p: 0.9, reasoning_effort: 'low' }],
    [
      'lm-studio',
      { ...USAGE, ...STOP, ttl: 3_600, top_p: 0.9, repeat_penalty: 1.1, reasoning_effort: 'low' },
    ],
    ['llama-cpp', LLAMA],
    ['jan', LLAMA],
    [
      'koboldcpp',
      { ...USAGE, ...STOP, ...DRY, ...XTC, top_p: 0.9, min_p: 0.05, rep_pen: 1.1, reasoning_effort: 'low' },
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

  test('is only how it should answer while the player has set nothing', () => {
    const told = SERVERS.map(({ kind, fields }) => [kind, Object.keys(fields(NONE_SET))])
    expect(Object.fromEntries(told)).toEqual({
      tabbyapi: ['stream_options'],
      koboldcpp: ['stream_options'],
      localai: ['stream_options'],
      ollama: ['stream_options'],
      'lm-studio': ['stream_options', 'ttl'],
      jan: ['stream_options', 'cache_prompt', 'return_progress'],
      llamafile: ['stream_options'],
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
    ['jan', { reasoning_effort: 'none', ...NO_THINKING }],
    ['koboldcpp', { reasoning_effort: 'none' }],
    ['vllm', NO_THINKING],
    ['text-generation-webui', { enable_thinking: false }],
    ['tabbyapi', NO_THINKING],
    ['localai', { reasoning_effort: 'none' }],
    ['gpt4all', {}],
    ['llamafile', {}],
    ['unknown', {}],
  ] as const)('%s is asked for no thinking', (kind, fields) => {
    const { fields: fieldsOf } = serverOf(kind)
    const silent = fieldsOf(NONE_SET)
    expect(fieldsOf({ ...NONE_SET, reasoning_max_tokens: -1, reasoning_effort: 'high' })).toEqual({
      ...silent,
      ...fields,
    })
    expect(fieldsOf({ ...NONE_SET, reasoning_max_tokens: -1, api_mode: 'completion' })).toEqual(silent)
  })

  const part = fc.option(fc.double({ min: 0, max: 5, noNaN: true }), { nil: null })
  const telling: fc.Arbitrary<Telling> = fc.record({
    model: fc.string(),
    api_mode: fc.constantFrom('chat', 'completion'),
    messages: fc.constant(TELLING.messages),
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

  test('is never one of the common fields, and never null', () => {
    const common = ['model', 'messages', 'prompt', 'temperature', 'max_tokens', 'stream']
    fc.assert(
      fc.property(telling, (any) => {
        for (const { fields, bound } of [...SERVERS, unknown]) {
          const told = { ...fields(any), ...bound?.({}) }
          expect(Object.keys(told).filter((name) => common.includes(name))).toEqual([])
          expect(Object.values(told).filter((value) => value === null || value === undefined)).toEqual([])
        }
        expect(unknown.fields(any)).toEqual({})
      }),
    )
  })
})

describe('a reply is bound to a schema', () => {
  const schema = { type: 'object', properties: { hp: { type: 'integer' } } }
  const nested = { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } } }
  test.each([
    ['ollama', nested],
    ['lm-studio', nested],
    ['llama-cpp', { ...nested, reasoning_effort: 'none', ...NO_THINKING }],
    ['jan', { ...nested, reasoning_effort: 'none', ...NO_THINKING }],
    ['koboldcpp', { ...nested, json_schema: schema }],
    ['vllm', nested],
    ['text-generation-webui', null],
    ['tabbyapi', { ...nested, json_schema: schema }],
    ['localai', nested],
    ['gpt4all', null],
    ['llamafile', { response_format: { type: 'json_object', schema } }],
    ['unknown', null],
  ] as const)('by %s', (kind, fields) => {
    expect(serverOf(kind).bound?.(schema) ?? null).toEqual(fields)
  })
})

test('each server is written down once, under its own name', () => {
  expect(new Set(SERVERS.map(({ kind }) => kind)).size).toBe(SERVERS.length)
  expect(new Set(SERVERS.map(({ name }) => name)).size).toBe(SERVERS.length)
  for (const { kind, ports, signs, largerWindow } of SERVERS) {
    expect(serverOf(kind).kind).toBe(kind)
    expect(ports.length * signs.length).toBeGreaterThan(0)
    expect(largerWindow).toMatch(/^[a-z].*[^.]$/)
  }
  expect(serverOf()).toBe(unknown)
})

test('only KoboldCpp must be told to end what nobody hears any more', () => {
  const told = SERVERS.filter(({ abort }) => abort !== null)
  expect(told.map(({ kind, abort }) => [kind, abort])).toEqual([
    ['koboldcpp', { method: 'POST', path: '/api/extra/abort', body: '{}', atRoot: true }],
  ])
})

describe('the advice for a key', () => {
  test.each([
    ['{"detail":"Please provide an API key"}', 'TabbyAPI', 'set disable_auth: true in its config.yml'],
    ['An LM Studio API token is required', 'LM Studio', 'switch "Require Authentication" off'],
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
    ['Ollama', 'Ollama', 'take away the proxy'],
  ])('%s', (answer, name, remedy) => {
    expect(keyAdvice(answer)).toStartWith(`Inglenook keeps no keys. The server looks like ${name}: ${remedy}`)
  })

  test('of a stranger names the commonest', () => {
    expect(keyAdvice('no')).toMatch(
      /^Inglenook keeps no keys, so switch the key off.*TabbyAPI: .*LM Studio: .*KoboldCpp: .*llama.cpp or vLLM/,
    )
  })
})

describe('a recorded reply is the same however its bytes are cut', () => {
  async function* inTwo(bytes: Uint8Array, at: number): AsyncGenerator<Uint8Array> {
    yield bytes.slice(0, at)
    yield bytes.slice(at)
  }
  async function cutEverywhere(body: string) {
    const bytes = new TextEncoder().encode(body)
    const whole = await collect(readPieces(inTwo(bytes, bytes.length)))
    for (let at = 0; at < bytes.length; at++) {
      const { pieces, error } = await collect(readPieces(inTwo(bytes, at)))
      if (JSON.stringify(pieces) !== JSON.stringify(whole.pieces) || String(error) !== String(whole.error))
        expect({ at, pieces, error: String(error) }).toEqual({
          at,
          pieces: whole.pieces,
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
      test(`${kind}: a reply with thoughts`, async () => {
        const { body, ...heard } = thinking
        expect(await cutEverywhere(body)).toMatchObject({ ...heard, error: null })
      })
    test(`${kind}: an error, whatever its status`, async () => {
      const { error: told, text } = await cutEverywhere(error.body)
      expect(text).toBe('')
      expect(String(told)).toContain(error.words)
    })
    if (loading)
      test(`${kind}: the words of a server that loads`, async () => {
        expect((await cutEverywhere(loading.body)).text).toBe('')
      })
  }
})

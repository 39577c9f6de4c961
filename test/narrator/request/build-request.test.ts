import { describe, expect, test } from 'bun:test'
import type { Telling } from '../../../src/domain/model/model-request.ts'
import { askFor } from '../../../src/narrator/ask.ts'
import type { Server } from '../../../src/narrator/servers/server.ts'
import { unknown } from '../../../src/narrator/servers/unknown.ts'
import { unknownFields } from '../../../src/narrator/request/unknown-fields.ts'
import { json, sayAsOllama, startEndpoint, status } from '../../support/endpoint/endpoint.ts'
import { TELLING, tell, tellerOf } from '../told.ts'

const SCHEMA = { type: 'object' }
const ALL: Partial<Telling> = {
  sampling: { top_p: 0.9, min_p: 0.05, repeat_penalty: null, dry_multiplier: null, xtc_probability: null },
  reasoning_effort: 'low',
  num_ctx: 8192,
  stop: ['\n> You'],
  schema: SCHEMA,
}
/** A server that takes some fields more. */
const KNOWN: Server = {
  ...unknown,
  name: 'Known',
  fields: ({ sampling, stop }) => ({ min_p: sampling?.min_p, stop, stream_options: { include_usage: true } }),
  bound: (schema) => ({ response_format: { type: 'json_schema', json_schema: { schema } } }),
}
const OLLAMA: Server = { ...unknown, dialect: 'ollama', fields: () => ({ reasoning_effort: 'none' }) }

function sentTo(server: Server, telling: Partial<Telling> = {}, left = new Set<string>()) {
  const { path, atRoot, body } = askFor({ ...TELLING, ...telling }, true, server, left)
  return { path, atRoot, body: JSON.parse(body ?? '') }
}

describe('a request', () => {
  const five = ['model', 'messages', 'temperature', 'max_tokens', 'stream']

  test('has the five fields alone where a server is not known, whatever is set', () =>
    expect(Object.keys(sentTo(unknown, ALL).body)).toEqual(five))

  test('has what a known server takes, and the schema as that server is bound by one', () => {
    const { body } = sentTo(KNOWN, ALL)
    expect(Object.keys(body)).toEqual([...five, 'min_p', 'stop', 'stream_options', 'response_format'])
    expect(body).toMatchObject({ min_p: 0.05, response_format: { json_schema: { schema: SCHEMA } } })
  })

  test('binds nothing where nothing is to be bound', () =>
    expect(sentTo(KNOWN).body).not.toHaveProperty('response_format'))

  test('has them for a completion too', () =>
    expect(sentTo(KNOWN, { ...ALL, api_mode: 'completion' })).toMatchObject({
      path: '/completions',
      body: { min_p: 0.05, stop: ['\n> You'] },
    }))

  test('asks for nothing of a stream where the answer comes whole', () => {
    const { body = '' } = askFor({ ...TELLING, ...ALL }, false, KNOWN)
    expect(Object.keys(JSON.parse(body))).toEqual([...five, 'min_p', 'stop', 'response_format'])
  })

  test('leaves out what the server does not know', () =>
    expect(Object.keys(sentTo(KNOWN, ALL, new Set(['min_p', 'response_format'])).body)).toEqual([
      ...five,
      'stop',
      'stream_options',
    ]))
})

describe('a request in Ollama’s own words', () => {
  test('asks for a window and says all that is set', () =>
    expect(sentTo(OLLAMA, { ...ALL, reasoning_max_tokens: 500 })).toEqual({
      path: '/api/chat',
      atRoot: true,
      body: {
        model: 'test-model',
        messages: [
          { role: 'system', content: 'You tell of a lighthouse.' },
          { role: 'user', content: 'I climb the stairs to the secret lamp.' },
        ],
        stream: true,
        options: {
          num_ctx: 8192,
          num_predict: 800,
          temperature: 0.8,
          top_p: 0.9,
          min_p: 0.05,
          stop: ['\n> You'],
        },
        keep_alive: '60m',
        think: 'low',
        format: SCHEMA,
      },
    }))

  test.each<[Partial<Telling>, unknown]>([
    [{ reasoning_max_tokens: -1, reasoning_effort: 'high' }, false],
    [{ reasoning_max_tokens: 0, reasoning_effort: 'high' }, 'high'],
    [{ reasoning_max_tokens: 500 }, undefined],
    [{ reasoning_effort: null }, undefined],
  ])('of %j thinks %p', (telling, think) =>
    expect(sentTo(OLLAMA, { num_ctx: 4096, ...telling }).body.think).toBe(think),
  )

  test.each<[string, Server, Partial<Telling>]>([
    ['no window is asked for', OLLAMA, { num_ctx: null }],
    ['the protocol is that of completions', OLLAMA, { num_ctx: 4096, api_mode: 'completion' }],
    ['the server is another', KNOWN, { num_ctx: 4096 }],
  ])('is not made where %s', (_when, server, telling) =>
    expect(sentTo(server, telling).path).not.toBe('/api/chat'),
  )
})

describe('a field that a server does not know', () => {
  const sent = ['min_p', 'stop', 'stream_options', 'reasoning', 'reasoning_effort', 'think']

  test.each([
    ['OpenAI', 400, { error: { message: 'Unrecognized request argument supplied: min_p' } }, ['min_p']],
    [
      'pydantic',
      422,
      {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'min_p'],
            msg: 'Extra inputs are not permitted',
            input: 'I stop and think',
          },
        ],
      },
      ['min_p'],
    ],
    [
      'vLLM',
      400,
      { object: 'error', message: "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options')}]" },
      ['stream_options'],
    ],
    ['Ollama of a model', 400, { error: '"tiny" does not support thinking' }, ['think']],
    ['Ollama of a level', 400, { error: 'think value "low" is not supported for this model' }, ['think']],
    ['one of two alike', 400, { error: "unknown field 'reasoning_effort'" }, ['reasoning_effort']],
    ['one whose name ends alike', 400, { error: 'unknown field full_stop' }, []],
    ['two at once', 422, { error: 'unexpected keys: stop, min_p' }, ['min_p', 'stop']],
    ['another fault', 400, { error: 'the stop list is too long' }, []],
    ['streams', 400, { error: "'stream' is not supported" }, []],
    ['another status', 500, { error: 'unknown field min_p' }, []],
  ])('is read from the words of %s', (_who, code, body, names) =>
    expect(unknownFields(code, JSON.stringify(body), sent)).toEqual(names),
  )

  test('is left out at once and from then on, and the others are not', async () => {
    await using endpoint = await startEndpoint()
    const tellKnown = tellerOf(KNOWN)
    endpoint.next(status(400, 'Unknown parameter: stop'), status(422, 'unknown field "min_p"'))
    for (const _ of [1, 2]) expect((await tellKnown(endpoint, { telling: ALL })).error).toBeNull()
    expect(
      endpoint.requests.map(({ body }) => ['stop', 'min_p', 'stream_options'].map((n) => n in (body ?? {}))),
    ).toEqual([
      [true, true, true],
      [false, true, true],
      [false, false, true],
      [false, false, true],
    ])
  })

  test('that was left out already is a failure', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(status(400, 'Unknown parameter: stop'))
    expect((await tellerOf(KNOWN)(endpoint, { telling: ALL })).error).toMatchObject({
      code: 'provider_error',
    })
    expect(endpoint.requests).toHaveLength(2)
  })

  test('that is one of the five is a failure', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(status(400, 'Unknown parameter: temperature'))
    expect((await tell(endpoint)).error).toMatchObject({ code: 'provider_error' })
    expect(endpoint.requests).toHaveLength(1)
  })
})

describe('Ollama in its own words', () => {
  const tellOllama = tellerOf(OLLAMA)
  const telling = { num_ctx: 4096 }

  test('thinks, tells and counts', async () => {
    await using endpoint = await startEndpoint()
    const counts = { prompt_eval_count: 900, eval_count: 12 }
    endpoint.next(sayAsOllama('The door opens.', { thinking: 'hm', finish: 'length', counts }))
    const told = await tellOllama(endpoint, { telling })
    expect([told.thinking, told.text, told.error]).toEqual(['hm', 'The door opens.', null])
    expect(told.pieces.at(-1)).toEqual({
      kind: 'end',
      cut: 'length',
      usage: { prompt_tokens: 900, cached_tokens: null, completion_tokens: 12 },
    })
    expect(endpoint.requests.map(({ path }) => path)).toEqual(['/api/chat'])
  })

  test('reports an error under status 200', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write('{"message":{"role":"assistant","content":"The door"},"done":false}\n')
      response.end('{"error":"llama runner process no longer running"}\n')
    })
    const told = await tellOllama(endpoint, { telling })
    expect(told.text).toBe('The door')
    expect(String(told.error)).toContain('llama runner process no longer running')
  })

  test('is asked in common words where it does not know its own', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(json(404, { error: '404 page not found' }))
    expect((await tellOllama(endpoint, { telling })).text).toBe('The fire crackles. You wait.')
    expect(endpoint.requests.map(({ path }) => path)).toEqual(['/api/chat', '/v1/chat/completions'])
    expect(endpoint.requests[1]?.body).toMatchObject({ reasoning_effort: 'none', max_tokens: 300 })
  })

  test('without the model says so', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(json(404, { error: 'model "test-model" not found, try pulling it first' }))
    expect(String((await tellOllama(endpoint, { telling })).error)).toContain('try pulling it first')
    expect(endpoint.requests).toHaveLength(2)
  })

  test('whose model cannot think tells all the same', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(
      json(400, { error: '"test-model" does not support thinking' }),
      sayAsOllama('The door opens.'),
    )
    const told = await tellOllama(endpoint, { telling: { ...telling, reasoning_effort: 'low' } })
    expect([told.text, told.error]).toEqual(['The door opens.', null])
    expect(endpoint.requests[1]?.body).not.toHaveProperty('think')
  })
})

describe('a template that knows no system role', () => {
  const chat: Telling['messages'] = [
    { role: 'system', text: 'You narrate.' },
    { role: 'user', text: 'I look around.' },
  ]
  const refusal = json(500, {
    error: { code: 500, message: 'System role not supported', type: 'server_error' },
  })

  test('is told by its first user, at once and from then on', async () => {
    await using endpoint = await startEndpoint()
    const ask = tellerOf(unknown)
    endpoint.next(refusal)
    expect(await ask(endpoint, { telling: { messages: chat } })).toMatchObject({ error: null })
    expect(await ask(endpoint, { telling: { messages: chat } })).toMatchObject({ error: null })
    const folded = [{ role: 'user', content: 'You narrate.\n\nI look around.' }]
    expect(endpoint.requests.map(({ body }) => body?.messages?.length)).toEqual([2, 1, 1])
    expect(endpoint.requests.slice(1).map(({ body }) => body?.messages)).toEqual([folded, folded])
  })

  test('that refuses it all the same is believed', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(refusal)
    expect((await tellerOf(unknown)(endpoint, { telling: { messages: chat } })).error).toMatchObject({
      code: 'provider_error',
    })
    expect(endpoint.requests.length).toBe(2)
  })
})

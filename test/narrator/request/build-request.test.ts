import { describe, expect, test } from 'bun:test'
import type { ModelRequest } from '../../../src/domain/model/model-request.ts'
import { buildRequest } from '../../../src/narrator/request/build-request.ts'
import { unknownFields } from '../../../src/narrator/request/refusals.ts'
import type { Server } from '../../../src/narrator/servers/server.ts'
import { unknown } from '../../../src/narrator/servers/servers.ts'
import { json, sayAsOllama, startEndpoint, status } from '../../support/endpoint/endpoint.ts'
import { callerFor, generate, REQUEST } from '../reply/collect.ts'

const SCHEMA = { type: 'object' }
const ALL: Partial<ModelRequest> = {
  sampling: { top_p: 0.9, min_p: 0.05, repeat_penalty: null, dry_multiplier: null, xtc_probability: null },
  reasoning_effort: 'low',
  num_ctx: 8192,
  stop: ['\n> You'],
  schema: SCHEMA,
}
/** A server with some optional fields. */
const KNOWN: Server = {
  ...unknown,
  name: 'Known',
  fields: ({ sampling, stop }) => ({ min_p: sampling?.min_p, stop, stream_options: { include_usage: true } }),
  schemaFields: (schema) => ({ response_format: { type: 'json_schema', json_schema: { schema } } }),
}
const OLLAMA: Server = { ...unknown, nativeApi: 'ollama', fields: () => ({ reasoning_effort: 'none' }) }

function sentTo(server: Server, request: Partial<ModelRequest> = {}, unknownNames = new Set<string>()) {
  const { path, atRoot, body } = buildRequest({ ...REQUEST, ...request }, true, server, unknownNames)
  return { path, atRoot, body: JSON.parse(body ?? '') }
}

describe('a request', () => {
  const five = ['model', 'messages', 'temperature', 'max_tokens', 'stream']

  test('has only the five common fields for an unknown server, whatever is set', () =>
    expect(Object.keys(sentTo(unknown, ALL).body)).toEqual(five))

  test('has the fields of a known server, and the schema in its form', () => {
    const { body } = sentTo(KNOWN, ALL)
    expect(Object.keys(body)).toEqual([...five, 'min_p', 'stop', 'stream_options', 'response_format'])
    expect(body).toMatchObject({ min_p: 0.05, response_format: { json_schema: { schema: SCHEMA } } })
  })

  test.each([
    ['a server that continues a message', { ...KNOWN, continueFields: { goes_on: true } }, { goes_on: true }],
    ['a server that needs no field for it', { ...KNOWN, continueFields: {} }, {}],
  ])('ends with the first words of the reply for %s', (_, server, fields) => {
    const { body } = sentTo(server, { begun: 'Mara' })
    expect(body).toMatchObject(fields)
    expect(body.messages.at(-1)).toEqual({ role: 'assistant', content: 'Mara' })
    expect(sentTo(server).body).not.toHaveProperty('goes_on')
    expect(sentTo(server, { begun: 'Mara', api_mode: 'completion' }).body.prompt).toEndWith('\n\nMara')
  })

  test('has no response format without a schema', () =>
    expect(sentTo(KNOWN).body).not.toHaveProperty('response_format'))

  test('has those fields for a completion too', () =>
    expect(sentTo(KNOWN, { ...ALL, api_mode: 'completion' })).toMatchObject({
      path: '/completions',
      body: { min_p: 0.05, stop: ['\n> You'] },
    }))

  test('has no stream fields without streaming', () => {
    const { body = '' } = buildRequest({ ...REQUEST, ...ALL }, false, KNOWN)
    expect(Object.keys(JSON.parse(body))).toEqual([...five, 'min_p', 'stop', 'response_format'])
  })

  test('leaves out fields that the server rejected', () =>
    expect(Object.keys(sentTo(KNOWN, ALL, new Set(['min_p', 'response_format'])).body)).toEqual([
      ...five,
      'stop',
      'stream_options',
    ]))
})

describe('a request to Ollama’s native API', () => {
  test('has the context window and all settings', () =>
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

  test.each<[Partial<ModelRequest>, unknown]>([
    [{ reasoning_max_tokens: -1, reasoning_effort: 'high' }, false],
    [{ reasoning_max_tokens: 0, reasoning_effort: 'high' }, 'high'],
    [{ reasoning_max_tokens: 500 }, undefined],
    [{ reasoning_effort: null }, undefined],
  ])('with %j has think %p', (request, think) =>
    expect(sentTo(OLLAMA, { num_ctx: 4096, ...request }).body.think).toBe(think),
  )

  test.each<[string, Server, Partial<ModelRequest>]>([
    ['no context window is set', OLLAMA, { num_ctx: null }],
    ['the completion API is used', OLLAMA, { num_ctx: 4096, api_mode: 'completion' }],
    ['the server is not Ollama', KNOWN, { num_ctx: 4096 }],
  ])('is not used where %s', (_when, server, request) =>
    expect(sentTo(server, request).path).not.toBe('/api/chat'),
  )
})

describe('a field that a server rejects', () => {
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
    ['one of two similar names', 400, { error: "unknown field 'reasoning_effort'" }, ['reasoning_effort']],
    ['a name that ends the same', 400, { error: 'unknown field full_stop' }, []],
    ['two at once', 422, { error: 'unexpected keys: stop, min_p' }, ['min_p', 'stop']],
    ['another error', 400, { error: 'the stop list is too long' }, []],
    ['streams', 400, { error: "'stream' is not supported" }, []],
    ['another status', 500, { error: 'unknown field min_p' }, []],
  ])('is found in the message of %s', (_who, code, body, names) =>
    expect(unknownFields(code, JSON.stringify(body), sent)).toEqual(names),
  )

  test('is left out of the retry and from then on, and the others are not', async () => {
    await using endpoint = await startEndpoint()
    const callKnown = callerFor(KNOWN)
    endpoint.next(status(400, 'Unknown parameter: stop'), status(422, 'unknown field "min_p"'))
    for (const _ of [1, 2]) expect((await callKnown(endpoint, { request: ALL })).error).toBeNull()
    expect(
      endpoint.requests.map(({ body }) => ['stop', 'min_p', 'stream_options'].map((n) => n in (body ?? {}))),
    ).toEqual([
      [true, true, true],
      [false, true, true],
      [false, false, true],
      [false, false, true],
    ])
  })

  test('that was already left out is an error', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(status(400, 'Unknown parameter: stop'))
    expect((await callerFor(KNOWN)(endpoint, { request: ALL })).error).toMatchObject({
      code: 'provider_error',
    })
    expect(endpoint.requests).toHaveLength(2)
  })

  test('that is one of the five is an error', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(status(400, 'Unknown parameter: temperature'))
    expect((await generate(endpoint)).error).toMatchObject({ code: 'provider_error' })
    expect(endpoint.requests).toHaveLength(1)
  })
})

describe('Ollama’s native API', () => {
  const callOllama = callerFor(OLLAMA)
  const request = { num_ctx: 4096 }

  test('sends reasoning, text and token counts', async () => {
    await using endpoint = await startEndpoint()
    const counts = { prompt_eval_count: 900, eval_count: 12 }
    endpoint.next(sayAsOllama('The door opens.', { thinking: 'hm', finish: 'length', counts }))
    const reply = await callOllama(endpoint, { request })
    expect([reply.thinking, reply.text, reply.error]).toEqual(['hm', 'The door opens.', null])
    expect(reply.parts.at(-1)).toEqual({
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
    const reply = await callOllama(endpoint, { request })
    expect(reply.text).toBe('The door')
    expect(String(reply.error)).toContain('llama runner process no longer running')
  })

  test('gets the common request where it has no native API', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(json(404, { error: '404 page not found' }))
    expect((await callOllama(endpoint, { request })).text).toBe('The fire crackles. You wait.')
    expect(endpoint.requests.map(({ path }) => path)).toEqual(['/api/chat', '/v1/chat/completions'])
    expect(endpoint.requests[1]?.body).toMatchObject({ reasoning_effort: 'none', max_tokens: 300 })
  })

  test('without the model has that message', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(json(404, { error: 'model "test-model" not found, try pulling it first' }))
    expect(String((await callOllama(endpoint, { request })).error)).toContain('try pulling it first')
    expect(endpoint.requests).toHaveLength(2)
  })

  test('still replies when the model cannot reason', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(
      json(400, { error: '"test-model" does not support thinking' }),
      sayAsOllama('The door opens.'),
    )
    const reply = await callOllama(endpoint, { request: { ...request, reasoning_effort: 'low' } })
    expect([reply.text, reply.error]).toEqual(['The door opens.', null])
    expect(endpoint.requests[1]?.body).not.toHaveProperty('think')
  })
})

describe('a chat template without a system role', () => {
  const chat: ModelRequest['messages'] = [
    { role: 'system', text: 'You narrate.' },
    { role: 'user', text: 'I look around.' },
  ]
  const refusal = json(500, {
    error: { code: 500, message: 'System role not supported', type: 'server_error' },
  })

  test('gets the system message in the first user message, in the retry and from then on', async () => {
    await using endpoint = await startEndpoint()
    const call = callerFor(unknown)
    endpoint.next(refusal)
    expect(await call(endpoint, { request: { messages: chat } })).toMatchObject({ error: null })
    expect(await call(endpoint, { request: { messages: chat } })).toMatchObject({ error: null })
    const folded = [{ role: 'user', content: 'You narrate.\n\nI look around.' }]
    expect(endpoint.requests.map(({ body }) => body?.messages?.length)).toEqual([2, 1, 1])
    expect(endpoint.requests.slice(1).map(({ body }) => body?.messages)).toEqual([folded, folded])
  })

  test('that refuses the retry too is an error', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(refusal)
    expect((await callerFor(unknown)(endpoint, { request: { messages: chat } })).error).toMatchObject({
      code: 'provider_error',
    })
    expect(endpoint.requests.length).toBe(2)
  })
})

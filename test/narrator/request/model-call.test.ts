import { describe, expect, test } from 'bun:test'
import { createNarrator } from '../../../src/narrator/client.ts'
import { unknown } from '../../../src/narrator/servers/servers.ts'
import {
  afterGate,
  breakOff,
  endless,
  failInStream,
  fallSilent,
  frame,
  gate,
  json,
  loading,
  onlyThink,
  raw,
  type Step,
  say,
  sayAround,
  sayByteByByte,
  sayNothing,
  sayWhole,
  silent,
  startEndpoint,
  status,
  thinkThenSay,
  webPage,
} from '../../support/endpoint/endpoint.ts'
import { callerFor, collect, generate, REQUEST } from '../reply/collect.ts'

const STORY = REQUEST.messages.map(({ text }) => text)

describe('the request', () => {
  test('a chat gets the five fields that every server takes, and nothing else', async () => {
    await using endpoint = await startEndpoint()
    await generate(endpoint)
    const [request] = endpoint.requests
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.body).toEqual({
      model: 'test-model',
      messages: [
        { role: 'system', content: 'You tell of a lighthouse.' },
        { role: 'user', content: 'I climb the stairs to the secret lamp.' },
      ],
      temperature: 0.8,
      max_tokens: 300,
      stream: true,
    })
  })

  test('a completion gets the messages as one prompt', async () => {
    await using endpoint = await startEndpoint()
    const reply = await generate(endpoint, { request: { api_mode: 'completion', reasoning_max_tokens: 500 } })
    expect(reply.text).toBe('The fire crackles. You wait.')
    const [request] = endpoint.requests
    expect(request?.path).toBe('/v1/completions')
    expect(request?.body).toEqual({
      model: 'test-model',
      prompt: STORY.join('\n\n'),
      temperature: 0.8,
      max_tokens: 300,
      stream: true,
    })
  })

  test.each([
    [500, 800],
    [0, 300],
    [-1, 300],
  ])('a reasoning budget of %d gives max_tokens %d', async (reasoning_max_tokens, max_tokens) => {
    await using endpoint = await startEndpoint()
    await generate(endpoint, { request: { reasoning_max_tokens } })
    expect(endpoint.requests[0]?.body?.max_tokens).toBe(max_tokens)
  })

  test.each(['/', '//', '/chat/completions', '/completions', '/models/'])(
    'a base address pasted with %s is the same',
    async (tail) => {
      await using endpoint = await startEndpoint()
      await generate({ url: endpoint.url + tail })
      expect(endpoint.requests[0]?.path).toBe('/v1/chat/completions')
    },
  )

  test.each([
    'Failed to initialize samplers',
    'Unable to generate parser for this template. JSON schema error at #: enum must be a non-empty array',
    'failed to parse grammar',
  ])('is repeated once without its schema: %s', async (message) => {
    await using endpoint = await startEndpoint()
    const schema = { type: 'object' }
    endpoint.next(status(400, message))
    await generate({ url: endpoint.url, server: 'llama-cpp' }, { request: { schema } })
    expect(endpoint.requests.map(({ body }) => Object.hasOwn(body ?? {}, 'response_format'))).toEqual([
      true,
      false,
    ])
    endpoint.next(status(400, message), status(400, message))
    const { error } = await generate({ url: endpoint.url, server: 'llama-cpp' }, { request: { schema } })
    expect(error).toMatchObject({ code: 'provider_error' })
    expect(endpoint.requests).toHaveLength(4)
  })

  test('is repeated without streaming where the server cannot stream', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(status(400, "'stream' is not supported"), sayWhole('The door opens.'))
    expect((await generate(endpoint)).text).toBe('The door opens.')
    expect(endpoint.requests.map(({ body }) => body?.stream)).toEqual([true, false])
  })

  test('but only once', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(status(400, "'stream' is not supported"))
    expect((await generate(endpoint)).error).toMatchObject({ code: 'provider_error' })
    expect(endpoint.requests).toHaveLength(2)
  })
})

describe('the reply', () => {
  test.each<[string, Step, string]>([
    ['continues its first words', say(' looks up.'), 'Mara looks up.'],
    ['has them once, before the first text', say('  \n looks up.', { pieces: 6 }), 'Mara  \n looks up.'],
    ['has them once where the server repeats them', say('Mara looks up.', { pieces: 7 }), 'Mara looks up.'],
    ['has none where only they come back', say('Mara'), ''],
    ['has none where nothing follows', sayNothing(), ''],
    ['has none before blank text alone', say(' \n '), ''],
    ['has them after a thought', thinkThenSay('Hm.', ' looks up.'), 'Mara looks up.'],
  ])('%s', async (_, step, text) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    expect((await generate(endpoint, { request: { begun: 'Mara' } })).text).toBe(text)
  })

  test.each<[string, Step, string, string]>([
    ['a reply', say('The door opens.'), '', 'The door opens.'],
    ['a reply in one chunk', say('The door opens.', { pieces: 1 }), '', 'The door opens.'],
    ['reasoning and a reply', thinkThenSay('hm', 'The door opens.'), 'hm', 'The door opens.'],
    [
      'reasoning in another field',
      thinkThenSay('hm', 'The door opens.', { field: 'thinking' }),
      'hm',
      'The door opens.',
    ],
    ['reasoning in tags', say('<think>hm</think>The door opens.', { pieces: 20 }), 'hm', 'The door opens.'],
    ['only reasoning', onlyThink('hm'), 'hm', ''],
    ['nothing', sayNothing(), '', ''],
    ['no content', raw(204, ''), '', ''],
    ['a whole body', sayWhole('The door opens.'), '', 'The door opens.'],
    ['single bytes', sayByteByByte('Die Tür öffnet sich 🌲'), '', 'Die Tür öffnet sich 🌲'],
    ['CRLF and no [DONE]', say('The door opens.', { lineEnd: '\r\n', done: false }), '', 'The door opens.'],
  ])('%s', async (_name, step, thinking, text) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const reply = await generate(endpoint)
    expect(reply).toMatchObject({ thinking, text, error: null })
    expect(reply.parts.at(-1)?.kind).toBe('end')
  })

  test('the end has the reason and the token counts', async () => {
    await using endpoint = await startEndpoint()
    const usage = { prompt_tokens: 900, completion_tokens: 300 }
    endpoint.next(say('The door', { finish: 'length', usage }))
    expect((await generate(endpoint)).parts.at(-1)).toEqual({
      kind: 'end',
      cut: 'length',
      usage: { ...usage, cached_tokens: null },
    })
  })
})

describe('a connection that stays open after the end', () => {
  test('is closed, with the counts that came after the end', async () => {
    await using endpoint = await startEndpoint()
    const usage = { prompt_tokens: 9, completion_tokens: 2 }
    endpoint.next(async ({ response, closed }) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(frame({ choices: [{ delta: { content: 'The door opens.' }, finish_reason: 'stop' }] }))
      response.write(frame({ choices: [], usage }))
      await closed
    })
    const reply = await generate(endpoint, { options: { msPerSecond: 20 } })
    expect(reply).toMatchObject({ text: 'The door opens.', error: null })
    expect(reply.parts.at(-1)).toMatchObject({ kind: 'end', usage })
    await endpoint.hungUp()
  })
})

describe('the waiting phases', () => {
  /** Ignores the delay between headers and a whole body, which depends on the machine. */
  const beforeReading = ({ phases }: { phases: string[] }) => phases.filter((phase) => phase !== 'reading')

  test('a whole response is waited for', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(sayWhole('The door opens.'))
    expect(beforeReading(await generate(endpoint))).toEqual(['waiting'])
  })

  test('headers without text: reading', async () => {
    await using endpoint = await startEndpoint()
    const door = gate()
    endpoint.next(sayAround('', door, 'The door opens.'))
    const reply = await generate(endpoint, {
      onPart: (part) => part.kind === 'phase' && part.phase === 'reading' && door.open(),
    })
    expect([reply.phases, reply.text]).toEqual([['waiting', 'reading'], 'The door opens.'])
  })

  test.each(['llama.cpp', 'KoboldCpp'] as const)('%s is loading and is asked again', async (server) => {
    await using endpoint = await startEndpoint()
    endpoint.next(loading(3, server), sayWhole('The door opens.'))
    const reply = await generate(endpoint)
    expect([beforeReading(reply), reply.text]).toEqual([['waiting', 'loading'], 'The door opens.'])
    expect(endpoint.requests).toHaveLength(4)
    expect(endpoint.requests[3]?.body).toEqual(endpoint.requests[0]?.body ?? null)
  })

  test.each([
    ['any text', raw(503, 'Service Unavailable')],
    ['a web page', webPage('503 Service Unavailable', 503)],
    ['an empty body', raw(503, '')],
    ['LocalAI', json(503, { error: { code: 503, message: 'no backend', type: '' } }, { 'retry-after': '0' })],
    ['TabbyAPI', json(503, { detail: 'No models are currently loaded.' })],
  ])('a 503 with %s means loading', async (_name, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step, sayWhole('The door opens.'))
    expect(beforeReading(await generate(endpoint))).toEqual(['waiting', 'loading'])
  })

  test('a server that accepts after loading is in the phase waiting again', async () => {
    await using endpoint = await startEndpoint()
    const door = gate()
    endpoint.next(loading(1), afterGate(door, sayWhole('The door opens.')))
    let waits = 0
    const reply = await generate(endpoint, {
      options: { acceptTimeout: 0.001 },
      onPart: (part) => {
        if (part.kind === 'phase' && part.phase === 'waiting' && ++waits === 2) door.open()
      },
    })
    expect([beforeReading(reply), reply.text]).toEqual([['waiting', 'loading', 'waiting'], 'The door opens.'])
  })

  test('loading ends with the read timeout', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(loading()[0] ?? silent)
    const reply = await generate({ url: endpoint.url, read_timeout_seconds: 0.2 })
    expect(reply.error).toMatchObject({ code: 'timeout' })
    expect(String(reply.error)).toContain(`${new URL(endpoint.url).host} was not ready after 0.2 seconds`)
    expect(reply.phases).toEqual(['waiting', 'loading'])
  })

  test('the last message of a loading server is in the error', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(json(503, { detail: 'No models are currently loaded.' }))
    const reply = await generate({ url: endpoint.url, read_timeout_seconds: 0.5 })
    expect(String(reply.error)).toEndWith('The server said: No models are currently loaded.')
  })

  test('Retry-After is respected', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(raw(503, '', { 'retry-after': '20' }), sayWhole('The door opens.'))
    const patient = { url: endpoint.url, read_timeout_seconds: 3_600 }
    expect((await generate(patient, { options: { msPerSecond: 2 } })).text).toBe('The door opens.')
    endpoint.byDefault(raw(503, '', { 'retry-after': '40' }))
    const target = { url: endpoint.url, read_timeout_seconds: 100 }
    expect((await generate(target, { options: { msPerSecond: 20 } })).error).toMatchObject({
      code: 'timeout',
    })
    expect(endpoint.requests.length).toBeWithin(4, 2 + 5)
  })

  test('but not beyond the timeout, when there is one last attempt', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(raw(503, '', { 'retry-after': '86400' }))
    const options = { msPerSecond: 10, retryEvery: 200 }
    const reply = await generate({ url: endpoint.url, read_timeout_seconds: 200 }, { options })
    expect(reply.error).toMatchObject({ code: 'timeout' })
    expect(endpoint.requests).toHaveLength(2)
  })

  test.each<[string, number]>([
    ['503 responses and then silence', 6],
    ['503 responses without end', 1_000],
  ])('%s share one timeout', async (_what, refusals) => {
    await using endpoint = await startEndpoint()
    endpoint.next(loading(refusals))
    endpoint.byDefault(silent)
    const reply = await generate({ url: endpoint.url, read_timeout_seconds: 0.5 })
    expect(reply.error).toMatchObject({ code: 'timeout' })
    expect(String(reply.error)).toContain('was not ready after 0.5 seconds')
    expect(endpoint.requests.length).toBeLessThan(200)
  })

  test('a server that answered before is given time to come back', async () => {
    const narrator = createNarrator({ retryEvery: 0.005 })
    const first = await startEndpoint()
    const endpoint = { url: first.url, read_timeout_seconds: 10 }
    const call = (onPhase = (_phase: string) => {}) =>
      collect(
        narrator.generate(endpoint, REQUEST, new AbortController().signal),
        (part) => part.kind === 'phase' && onPhase(part.phase),
      )
    expect((await call()).error).toBeNull()
    await first.close()
    let second = Promise.resolve(first)
    const reply = await call((phase) => {
      if (phase === 'gone') second = startEndpoint({ port: Number(new URL(first.url).port) })
    })
    expect([reply.phases[1], reply.text]).toEqual(['gone', 'The fire crackles. You wait.'])
    await (await second).close()
  })

  test('and when it does not come back, the player is told to start it', async () => {
    const narrator = createNarrator({ retryEvery: 0.005 })
    const endpoint = await startEndpoint()
    const target = { url: endpoint.url, read_timeout_seconds: 0.3 }
    const call = () => collect(narrator.generate(target, REQUEST, new AbortController().signal))
    expect((await call()).error).toBeNull()
    await endpoint.close()
    const { error, phases } = await call()
    expect(phases).toEqual(['waiting', 'gone'])
    expect(error).toMatchObject({ code: 'timeout' })
    expect(String(error)).toContain(
      `Nothing has answered at ${new URL(endpoint.url).host} for 0.3 seconds. Start the model server`,
    )
  })

  test('a server that never answered is not', async () => {
    const endpoint = await startEndpoint()
    await endpoint.close()
    const reply = await generate(endpoint)
    expect(reply.error).toMatchObject({ code: 'provider_error' })
    expect(String(reply.error)).toContain(`No server answered at ${new URL(endpoint.url).host}`)
    expect(reply.phases).toEqual(['waiting'])
  })

  test.each([
    ['before the first byte', silent],
    ['after the headers', fallSilent()],
    ['in the middle of a reply', fallSilent('The door')],
  ])('silence %s ends with the read timeout', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const { error } = await generate({ url: endpoint.url, read_timeout_seconds: 0.03 })
    expect(error).toMatchObject({ code: 'timeout' })
    expect(String(error)).toContain(`${new URL(endpoint.url).host} sent nothing for 0.03 seconds`)
    await endpoint.hungUp()
  })
})

describe('an error is a provider_error with a message', () => {
  test.each<[string, Step, string[]]>([
    [
      '400',
      status(400, 'the request exceeds the available context size'),
      ['status 400', 'lower “Context size” in Settings', 'the request exceeds'],
    ],
    [
      'a setting that it does not take',
      json(400, { error: { message: 'Unknown parameter: repetition_penalty' } }),
      ['“Repetition penalty”', 'clear or change it in Settings', 'Unknown parameter'],
    ],
    [
      'a server without a model',
      json(400, { error: { message: 'No models are currently loaded.', trace: null } }),
      ['has no model loaded', 'Load one there'],
    ],
    [
      'another server without a model',
      json(404, { error: { message: 'No models loaded. Please load a model in the developer page.' } }),
      ['has no model loaded', 'Load one there'],
    ],
    ...[
      // Ollama, vLLM, llama-swap and LiteLLM.
      status(404, 'model "test-model" not found, try pulling it first'),
      status(404, 'The model `test-model` does not exist.'),
      status(404, 'no router for requested model'),
      status(400, '/chat/completions: Invalid model name passed in model=test-model.'),
    ].map((answer, index): [string, Step, string[]] => [
      `a model that it does not know, ${index}`,
      answer,
      ['does not know the model "test-model"', 'Choose another one in Settings', 'The server said: '],
    ]),
    ['404', status(404, 'model not found'), ['status 404', '"test-model"', 'model not found']],
    ['429', status(429, 'slow down'), ['status 429', 'Wait', 'slow down']],
    [
      '500',
      json(500, { error: 'CUDA error: out of memory' }),
      ['status 500', 'a smaller model', 'CUDA error'],
    ],
    ['500 without a message', raw(500, ''), ['answered with status 500. Retry']],
    [
      'a template that refuses',
      json(500, { error: 'Jinja Exception: After the optional system message ...' }),
      ['“API mode”', 'Jinja Exception'],
    ],
    ['502 with a web page', webPage('Bad Gateway', 502), ['status 502', 'The server said: Bad Gateway']],
    [
      '502 with a web page that says it twice',
      raw(
        502,
        '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1>nginx</body></html>',
      ),
      ['The server said: 502 Bad Gateway nginx'],
    ],
    [
      '401 of llama.cpp',
      status(401, 'Invalid API Key', { server: 'llama.cpp' }),
      ['does not store keys', 'llama.cpp', '--api-key', 'Invalid API Key'],
    ],
    [
      '401 of TabbyAPI',
      json(401, { detail: 'Please provide an API key' }),
      ['TabbyAPI', 'disable_auth: true'],
    ],
    [
      '403 of LM Studio',
      status(403, 'An LM Studio API token is required'),
      ['LM Studio', 'Require Authentication'],
    ],
    [
      '401 of an unknown server',
      raw(401, ''),
      ['does not store keys', 'disable_auth: true', 'Require Authentication', '--api-key'],
    ],
    [
      'an error object in the stream',
      failInStream({ message: 'out of memory' }, 'The door'),
      ['reported an error', 'too little memory', 'out of memory'],
    ],
    ['a broken connection', breakOff('The door'), ['was lost before the response was complete']],
    ['a web page', webPage('Files'), ['sent a web page', 'Files']],
    ['an endless reply', endless(), ['too much data']],
    ['endless comments', endless(': ping\n'.repeat(10_000)), ['too much data']],
    ['an endless line', endless('x'.repeat(100_000)), ['too much data']],
  ])('%s', async (_name, step, phrases) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const { error, parts } = await generate(endpoint)
    expect(error).toMatchObject({ code: 'provider_error' })
    for (const phrase of phrases) expect(String(error)).toContain(phrase)
    expect(parts.some(({ kind }) => kind === 'end')).toBeFalse()
  })

  test('with at most 500 characters of the server’s message', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(status(500, 'very '.repeat(10_000)))
    const quoted = String((await generate(endpoint)).error).split('The server said: ')[1] ?? ''
    expect([...quoted]).toHaveLength(500)
  })

  test('without the story, even if the server repeats it', async () => {
    await using endpoint = await startEndpoint()
    const input = { messages: STORY }
    endpoint.next(
      json(422, { detail: [{ loc: ['body'], msg: 'Field required', input }] }),
      json(400, { errors: [{ input }] }),
      json(400, { error: { message: '', received: input } }),
    )
    for (const _ of [1, 2, 3]) expect(String((await generate(endpoint)).error)).not.toContain('secret lamp')
  })

  test('a refused address keeps the message of the policy', async () => {
    expect((await generate({ url: 'https://api.openai.com/v1' })).error).toMatchObject({
      code: 'provider_error',
      message: 'api.openai.com belongs to OpenAI, a cloud service. Stories stay on your own network.',
      more: { reason: 'endpoint_refused' },
    })
    expect((await generate({ url: 'not an address' })).error).toMatchObject({
      code: 'provider_error',
      more: { reason: 'endpoint_refused' },
    })
  })

  test.each([
    ['is unknown', () => Promise.reject(new Error('ENOTFOUND'))],
    ['the name server never answers for', () => new Promise<string[]>(() => {})],
  ])('a name that %s is not resolved', async (_which, resolve) => {
    const reply = await generate(
      { url: 'http://attic.lan/v1' },
      { options: { resolve, connectTimeout: 0.01 } },
    )
    expect(reply.error).toMatchObject({
      code: 'provider_error',
      message: 'The name attic.lan could not be resolved. Turn that machine on, or use its IP address.',
      more: { reason: 'unresolved' },
    })
  })
})

describe('an aborted call', () => {
  test.each([
    ['before the response', silent],
    ['during the reply', fallSilent('The door')],
  ])('%s throws the reason of the signal and closes the connection', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const hangUp = new AbortController()
    const target = generate(endpoint, { signal: hangUp.signal })
    await endpoint.requestArrived()
    const reason = new Error('the player has left')
    hangUp.abort(reason)
    expect((await target).error).toBe(reason)
    await endpoint.hungUp()
  })

  test('without a reason throws an AbortError', async () => {
    await using endpoint = await startEndpoint()
    const { error } = await generate(endpoint, { signal: AbortSignal.abort() })
    expect(error).toMatchObject({ name: 'AbortError' })
    expect(endpoint.requests).toEqual([])
  })

  test('does not wait for a server that is loading', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(loading()[0] ?? silent)
    const hangUp = new AbortController()
    const onPart = (part: { kind: string; phase?: string }) => part.phase === 'loading' && hangUp.abort()
    const { error } = await generate(endpoint, {
      signal: hangUp.signal,
      options: { retryEvery: 3_600 },
      onPart,
    })
    expect(error).toMatchObject({ name: 'AbortError' })
  })

  test('does not wait for a DNS look-up', async () => {
    const hangUp = new AbortController()
    const resolve = () => {
      hangUp.abort()
      return new Promise<string[]>(() => {})
    }
    const { error } = await generate(
      { url: 'http://attic.lan/v1' },
      { signal: hangUp.signal, options: { resolve } },
    )
    expect(error).toMatchObject({ name: 'AbortError' })
  })

  test('closes the connection in the middle of reading', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(fallSilent('The door'))
    const narrator = createNarrator()
    const target = { url: endpoint.url, read_timeout_seconds: 10 }
    for await (const part of narrator.generate(target, REQUEST, new AbortController().signal))
      if (part.kind === 'text') break
    await endpoint.hungUp()
  })
})

describe('an abandoned reply', () => {
  const ABORT = { method: 'POST', path: '/api/extra/abort', body: '{}', atRoot: true } as const
  const server = { ...unknown, abort: ABORT }

  test.each<[string, Step]>([
    ['before the response', silent],
    ['before the text', fallSilent()],
    ['during the reply', fallSilent('The door')],
  ])('is aborted at the server after an abort %s', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const hangUp = new AbortController()
    const target = callerFor(server)(endpoint, { signal: hangUp.signal })
    await endpoint.requestArrived()
    hangUp.abort()
    expect((await target).error).toMatchObject({ name: 'AbortError' })
    await endpoint.hungUp()
    while (endpoint.aborts.length === 0) await new Promise((tick) => setTimeout(tick, 1))
    expect(endpoint.aborts).toMatchObject([{ method: 'POST', path: '/api/extra/abort', body: {} }])
  })

  test('is aborted after a timeout, and when it is endless', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(fallSilent('The door'), endless())
    const call = callerFor(server)
    for (const code of ['timeout', 'provider_error'])
      expect((await call({ url: endpoint.url, read_timeout_seconds: 1 })).error).toMatchObject({ code })
    await call(endpoint)
    expect(endpoint.aborts).toHaveLength(2)
  })

  test.each<[string, Step[]]>([
    ['that is complete', [say('The door opens.')]],
    ['that was an error', [status(400)]],
    ['that the server was still loading for', loading(1)],
  ])('is not aborted %s', async (_which, steps) => {
    await using endpoint = await startEndpoint()
    endpoint.next(steps)
    const hangUp = new AbortController()
    const onPart = (part: { kind: string; phase?: string }) => part.phase === 'loading' && hangUp.abort()
    const call = callerFor(server, { retryEvery: 3_600 })
    await call(endpoint, { signal: hangUp.signal, onPart })
    await call(endpoint)
    expect(endpoint.aborts).toEqual([])
  })

  test('is aborted before the next request to that endpoint', async () => {
    await using endpoint = await startEndpoint()
    const order: string[] = []
    const released = gate()
    endpoint.abortWith(async (exchange) => {
      await released.opened
      order.push('ended')
      await json(200, { success: true })(exchange)
    })
    endpoint.next(fallSilent('The door'))
    endpoint.byDefault((exchange) => {
      order.push(exchange.request.body?.model ?? '')
      return sayWhole('The door opens.')(exchange)
    })
    const call = callerFor(server)
    const hangUp = new AbortController()
    await call(endpoint, { signal: hangUp.signal, onPart: ({ kind }) => kind === 'text' && hangUp.abort() })
    const next = call(endpoint)
    // A client that does not share this state is answered in the meantime.
    await generate(endpoint, { request: { model: 'other-model' } })
    released.open()
    expect((await next).text).toBe('The door opens.')
    expect(order).toEqual(['other-model', 'ended', 'test-model'])
  })

  test.each<[string, Step]>([
    ['does not answer', silent],
    ['does not support it', status(404)],
    ['breaks the connection', ({ response }) => void response.socket?.destroy()],
  ])('is given up when the abort request fails: the server %s', async (_what, step) => {
    await using endpoint = await startEndpoint()
    endpoint.abortWith(step)
    endpoint.next(fallSilent('The door'))
    const call = callerFor(server, { msPerSecond: 50 })
    const hangUp = new AbortController()
    const target = { url: endpoint.url, read_timeout_seconds: 200 }
    const onPart = ({ kind }: { kind: string }) => kind === 'text' && hangUp.abort()
    expect((await call(target, { signal: hangUp.signal, onPart })).error).toMatchObject({
      name: 'AbortError',
    })
    expect((await call(target)).text).toBe('The fire crackles. You wait.')
    expect(endpoint.aborts).toHaveLength(1)
  })
})

import { describe, expect, test } from 'bun:test'
import { createNarrator } from '../../../src/narrator/client.ts'
import { unknown } from '../../../src/narrator/servers/unknown.ts'
import {
  breakOff,
  endless,
  failInStream,
  fallSilent,
  frame,
  gate,
  held,
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
import { collect, TELLING, tell, tellerOf } from '../told.ts'

const STORY = TELLING.messages.map(({ text }) => text)

describe('what is asked', () => {
  test('a chat gets the five fields that every server takes, and nothing else', async () => {
    await using endpoint = await startEndpoint()
    await tell(endpoint)
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
    const told = await tell(endpoint, { telling: { api_mode: 'completion', reasoning_max_tokens: 500 } })
    expect(told.text).toBe('The fire crackles. You wait.')
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
  ])('thinking of %d tokens makes %d in all', async (reasoning_max_tokens, max_tokens) => {
    await using endpoint = await startEndpoint()
    await tell(endpoint, { telling: { reasoning_max_tokens } })
    expect(endpoint.requests[0]?.body?.max_tokens).toBe(max_tokens)
  })

  test.each(['/', '//', '/chat/completions', '/completions', '/models/'])(
    'a base that was pasted with %s is the same',
    async (tail) => {
      await using endpoint = await startEndpoint()
      await tell({ url: endpoint.url + tail })
      expect(endpoint.requests[0]?.path).toBe('/v1/chat/completions')
    },
  )

  test('once more as a whole where a server cannot stream', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(status(400, "'stream' is not supported"), sayWhole('The door opens.'))
    expect((await tell(endpoint)).text).toBe('The door opens.')
    expect(endpoint.requests.map(({ body }) => body?.stream)).toEqual([true, false])
  })

  test('but not for ever', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(status(400, "'stream' is not supported"))
    expect((await tell(endpoint)).error).toMatchObject({ code: 'provider_error' })
    expect(endpoint.requests).toHaveLength(2)
  })
})

describe('what is told', () => {
  test.each<[string, Step, string, string]>([
    ['a reply', say('The door opens.'), '', 'The door opens.'],
    ['a reply in one piece', say('The door opens.', { pieces: 1 }), '', 'The door opens.'],
    ['a thought and a reply', thinkThenSay('hm', 'The door opens.'), 'hm', 'The door opens.'],
    [
      'a thought in another field',
      thinkThenSay('hm', 'The door opens.', { field: 'thinking' }),
      'hm',
      'The door opens.',
    ],
    ['a thought in tags', say('<think>hm</think>The door opens.', { pieces: 20 }), 'hm', 'The door opens.'],
    ['a thought alone', onlyThink('hm'), 'hm', ''],
    ['nothing', sayNothing(), '', ''],
    ['no content', raw(204, ''), '', ''],
    ['a whole body', sayWhole('The door opens.'), '', 'The door opens.'],
    ['single bytes', sayByteByByte('Die Tür öffnet sich 🌲'), '', 'Die Tür öffnet sich 🌲'],
    ['CRLF and no [DONE]', say('The door opens.', { lineEnd: '\r\n', done: false }), '', 'The door opens.'],
  ])('%s', async (_name, step, thinking, text) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const told = await tell(endpoint)
    expect(told).toMatchObject({ thinking, text, error: null })
    expect(told.pieces.at(-1)?.kind).toBe('end')
  })

  test('the end says that the tokens ran out, and how many there were', async () => {
    await using endpoint = await startEndpoint()
    const usage = { prompt_tokens: 900, completion_tokens: 300 }
    endpoint.next(say('The door', { finish: 'length', usage }))
    expect((await tell(endpoint)).pieces.at(-1)).toEqual({
      kind: 'end',
      cut: 'length',
      usage: { ...usage, cached_tokens: null },
    })
  })
})

describe('a line that stays open behind the end', () => {
  test('is left, with the counts that came after the end', async () => {
    await using endpoint = await startEndpoint()
    const usage = { prompt_tokens: 9, completion_tokens: 2 }
    endpoint.next(async ({ response, closed }) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(frame({ choices: [{ delta: { content: 'The door opens.' }, finish_reason: 'stop' }] }))
      response.write(frame({ choices: [], usage }))
      await closed
    })
    const told = await tell(endpoint, { options: { second: 20 } })
    expect(told).toMatchObject({ text: 'The door opens.', error: null })
    expect(told.pieces.at(-1)).toMatchObject({ kind: 'end', usage })
    await endpoint.hungUp()
  })
})

describe('what is waited for', () => {
  test('an answer in one go is only waited for', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(sayWhole('The door opens.'))
    expect((await tell(endpoint)).phases).toEqual(['waiting'])
  })

  test('headers without text: the server reads', async () => {
    await using endpoint = await startEndpoint()
    const door = gate()
    endpoint.next(sayAround('', door, 'The door opens.'))
    const told = await tell(endpoint, {
      seen: (piece) => piece.kind === 'phase' && piece.phase === 'reading' && door.open(),
    })
    expect([told.phases, told.text]).toEqual([['waiting', 'reading'], 'The door opens.'])
  })

  test.each(['llama.cpp', 'KoboldCpp'] as const)('%s loads, and is asked again', async (server) => {
    await using endpoint = await startEndpoint()
    endpoint.next(loading(3, server), sayWhole('The door opens.'))
    const told = await tell(endpoint)
    expect([told.phases, told.text]).toEqual([['waiting', 'loading'], 'The door opens.'])
    expect(endpoint.requests).toHaveLength(4)
    expect(endpoint.requests[3]?.body).toEqual(endpoint.requests[0]?.body ?? null)
  })

  test.each([
    ['any words', raw(503, 'Service Unavailable')],
    ['a web page', webPage('503 Service Unavailable', 503)],
    ['an empty body', raw(503, '')],
    ['LocalAI', json(503, { error: { code: 503, message: 'no backend', type: '' } }, { 'retry-after': '0' })],
    ['TabbyAPI', json(503, { detail: 'No models are currently loaded.' })],
  ])('a 503 of %s is loading too', async (_name, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step, sayWhole('The door opens.'))
    expect((await tell(endpoint)).phases).toEqual(['waiting', 'loading'])
  })

  test('a server that was loading and now takes its time is waited for again', async () => {
    await using endpoint = await startEndpoint()
    const door = gate()
    endpoint.next(loading(1), held(door, sayWhole('The door opens.')))
    let waits = 0
    const told = await tell(endpoint, {
      options: { patience: 0.001 },
      seen: (piece) => {
        if (piece.kind === 'phase' && piece.phase === 'waiting' && ++waits === 2) door.open()
      },
    })
    expect([told.phases, told.text]).toEqual([['waiting', 'loading', 'waiting'], 'The door opens.'])
  })

  test('loading ends with the read timeout', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(loading()[0] ?? silent)
    const told = await tell({ url: endpoint.url, read_timeout_seconds: 0.2 })
    expect(told.error).toMatchObject({ code: 'timeout' })
    expect(String(told.error)).toContain(`${new URL(endpoint.url).host} was not ready after 0.2 seconds`)
    expect(told.phases).toEqual(['waiting', 'loading'])
  })

  test('what a server said last, while it was not ready, is told at the end', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(json(503, { detail: 'No models are currently loaded.' }))
    const told = await tell({ url: endpoint.url, read_timeout_seconds: 0.5 })
    expect(String(told.error)).toEndWith('It said: No models are currently loaded.')
  })

  test('a server is left alone for as long as it asks', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(raw(503, '', { 'retry-after': '20' }), sayWhole('The door opens.'))
    const asked = { url: endpoint.url, read_timeout_seconds: 100 }
    expect((await tell(asked, { options: { second: 2 } })).text).toBe('The door opens.')
    endpoint.byDefault(raw(503, '', { 'retry-after': '40' }))
    expect((await tell(asked, { options: { second: 2 } })).error).toMatchObject({ code: 'timeout' })
    expect(endpoint.requests.length).toBeWithin(4, 2 + 5)
  })

  test('but not beyond the allowance, at whose end it is asked once more', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(raw(503, '', { 'retry-after': '86400' }))
    const options = { second: 10, retryEvery: 100 }
    const told = await tell({ url: endpoint.url, read_timeout_seconds: 30 }, { options })
    expect(told.error).toMatchObject({ code: 'timeout' })
    expect(endpoint.requests).toHaveLength(2)
  })

  test.each<[string, number]>([
    ['refusals and then silence', 6],
    ['refusals, once and again', 1_000],
  ])('%s share one allowance', async (_what, refusals) => {
    await using endpoint = await startEndpoint()
    endpoint.next(loading(refusals))
    endpoint.byDefault(silent)
    const told = await tell({ url: endpoint.url, read_timeout_seconds: 0.1 })
    expect(told.error).toMatchObject({ code: 'timeout' })
    expect(String(told.error)).toContain('was not ready after 0.1 seconds')
    expect(endpoint.requests.length).toBeLessThan(200)
  })

  test('a server that was there and is gone comes back', async () => {
    const narrator = createNarrator({ retryEvery: 0.005 })
    const first = await startEndpoint()
    const endpoint = { url: first.url, read_timeout_seconds: 10 }
    const ask = (seen = (_phase: string) => {}) =>
      collect(
        narrator.tell(endpoint, TELLING, new AbortController().signal),
        (piece) => piece.kind === 'phase' && seen(piece.phase),
      )
    expect((await ask()).error).toBeNull()
    await first.close()
    let second = Promise.resolve(first)
    const told = await ask((phase) => {
      if (phase === 'loading') second = startEndpoint({ port: Number(new URL(first.url).port) })
    })
    expect([told.phases[1], told.text]).toEqual(['loading', 'The fire crackles. You wait.'])
    await (await second).close()
  })

  test('a server that never was there is not', async () => {
    const endpoint = await startEndpoint()
    await endpoint.close()
    const told = await tell(endpoint)
    expect(told.error).toMatchObject({ code: 'provider_error' })
    expect(String(told.error)).toContain(`Nothing answers at ${new URL(endpoint.url).host}`)
    expect(told.phases).toEqual(['waiting'])
  })

  test.each([
    ['before the first byte', silent],
    ['behind the headers', fallSilent()],
    ['in the middle of a reply', fallSilent('The door')],
  ])('silence %s ends with the read timeout', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const { error } = await tell({ url: endpoint.url, read_timeout_seconds: 0.03 })
    expect(error).toMatchObject({ code: 'timeout' })
    expect(String(error)).toContain(`${new URL(endpoint.url).host} was silent for 0.03 seconds`)
    await endpoint.hungUp()
  })
})

describe('what goes wrong is a provider_error in words', () => {
  test.each<[string, Step, string[]]>([
    [
      '400',
      status(400, 'the request exceeds the available context size'),
      ['status 400', 'the request exceeds'],
    ],
    [
      'a server without a model',
      json(400, { error: { message: 'No models are currently loaded.', trace: null } }),
      ['has no model loaded', 'Load one there'],
    ],
    [
      'another without a model',
      json(404, { error: { message: 'No models loaded. Please load a model in the developer page.' } }),
      ['has no model loaded', 'Load one there'],
    ],
    ['404', status(404, 'model not found'), ['status 404', '"test-model"', 'model not found']],
    ['429', status(429, 'slow down'), ['status 429', 'Wait', 'slow down']],
    ['500', json(500, { error: 'out of memory' }), ['status 500', 'out of memory']],
    ['500 without words', raw(500, ''), ['answered with status 500.']],
    ['502 of a web page', webPage('Bad Gateway', 502), ['status 502', 'It said: Bad Gateway']],
    [
      '401 of llama.cpp',
      status(401, 'Invalid API Key', { server: 'llama.cpp' }),
      ['keeps no keys', 'llama.cpp', '--api-key', 'Invalid API Key'],
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
      '401 of nobody we know',
      raw(401, ''),
      ['keeps no keys', 'disable_auth: true', 'Require Authentication', '--api-key'],
    ],
    [
      'an error object in the stream',
      failInStream({ message: 'out of memory' }, 'The door'),
      ['reported an error: out of memory'],
    ],
    ['a broken line', breakOff('The door'), ['was lost before the answer was complete']],
    ['a web page', webPage('Files'), ['A web page answered', 'Files']],
    ['an endless reply', endless(), ['more than a reply can be']],
    ['endless comments', endless(': ping\n'.repeat(10_000)), ['more than a reply can be']],
    ['an endless line', endless('x'.repeat(100_000)), ['more than a reply can be']],
  ])('%s', async (_name, step, words) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const { error, pieces } = await tell(endpoint)
    expect(error).toMatchObject({ code: 'provider_error' })
    for (const word of words) expect(String(error)).toContain(word)
    expect(pieces.some(({ kind }) => kind === 'end')).toBeFalse()
  })

  test('with at most 500 letters of the server’s own', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(status(500, 'very '.repeat(10_000)))
    const said = String((await tell(endpoint)).error).split('It said: ')[1] ?? ''
    expect([...said]).toHaveLength(500)
  })

  test('without the story, which some servers repeat', async () => {
    await using endpoint = await startEndpoint()
    const input = { messages: STORY }
    endpoint.next(
      json(422, { detail: [{ loc: ['body'], msg: 'Field required', input }] }),
      json(400, { errors: [{ input }] }),
      json(400, { error: { message: '', received: input } }),
    )
    for (const _ of [1, 2, 3]) expect(String((await tell(endpoint)).error)).not.toContain('secret lamp')
  })

  test('a refused address keeps the sentence of the policy', async () => {
    expect((await tell({ url: 'https://api.openai.com/v1' })).error).toMatchObject({
      code: 'provider_error',
      message: 'api.openai.com belongs to OpenAI, a cloud service. Stories stay on your own network.',
      more: { reason: 'endpoint_refused' },
    })
    expect((await tell({ url: 'not an address' })).error).toMatchObject({
      code: 'provider_error',
      more: { reason: 'endpoint_refused' },
    })
  })

  test.each([
    ['nobody knows', () => Promise.reject(new Error('ENOTFOUND'))],
    ['the name server keeps silent about', () => new Promise<string[]>(() => {})],
  ])('a name that %s does not resolve', async (_which, resolve) => {
    const told = await tell({ url: 'http://attic.lan/v1' }, { options: { resolve, connectTimeout: 0.01 } })
    expect(told.error).toMatchObject({
      code: 'provider_error',
      message: 'attic.lan does not resolve; use its address, or switch it on.',
      more: { reason: 'unresolved' },
    })
  })
})

describe('whoever leaves', () => {
  test.each([
    ['before it is answered', silent],
    ['while it is told', fallSilent('The door')],
  ])('%s gets the reason of the signal, and the line is cut', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const hangUp = new AbortController()
    const asked = tell(endpoint, { signal: hangUp.signal })
    await endpoint.requestArrived()
    const reason = new Error('the player has left')
    hangUp.abort(reason)
    expect((await asked).error).toBe(reason)
    await endpoint.hungUp()
  })

  test('without a reason gets an AbortError', async () => {
    await using endpoint = await startEndpoint()
    const { error } = await tell(endpoint, { signal: AbortSignal.abort() })
    expect(error).toMatchObject({ name: 'AbortError' })
    expect(endpoint.requests).toEqual([])
  })

  test('while the server loads does not wait for it', async () => {
    await using endpoint = await startEndpoint()
    endpoint.byDefault(loading()[0] ?? silent)
    const hangUp = new AbortController()
    const seen = (piece: { kind: string; phase?: string }) => piece.phase === 'loading' && hangUp.abort()
    const { error } = await tell(endpoint, { signal: hangUp.signal, options: { retryEvery: 3_600 }, seen })
    expect(error).toMatchObject({ name: 'AbortError' })
  })

  test('while a name is looked up does not wait for it', async () => {
    const hangUp = new AbortController()
    const resolve = () => {
      hangUp.abort()
      return new Promise<string[]>(() => {})
    }
    const { error } = await tell(
      { url: 'http://attic.lan/v1' },
      { signal: hangUp.signal, options: { resolve } },
    )
    expect(error).toMatchObject({ name: 'AbortError' })
  })

  test('in the middle of reading cuts the line', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(fallSilent('The door'))
    const narrator = createNarrator()
    const asked = { url: endpoint.url, read_timeout_seconds: 10 }
    for await (const piece of narrator.tell(asked, TELLING, new AbortController().signal))
      if (piece.kind === 'text') break
    await endpoint.hungUp()
  })
})

describe('a reply that nobody hears any more', () => {
  const ABORT = { method: 'POST', path: '/api/extra/abort', body: '{}', atRoot: true } as const
  const server = { ...unknown, abort: ABORT }

  test.each<[string, Step]>([
    ['before it is answered', silent],
    ['before it is told', fallSilent()],
    ['while it is told', fallSilent('The door')],
  ])('is ended at the server when somebody leaves %s', async (_when, step) => {
    await using endpoint = await startEndpoint()
    endpoint.next(step)
    const hangUp = new AbortController()
    const asked = tellerOf(server)(endpoint, { signal: hangUp.signal })
    await endpoint.requestArrived()
    hangUp.abort()
    expect((await asked).error).toMatchObject({ name: 'AbortError' })
    await endpoint.hungUp()
    while (endpoint.aborts.length === 0) await new Promise((tick) => setTimeout(tick, 1))
    expect(endpoint.aborts).toMatchObject([{ method: 'POST', path: '/api/extra/abort', body: {} }])
  })

  test('is ended when it was silent for too long, and when it has no end', async () => {
    await using endpoint = await startEndpoint()
    endpoint.next(fallSilent('The door'), endless())
    const tellIt = tellerOf(server)
    for (const code of ['timeout', 'provider_error'])
      expect((await tellIt({ url: endpoint.url, read_timeout_seconds: 1 })).error).toMatchObject({ code })
    await tellIt(endpoint)
    expect(endpoint.aborts).toHaveLength(2)
  })

  test.each<[string, Step[]]>([
    ['that has ended', [say('The door opens.')]],
    ['that was refused', [status(400)]],
    ['that the server was not ready for', loading(1)],
  ])('is not ended %s', async (_which, steps) => {
    await using endpoint = await startEndpoint()
    endpoint.next(steps)
    const hangUp = new AbortController()
    const seen = (piece: { kind: string; phase?: string }) => piece.phase === 'loading' && hangUp.abort()
    const tellIt = tellerOf(server, { retryEvery: 3_600 })
    await tellIt(endpoint, { signal: hangUp.signal, seen })
    await tellIt(endpoint)
    expect(endpoint.aborts).toEqual([])
  })

  test('is ended before the next one is asked for', async () => {
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
    const tellIt = tellerOf(server)
    const hangUp = new AbortController()
    await tellIt(endpoint, { signal: hangUp.signal, seen: ({ kind }) => kind === 'text' && hangUp.abort() })
    const next = tellIt(endpoint)
    // Whoever knows nothing of it is answered meanwhile.
    await tell(endpoint, { telling: { model: 'other-model' } })
    released.open()
    expect((await next).text).toBe('The door opens.')
    expect(order).toEqual(['other-model', 'ended', 'test-model'])
  })

  test.each<[string, Step]>([
    ['does not answer', silent],
    ['does not know how', status(404)],
    ['breaks the line', ({ response }) => void response.socket?.destroy()],
  ])('is let go where the server %s to that', async (_what, step) => {
    await using endpoint = await startEndpoint()
    endpoint.abortWith(step)
    endpoint.next(fallSilent('The door'))
    const tellIt = tellerOf(server, { second: 50 })
    const hangUp = new AbortController()
    const asked = { url: endpoint.url, read_timeout_seconds: 200 }
    const seen = ({ kind }: { kind: string }) => kind === 'text' && hangUp.abort()
    expect((await tellIt(asked, { signal: hangUp.signal, seen })).error).toMatchObject({ name: 'AbortError' })
    expect((await tellIt(asked)).text).toBe('The fire crackles. You wait.')
    expect(endpoint.aborts).toHaveLength(1)
  })
})

import { describe, expect, test } from 'bun:test'
import { createNarrator } from '../../../src/narrator/client.ts'
import { PORTS } from '../../../src/narrator/discover/find-servers.ts'
import { page, plain, type RecordedServer, startRecorded } from '../../support/endpoint/recorded.ts'
import { allowAnyTarget } from '../../support/endpoint/recorder.ts'
import { TRANSCRIPTS } from '../servers/all.ts'
import { jan } from '../servers/jan.ts'
import { llamaCpp } from '../servers/llama-cpp.ts'
import { ollama } from '../servers/ollama.ts'
import { tabbyapi } from '../servers/tabbyapi.ts'
import { textGenerationWebui } from '../servers/text-generation-webui.ts'

allowAnyTarget()

const signal = new AbortController().signal
const NOWHERE = plain('Not Found', 404)
const WEB_PAGE = {
  pages: { 'GET /': plain('<!doctype html><html><head><title>Text Generation Web UI</title></head></html>') },
  elsewhere: page({ detail: 'Not Found' }, 404),
}

function find(servers: readonly RecordedServer[], { own = 0, findTimeout = 2 } = {}) {
  const ports = [...new Set(servers.map(({ port }) => port))]
  return createNarrator({ ports, findTimeout }).findServers(own, signal)
}

async function freePort(): Promise<number> {
  await using server = await startRecorded({ pages: {}, elsewhere: NOWHERE })
  return server.port
}

describe('model servers on this machine', () => {
  test('are searched on their default ports, and on the port of a web page', () => {
    expect([...PORTS].sort((one, other) => one - other)).toEqual([
      1_234, 1_337, 4_891, 5_000, 5_001, 7_860, 8_000, 8_080, 9_931, 11_434,
    ])
  })

  test('are found all at once', async () => {
    const servers = await Promise.all(TRANSCRIPTS.map((transcript) => startRecorded(transcript)))
    await using stack = new AsyncDisposableStack()
    for (const server of servers) stack.use(server)
    const found = await find(servers, { findTimeout: 30 })
    expect(
      found.map(({ server, url, models, evidence, advice }) => ({ server, url, models, evidence, advice })),
    ).toEqual(
      TRANSCRIPTS.map(({ kind, models, evidence }, i) => ({
        server: kind,
        url: servers[i]?.url ?? '',
        models,
        evidence,
        advice: '',
      })),
    )
    expect(found.find(({ server }) => server === 'koboldcpp')?.name).toBe('KoboldCpp')
  })

  test('are listed once when they listen on IPv4 and IPv6', async () => {
    await using first = await startRecorded(ollama)
    await using second = await startRecorded(ollama, { host: '::1', port: first.port })
    expect(second.port).toBe(first.port)
    expect((await find([first])).map(({ url }) => url)).toEqual([first.url])
    expect(second.requests.length).toBeGreaterThan(0)
  })

  test('are both listed when they share only a port', async () => {
    await using first = await startRecorded(ollama)
    await using second = await startRecorded(llamaCpp, { host: '::1', port: first.port })
    expect((await find([first])).map(({ url }) => url)).toEqual([first.url, second.url])
  })

  test('are found on ::1 alone', async () => {
    await using server = await startRecorded(llamaCpp, { host: '::1', port: await freePort() })
    expect(await find([server])).toMatchObject([{ server: 'llama-cpp', url: server.url }])
  })

  test('do not include our own service', async () => {
    await using own = await startRecorded(llamaCpp)
    await using other = await startRecorded(ollama)
    expect(await find([own, other], { own: own.port })).toMatchObject([{ server: 'ollama' }])
    expect(own.requests).toEqual([])
  })

  test('include an unknown server with a model list', async () => {
    await using server = await startRecorded({
      pages: { 'GET /v1/models': page({ data: [{ id: 'a' }, { id: 'b' }] }) },
      elsewhere: NOWHERE,
    })
    expect(await find([server])).toEqual([
      {
        url: server.url,
        server: 'unknown',
        name: 'the model server',
        evidence: [],
        models: ['a', 'b'],
        windows: {},
        advice: '',
      },
    ])
  })
})

describe('what the player should do first', () => {
  const advice = async (pages: object, elsewhere = NOWHERE) => {
    await using server = await startRecorded({ pages: { ...pages }, elsewhere })
    return (await find([server])).map((found) => found.advice)
  }
  const KEY = page({ error: { message: 'Invalid API Key', type: 'authentication_error', code: 401 } }, 401)

  test.each<[string, object, ReturnType<typeof page>, string]>([
    [
      'a key of a recognised server',
      { ...tabbyapi.pages, 'GET /v1/models': page({ detail: 'Please provide an API key' }, 401) },
      NOWHERE,
      'TabbyAPI asks for an API key, but Inglenook does not store keys: set disable_auth: true in its config.yml.',
    ],
    [
      'a key of Jan, whose message names no server',
      { 'GET /openapi.json': jan.pages['GET /openapi.json'] ?? NOWHERE },
      plain('Missing authorization header', 401),
      'Jan asks for an API key, but Inglenook does not store keys: clear the API key in its local server settings, or use its llama.cpp engine.',
    ],
    [
      'a key of a server that is guessed from its message',
      {},
      KEY,
      'Inglenook does not store keys. This looks like llama.cpp: start it without --api-key.',
    ],
    [
      'a model that is loading',
      { ...llamaCpp.pages, 'GET /v1/models': llamaCpp.loading ?? NOWHERE },
      NOWHERE,
      'It is still loading its model. Wait a moment, then search again.',
    ],
    [
      'no model',
      { ...textGenerationWebui.pages, 'GET /v1/models': page({ object: 'list', data: [] }) },
      NOWHERE,
      'It has no models. Load one there, then search again.',
    ],
    [
      'a web page that is not the API',
      WEB_PAGE.pages,
      WEB_PAGE.elsewhere,
      'This is the web page of text-generation-webui, not its API. Start it with --api; the API is then on port 5000.',
    ],
  ])('%s', async (_name, pages, elsewhere, message) => {
    expect(await advice(pages, elsewhere)).toEqual([message])
  })

  test('a web page is not listed with its API, and alone it has no address to save', async () => {
    await using web = await startRecorded(WEB_PAGE)
    await using api = await startRecorded(textGenerationWebui)
    expect(await find([web])).toMatchObject([{ url: '', server: 'text-generation-webui', models: [] }])
    expect(await find([web, api])).toMatchObject([{ url: api.url }])
  })
})

describe('other servers are not listed', () => {
  test.each([
    ['an empty server', {}, NOWHERE],
    ['a web site', {}, plain('<!doctype html><title>My blog</title>', 200, 'text/html')],
    ['one that forbids everything', {}, plain('', 403)],
    ['garbage', {}, plain('}{')],
    ['5 MB', {}, plain('x'.repeat(5_000_000))],
    ['a redirect', {}, { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/v1/models' } }],
  ])('%s', async (_name, pages, elsewhere) => {
    await using server = await startRecorded({ pages, elsewhere })
    expect(await find([server])).toEqual([])
  })

  test('a closed port', async () => {
    const ports = [await freePort()]
    expect(await createNarrator({ ports }).findServers(0, signal)).toEqual([])
  })

  test('a silent one, which does not delay the others', async () => {
    await using silent = await startRecorded({ pages: {}, elsewhere: null })
    await using loud = await startRecorded(ollama)
    expect(await find([silent, loud], { findTimeout: 2 })).toMatchObject([{ server: 'ollama' }])
    expect(silent.requests).toEqual(['GET /v1/models'])
  })
})

test('an aborted call throws the reason of the signal', async () => {
  const reason = new Error('the player has left')
  const aborted = createNarrator({ ports: [await freePort()] }).findServers(0, AbortSignal.abort(reason))
  expect(await aborted.catch((error: unknown) => error)).toBe(reason)
})

import { describe, expect, test } from 'bun:test'
import { createNarrator } from '../../../src/narrator/client.ts'
import { PORTS } from '../../../src/narrator/find-servers.ts'
import { page, plain, type RecordedServer, startRecorded } from '../../support/endpoint/recorded.ts'
import { meanAnywhere } from '../../support/endpoint/recorder.ts'
import { TRANSCRIPTS } from '../servers/all.ts'
import { jan } from '../servers/jan.ts'
import { llamaCpp } from '../servers/llama-cpp.ts'
import { ollama } from '../servers/ollama.ts'
import { tabbyapi } from '../servers/tabbyapi.ts'
import { textGenerationWebui } from '../servers/text-generation-webui.ts'

meanAnywhere()

const signal = new AbortController().signal
const NOWHERE = plain('Not Found', 404)
const WEB_PAGE = {
  pages: { 'GET /': plain('<!doctype html><html><head><title>Text Generation Web UI</title></head></html>') },
  elsewhere: page({ detail: 'Not Found' }, 404),
}

function find(servers: readonly RecordedServer[], { own = 0, findTimeout = 2 } = {}) {
  const ports = [...new Set(servers.map(({ port }) => port))]
  return createNarrator({ ports, findTimeout }).find(own, signal)
}

async function freePort(): Promise<number> {
  await using server = await startRecorded({ pages: {}, elsewhere: NOWHERE })
  return server.port
}

describe('model servers on this machine', () => {
  test('are looked for where they listen by themselves, and where players look first', () => {
    expect([...PORTS].sort((one, other) => one - other)).toEqual([
      1_234, 1_337, 4_891, 5_000, 5_001, 7_860, 8_000, 8_080, 11_434,
    ])
  })

  test('are found all at once', async () => {
    const servers = await Promise.all(TRANSCRIPTS.map((transcript) => startRecorded(transcript)))
    await using stack = new AsyncDisposableStack()
    for (const server of servers) stack.use(server)
    const found = await find(servers)
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

  test('are listed once though they listen on both families', async () => {
    await using first = await startRecorded(ollama)
    await using second = await startRecorded(ollama, { host: '::1', port: first.port })
    expect(second.port).toBe(first.port)
    expect((await find([first])).map(({ url }) => url)).toEqual([first.url])
    expect(second.asked.length).toBeGreaterThan(0)
  })

  test('are listed both when they share no more than a port', async () => {
    await using first = await startRecorded(ollama)
    await using second = await startRecorded(llamaCpp, { host: '::1', port: first.port })
    expect((await find([first])).map(({ url }) => url)).toEqual([first.url, second.url])
  })

  test('are found on ::1 alone', async () => {
    await using server = await startRecorded(llamaCpp, { host: '::1', port: await freePort() })
    expect(await find([server])).toMatchObject([{ server: 'llama-cpp', url: server.url }])
  })

  test('do not include our own', async () => {
    await using own = await startRecorded(llamaCpp)
    await using other = await startRecorded(ollama)
    expect(await find([own, other], { own: own.port })).toMatchObject([{ server: 'ollama' }])
    expect(own.asked).toEqual([])
  })

  test('include a stranger that lists models', async () => {
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
      'a key of one that is recognised',
      { ...tabbyapi.pages, 'GET /v1/models': page({ detail: 'Please provide an API key' }, 401) },
      NOWHERE,
      'TabbyAPI asks for a key, and Inglenook keeps none: set disable_auth: true in its config.yml.',
    ],
    [
      'a key of Jan, whose words name nobody',
      { 'GET /openapi.json': jan.pages['GET /openapi.json'] ?? NOWHERE },
      plain('Missing authorization header', 401),
      'Jan asks for a key, and Inglenook keeps none: clear the API key of its local server, or use its llama.cpp engine.',
    ],
    [
      'a key of one that is guessed by its words',
      {},
      KEY,
      'Inglenook keeps no keys. The server looks like llama.cpp: start it without --api-key.',
    ],
    [
      'a model that loads',
      { ...llamaCpp.pages, 'GET /v1/models': llamaCpp.loading ?? NOWHERE },
      NOWHERE,
      'It is still loading its model. Wait a while, then look again.',
    ],
    [
      'no model',
      { ...textGenerationWebui.pages, 'GET /v1/models': page({ object: 'list', data: [] }) },
      NOWHERE,
      'It offers no model. Load one there, then look again.',
    ],
    [
      'a web page that is not the API',
      WEB_PAGE.pages,
      WEB_PAGE.elsewhere,
      'That is the web page of text-generation-webui, not its API. Start it with --api; the API is then on port 5000.',
    ],
  ])('%s', async (_name, pages, elsewhere, words) => {
    expect(await advice(pages, elsewhere)).toEqual([words])
  })

  test('the web page is left out beside its API, and on its own there is nothing to save', async () => {
    await using web = await startRecorded(WEB_PAGE)
    await using api = await startRecorded(textGenerationWebui)
    expect(await find([web])).toMatchObject([{ url: '', server: 'text-generation-webui', models: [] }])
    expect(await find([web, api])).toMatchObject([{ url: api.url }])
  })
})

describe('what is no model server is not listed', () => {
  test.each([
    ['an empty server', {}, NOWHERE],
    ['a web site', {}, plain('<!doctype html><title>My blog</title>', 200, 'text/html')],
    ['one that allows nothing', {}, plain('', 403)],
    ['garbage', {}, plain('}{')],
    ['5 MB', {}, plain('x'.repeat(5_000_000))],
    ['a redirect', {}, { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/v1/models' } }],
  ])('%s', async (_name, pages, elsewhere) => {
    await using server = await startRecorded({ pages, elsewhere })
    expect(await find([server])).toEqual([])
  })

  test('nobody', async () => {
    const ports = [await freePort()]
    expect(await createNarrator({ ports }).find(0, signal)).toEqual([])
  })

  test('a silent one, which holds up no other', async () => {
    await using silent = await startRecorded({ pages: {}, elsewhere: null })
    await using loud = await startRecorded(ollama)
    expect(await find([silent, loud], { findTimeout: 0.6 })).toMatchObject([{ server: 'ollama' }])
    expect(silent.asked).toEqual(['GET /v1/models'])
  })
})

test('whoever leaves gets the reason of the signal', async () => {
  const reason = new Error('the player has left')
  const leaving = createNarrator({ ports: [await freePort()] }).find(0, AbortSignal.abort(reason))
  expect(await leaving.catch((error: unknown) => error)).toBe(reason)
})

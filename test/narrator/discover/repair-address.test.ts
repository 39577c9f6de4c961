import { describe, expect, test } from 'bun:test'
import { type AddressInfo, connect, createServer } from 'node:net'
import { createNarrator, type RepairedAddress } from '../../../src/narrator/client.ts'
import { startEndpoint } from '../../support/endpoint/endpoint.ts'
import { page, plain, startRecorded } from '../../support/endpoint/recorded.ts'
import { allowAnyTarget } from '../../support/endpoint/recorder.ts'
import { certify, makeAuthority } from '../connect/certificates.ts'
import { koboldcpp } from '../servers/koboldcpp.ts'
import { llamaCpp } from '../servers/llama-cpp.ts'
import { lmStudio } from '../servers/lm-studio.ts'
import { ollama } from '../servers/ollama.ts'
import { tabbyapi } from '../servers/tabbyapi.ts'

allowAnyTarget()

const signal = new AbortController().signal
const NOWHERE = plain('Not Found', 404)
const LIST = page({ data: [{ id: 'a' }] })

/** Repairs a pasted address; `HOST` stands for the server's host and port. */
async function repaired(
  pasted: string,
  server: Parameters<typeof startRecorded>[0] = ollama,
  options: Parameters<typeof createNarrator>[0] = {},
): Promise<RepairedAddress & { asked: string[] }> {
  await using running = await startRecorded(server)
  const host = `127.0.0.1:${running.port}`
  const address = pasted.replace('HOST', host).replace('PORT', String(running.port))
  const { url, changed, advice } = await createNarrator(options).repairAddress(address, signal)
  const mask = (text: string) => text.replaceAll(host, 'HOST').replaceAll(`:${running.port}`, ':PORT')
  return {
    url: mask(url),
    changed: changed && mask(changed),
    advice: advice && mask(advice),
    asked: running.requests,
  }
}

describe('a pasted address', () => {
  test.each([
    ['http://HOST/v1', 'http://HOST/v1', null],
    ['  http://HOST/v1  ', 'http://HOST/v1', null],
    ['http://HOST/v1/', 'http://HOST/v1', '“/” was removed from the end'],
    ['http://HOST/v1///', 'http://HOST/v1', '“///” was removed from the end'],
    ['http://HOST/v1/chat/completions', 'http://HOST/v1', '“/chat/completions” was removed from the end'],
    ['http://HOST/v1/completions/', 'http://HOST/v1', '“/completions/” was removed from the end'],
    ['http://HOST/v1/models', 'http://HOST/v1', '“/models” was removed from the end'],
    ['http://HOST/v1/embeddings', 'http://HOST/v1', '“/embeddings” was removed from the end'],
    ['http://HOST', 'http://HOST/v1', '/v1 was added'],
    ['http://HOST/', 'http://HOST/v1', '“/” was removed from the end, /v1 was added'],
    ['HOST', 'http://HOST/v1', 'http:// was added, /v1 was added'],
    ['localhost:PORT', 'http://localhost:PORT/v1', 'http:// was added, /v1 was added'],
    ['HOST/v1', 'http://HOST/v1', 'http:// was added'],
    ['http://HOST/api', 'http://HOST/v1', '“/api” was removed from the end, /v1 was added'],
    ['http://HOST/api/chat', 'http://HOST/v1', '“/api/chat” was removed from the end, /v1 was added'],
    [
      'HOST/api/generate',
      'http://HOST/v1',
      'http:// was added, “/api/generate” was removed from the end, /v1 was added',
    ],
    ['http://HOST/api/tags', 'http://HOST/v1', '“/api/tags” was removed from the end, /v1 was added'],
    [
      'http://HOST/chat/completions',
      'http://HOST/v1',
      '“/chat/completions” was removed from the end, /v1 was added',
    ],
    ['https://HOST/v1', 'http://HOST/v1', 'https:// became http://'],
    ['https://HOST', 'http://HOST/v1', 'https:// became http://, /v1 was added'],
  ])('%s', async (pasted, url, changes) => {
    const changed = changes && `The address was corrected: ${changes}.`
    expect(await repaired(pasted)).toMatchObject({ url, changed, advice: null })
  })

  test.each([
    ['KoboldCpp', koboldcpp, 'http://HOST/api', 'http://HOST/v1'],
    ['KoboldCpp', koboldcpp, 'http://HOST/api/v1/generate', 'http://HOST/v1'],
    ['LM Studio, which answers every path with 200', lmStudio, 'http://HOST', 'http://HOST/v1'],
    ['LM Studio, which also has the common API there', lmStudio, 'http://HOST/api/v0', 'http://HOST/api/v0'],
    ['LM Studio, which has a different API there', lmStudio, 'http://HOST/api/v1/chat', 'http://HOST/v1'],
    [
      'a server whose API has no /v1',
      { pages: { 'GET /models': LIST }, elsewhere: NOWHERE },
      'http://HOST',
      'http://HOST',
    ],
    [
      'llama-swap, which has only the list without /v1',
      { pages: { 'GET /models': LIST, 'GET /v1/models': LIST }, elsewhere: NOWHERE },
      'http://HOST',
      'http://HOST/v1',
    ],
    [
      'an API below /api',
      { pages: { 'GET /api/models': LIST, 'GET /v1/models': LIST }, elsewhere: NOWHERE },
      'http://HOST/api/chat/completions',
      'http://HOST/api',
    ],
    [
      'an API below another path',
      { pages: { 'GET /llm/v1/models': LIST }, elsewhere: NOWHERE },
      'http://HOST/llm',
      'http://HOST/llm/v1',
    ],
    [
      'a web application that answers every path',
      { pages: { 'GET /v1/models': LIST }, elsewhere: plain('<!doctype html><title>App</title>') },
      'http://HOST',
      'http://HOST/v1',
    ],
    [
      'a model that is loading',
      { pages: {}, elsewhere: llamaCpp.loading ?? NOWHERE },
      'http://HOST/v1',
      'http://HOST/v1',
    ],
  ])('of %s', async (_name, server, pasted, url) => {
    expect(await repaired(pasted, server)).toMatchObject({ url, advice: null })
  })

  test('of a server that asks for a key is found, with advice about the key', async () => {
    const pages = { 'GET /v1/models': page({ detail: 'Please provide an API key' }, 401) }
    const { url, advice } = await repaired('http://HOST', { pages, elsewhere: tabbyapi.elsewhere })
    expect(url).toBe('http://HOST/v1')
    expect(advice).toContain('TabbyAPI: set disable_auth: true')
  })

  test('gets only GET requests for model lists', async () => {
    const { asked } = await repaired('http://HOST/api/chat', { pages: {}, elsewhere: NOWHERE })
    expect(asked.length).toBeGreaterThan(2)
    expect(asked.filter((one) => !/^GET \S*\/models$/.test(one))).toEqual([])
  })
})

describe('http and https', () => {
  test('http becomes https where only that answers', async () => {
    const authority = makeAuthority()
    await using endpoint = await startEndpoint({ tls: certify(authority, '127.0.0.1') })
    const pasted = endpoint.url.replace('https', 'http')
    const narrator = createNarrator({ ca: authority.cert })
    expect(await narrator.repairAddress(pasted, signal)).toEqual({
      url: endpoint.url,
      changed: 'The address was corrected: http:// became https://.',
      advice: null,
    })
  })

  test('an untrusted certificate does not lead to plain http', async () => {
    await using secret = await startEndpoint({ tls: certify(makeAuthority(), '127.0.0.1') })
    await using clear = await startRecorded(ollama)
    await using door = await openDoor(Number(new URL(secret.url).port), clear.port)
    const pasted = `https://127.0.0.1:${door.port}/v1`
    const { url, changed, advice } = await createNarrator().repairAddress(pasted, signal)
    expect({ url, changed }).toEqual({ url: pasted, changed: null })
    expect(advice).toContain('is not trusted')
    expect(clear.requests).toEqual([])
  })
})

/** One port that forwards TLS to a second port, and anything else to a third. */
async function openDoor(secret: number, clear: number): Promise<AsyncDisposable & { port: number }> {
  const door = createServer((visitor) => {
    visitor.on('error', () => {})
    visitor.once('data', (first) => {
      const inside = connect(first[0] === 0x16 ? secret : clear, '127.0.0.1')
      inside.on('error', () => visitor.destroy())
      inside.write(first)
      visitor.pipe(inside).pipe(visitor)
    })
  })
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening))
  const { port } = door.address() as AddressInfo
  return {
    port,
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => door.close(() => closed())),
  }
}

describe('without a model server', () => {
  test.each([
    ['an empty server', NOWHERE, 'HOST answered, but did not list any models.'],
    [
      'a web page',
      plain('<!doctype html><title>App</title>'),
      'HOST sent a web page instead of an API response.',
    ],
    [
      'a redirect',
      { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } },
      'HOST answered, but did not list any models.',
    ],
    ['garbage', plain('}{'), 'HOST answered, but did not list any models.'],
  ])('%s: only the route is removed from the address', async (_name, elsewhere, message) => {
    const { url, changed, advice } = await repaired('HOST/v1/models', { pages: {}, elsewhere })
    expect(url).toBe('http://HOST/v1')
    expect(changed).toBe('The address was corrected: http:// was added, “/models” was removed from the end.')
    expect(advice).toStartWith(message)
  })

  test('/v1 is not added on a guess', async () => {
    expect(await repaired('http://HOST', { pages: {}, elsewhere: NOWHERE })).toMatchObject({
      url: 'http://HOST',
      changed: null,
    })
  })

  test('a silent server times out', async () => {
    const silent = { pages: {}, elsewhere: null }
    const { advice } = await repaired('http://HOST/v1', silent, { repairTimeout: 0.05 })
    expect(advice).toBe('HOST did not answer within 0.05 seconds.')
  })

  const nobody = async () => {
    const server = createServer()
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    await new Promise((closed) => server.close(closed))
    return port
  }

  test('a closed port', async () => {
    const { url, advice } = await createNarrator().repairAddress(`localhost:${await nobody()}`, signal)
    expect(url).toStartWith('http://localhost:')
    expect(advice).toStartWith('No server answered at localhost:')
    expect(advice).not.toContain('container')
  })

  test.each(['localhost', '127.0.0.1'])('%s in a container is the container itself', async (host) => {
    const contained = createNarrator({ isContained: () => true })
    const { advice } = await contained.repairAddress(`http://${host}:${await nobody()}/v1`, signal)
    expect(advice).toContain('Inglenook runs in a container')
    expect(advice).toContain('host.docker.internal')
  })

  test('another machine gets no container advice', async () => {
    const contained = createNarrator({ isContained: () => true, resolve: async () => ['127.0.0.1'] })
    const { advice } = await contained.repairAddress(`http://model.lan:${await nobody()}/v1`, signal)
    expect(advice).toStartWith('No server answered at model.lan:')
    expect(advice).not.toContain('container')
  })

  test('a container gets no advice when a server answers', async () => {
    expect(await repaired('http://HOST/v1', ollama, { isContained: () => true })).toMatchObject({
      advice: null,
    })
  })
})

describe('a refused address', () => {
  test.each([
    'http://8.8.8.8/v1',
    '8.8.8.8:11434',
    'api.openai.com/v1',
    'ftp://127.0.0.1/v1',
    'http://key@127.0.0.1/v1',
    'http://127.0.0.1/v1?key=1',
    'http://127.0.0.1/v 1',
    '',
  ])('%p', async (pasted) => {
    const error = await createNarrator()
      .repairAddress(pasted, signal)
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'endpoint_refused' })
  })

  test('an aborted call throws the reason of the signal', async () => {
    const reason = new Error('the player has left')
    const aborted = createNarrator().repairAddress('http://127.0.0.1:1/v1', AbortSignal.abort(reason))
    expect(await aborted.catch((error: unknown) => error)).toBe(reason)
  })
})

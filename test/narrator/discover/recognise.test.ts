import { describe, expect, test } from 'bun:test'
import { createNarrator, type Recognised } from '../../../src/narrator/client.ts'
import { SERVERS } from '../../../src/narrator/servers/servers.ts'
import { page, plain, type RecordedResponse, startRecorded } from '../../support/endpoint/recorded.ts'
import { TRANSCRIPTS } from '../servers/all.ts'
import { koboldcpp } from '../servers/koboldcpp.ts'
import { llamaCpp } from '../servers/llama-cpp.ts'
import { lmStudio } from '../servers/lm-studio.ts'
import { ollama } from '../servers/ollama.ts'
import { tabbyapi } from '../servers/tabbyapi.ts'
import { vllm } from '../servers/vllm.ts'

const narrator = createNarrator()
const signal = new AbortController().signal
const NOWHERE = plain('Not Found', 404)

async function recognised(
  pages: Record<string, RecordedResponse>,
  elsewhere: RecordedResponse | null = NOWHERE,
  headers: Record<string, string> = {},
) {
  await using server = await startRecorded({ pages, elsewhere }, { headers })
  return await narrator.recognise(server.url, signal)
}

describe('a model server is recognised by its own pages', () => {
  test('every server has a transcript', () => {
    expect(TRANSCRIPTS.map(({ kind }) => kind).sort()).toEqual(SERVERS.map(({ kind }) => kind).sort())
  })

  for (const { kind, pages, elsewhere, evidence } of TRANSCRIPTS) {
    test(kind, async () => {
      expect(await recognised(pages, elsewhere)).toEqual({ server: kind, evidence })
    })

    test(`${kind}, and each line of evidence is on the page that it names`, async () => {
      const { evidence: lines } = await recognised(pages, elsewhere)
      for (const line of lines) {
        const [, path = '', quoted = ''] = /^(\S+): (.*)$/.exec(line) ?? []
        const { body } = pages[`GET ${path}`] ?? elsewhere
        for (const [found] of quoted.matchAll(/"[^"]*"|\b\d+$/g))
          expect(body).toContain(found.replaceAll('"', ''))
      }
    })

    test(`${kind} behind a proxy that names others in its headers`, async () => {
      const names = SERVERS.map(({ name }) => name).join(', ')
      const headers = { server: names, 'x-powered-by': names, 'www-authenticate': names }
      expect(await recognised(pages, elsewhere, headers)).toEqual({ server: kind, evidence })
    })
  }

  test('by any one of its fingerprints', async () => {
    const fingerprints = TRANSCRIPTS.flatMap(({ kind, pages, evidence }) =>
      evidence.map((line) => ({ kind, line, path: `GET ${/^\S+(?=:)/.exec(line)?.[0]}`, pages })),
    )
    for (const { kind, line, path, pages } of fingerprints) {
      const reply = pages[path]
      if (!reply) throw new Error(`no page for ${line}`)
      expect(await recognised({ [path]: reply })).toEqual({ server: kind, evidence: [line] })
    }
  })

  test('llama.cpp while it is loading', async () => {
    const loading = llamaCpp.loading ?? NOWHERE
    expect(await recognised({}, loading)).toEqual({
      server: 'llama-cpp',
      evidence: ['/props: error.message "Loading model"'],
    })
  })

  test('LM Studio without a model', async () => {
    const pages = {
      ...lmStudio.pages,
      'GET /api/v1/models': page({ models: [] }),
      'GET /api/v0/models': page({ data: [] }),
    }
    expect(await recognised(pages)).toMatchObject({ server: 'lm-studio' })
  })

  test('by an address without a path too', async () => {
    await using server = await startRecorded({
      pages: { 'GET /models': page({ data: [{ owned_by: 'vllm' }] }) },
      elsewhere: NOWHERE,
    })
    const url = server.url.replace(/\/v1$/, '')
    expect(await narrator.recognise(url, signal)).toEqual({
      server: 'vllm',
      evidence: ['/models: data.0.owned_by "vllm"'],
    })
  })
})

describe('decoys', () => {
  const nobody: Recognised = { server: 'unknown', evidence: [] }
  const weak = {
    'GET /api/version': page({ version: '0.12.6' }),
    'GET /api/tags': page({ models: [{ name: 'a:latest' }] }),
    'GET /props': page({ default_generation_settings: {} }),
    'GET /api/v1/models': page({ object: 'list', data: [{ id: 'a' }] }),
    'GET /v1/models': page({
      object: 'list',
      data: [{ id: 'a', owned_by: 'organization', max_model_len: 4_096 }],
    }),
  }

  test.each<[string, Record<string, RecordedResponse>, RecordedResponse]>([
    ['an empty server', {}, NOWHERE],
    ['the pages that many servers imitate', weak, NOWHERE],
    ['an error with status 200 for everything', {}, page({ error: 'no such page' })],
    [
      'a web page for everything',
      {},
      plain('<!doctype html><title>Ollama is running</title>', 200, 'text/html'),
    ],
    ['garbage', {}, plain('\u0000\u0001{"software":{"name":"KoboldCpp"}', 200)],
    ['5 MB', {}, page({ fill: 'x'.repeat(5_000_000), software: { name: 'KoboldCpp' } })],
    ['JSON of other shapes', {}, page([[null, 7], { software: 'KoboldCpp', info: { title: 7 } }])],
    ['null', {}, page(null)],
    ['another loading server', {}, page({ error: { message: 'Loading model', type: 'busy' } }, 503)],
    ['an error page that names a server', {}, page({ software: { name: 'KoboldCpp' } }, 404)],
    [
      'a redirect to a real one',
      {},
      { ...page({ software: { name: 'KoboldCpp' } }, 302), headers: { location: 'http://127.0.0.1:1/' } },
    ],
  ])('%s is unknown', async (_name, pages, elsewhere) => {
    expect(await recognised(pages, elsewhere)).toEqual(nobody)
  })

  test('a server with three fingerprints is unknown, and the evidence says why', async () => {
    const pages = { ...ollama.pages, ...vllm.pages, 'GET /props': llamaCpp.pages['GET /props'] ?? NOWHERE }
    expect(await recognised(pages)).toEqual({
      server: 'unknown',
      evidence: [
        '/: "Ollama is running"',
        '/props: default_generation_settings.n_ctx 8192',
        '/v1/models: data.0.owned_by "vllm"',
      ],
    })
  })

  test('an imitator is recognised even if it shows the other’s fingerprint', async () => {
    const pages = { ...koboldcpp.pages, 'GET /': plain('Ollama is running') }
    expect(await recognised(pages)).toEqual({ server: 'koboldcpp', evidence: koboldcpp.evidence })
    const asKobold = tabbyapi.pages['GET /api/extra/version']
    expect(asKobold?.body).toContain('KoboldCpp')
  })

  test('a server that never answers times out', async () => {
    await using server = await startRecorded({ pages: {}, elsewhere: null })
    const impatient = createNarrator({ recogniseTimeout: 0.5 })
    expect(await impatient.recognise(server.url, signal)).toEqual(nobody)
    expect(server.requests.length).toBeGreaterThan(5)
  })

  test('silent pages do not hide what other pages say', async () => {
    const own = koboldcpp.pages['GET /.well-known/serviceinfo'] ?? NOWHERE
    await using server = await startRecorded({
      pages: { 'GET /.well-known/serviceinfo': own },
      elsewhere: null,
    })
    const impatient = createNarrator({ recogniseTimeout: 1 })
    expect(await impatient.recognise(server.url, signal)).toMatchObject({ server: 'koboldcpp' })
  })

  test('a closed port', async () => {
    const server = await startRecorded({ pages: {}, elsewhere: null })
    await server[Symbol.asyncDispose]()
    expect(await narrator.recognise(server.url, signal)).toEqual(nobody)
  })

  test('a refused address gets no request', async () => {
    expect(await narrator.recognise('http://8.8.8.8/v1', signal)).toEqual(nobody)
  })

  test('each page is requested once, with GET, only from the pasted host', async () => {
    await using server = await startRecorded({ pages: {}, elsewhere: NOWHERE })
    await narrator.recognise(server.url, signal)
    expect(new Set(server.requests).size).toBe(server.requests.length)
    expect(server.requests.filter((asked) => !asked.startsWith('GET '))).toEqual([])
  })

  test('an aborted call throws the reason of the signal', async () => {
    const reason = new Error('the player has left')
    const aborted = narrator.recognise('http://127.0.0.1:1/v1', AbortSignal.abort(reason))
    expect(await aborted.catch((error: unknown) => error)).toBe(reason)
  })
})

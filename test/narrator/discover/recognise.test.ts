import { describe, expect, test } from 'bun:test'
import { createNarrator, type Recognised } from '../../../src/narrator/client.ts'
import { SERVERS } from '../../../src/narrator/servers/servers.ts'
import { page, plain, type Reply, startRecorded } from '../../support/endpoint/recorded.ts'
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
  pages: Record<string, Reply>,
  elsewhere: Reply | null = NOWHERE,
  headers: Record<string, string> = {},
) {
  await using server = await startRecorded({ pages, elsewhere }, { headers })
  return await narrator.recognise(server.url, signal)
}

describe('a model server is recognised by its own pages', () => {
  test('there is a transcript of each', () => {
    expect(TRANSCRIPTS.map(({ kind }) => kind).sort()).toEqual(SERVERS.map(({ kind }) => kind).sort())
  })

  for (const { kind, pages, elsewhere, evidence } of TRANSCRIPTS) {
    test(kind, async () => {
      expect(await recognised(pages, elsewhere)).toEqual({ server: kind, evidence })
    })

    test(`${kind}, and each line of evidence stands on the page that it names`, async () => {
      const { evidence: lines } = await recognised(pages, elsewhere)
      for (const line of lines) {
        const [, path = '', words = ''] = /^(\S+): (.*)$/.exec(line) ?? []
        const { body } = pages[`GET ${path}`] ?? elsewhere
        for (const [found] of words.matchAll(/"[^"]*"|\b\d+$/g))
          expect(body).toContain(found.replaceAll('"', ''))
      }
    })

    test(`${kind} behind a proxy that names others in its headers`, async () => {
      const names = SERVERS.map(({ name }) => name).join(', ')
      const headers = { server: names, 'x-powered-by': names, 'www-authenticate': names }
      expect(await recognised(pages, elsewhere, headers)).toEqual({ server: kind, evidence })
    })
  }

  test('by any of its signs alone', async () => {
    const signs = TRANSCRIPTS.flatMap(({ kind, pages, evidence }) =>
      evidence.map((line) => ({ kind, line, path: `GET ${/^\S+(?=:)/.exec(line)?.[0]}`, pages })),
    )
    for (const { kind, line, path, pages } of signs) {
      const reply = pages[path]
      if (!reply) throw new Error(`no page for ${line}`)
      expect(await recognised({ [path]: reply })).toEqual({ server: kind, evidence: [line] })
    }
  })

  test('llama.cpp while it loads', async () => {
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

  test('under the bare address too', async () => {
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

  test.each<[string, Record<string, Reply>, Reply]>([
    ['an empty server', {}, NOWHERE],
    ['the pages that everyone imitates', weak, NOWHERE],
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
    ['another that loads', {}, page({ error: { message: 'Loading model', type: 'busy' } }, 503)],
    ['an error page that tells of a server', {}, page({ software: { name: 'KoboldCpp' } }, 404)],
    [
      'a redirect to a real one',
      {},
      { ...page({ software: { name: 'KoboldCpp' } }, 302), headers: { location: 'http://127.0.0.1:1/' } },
    ],
  ])('%s is unknown', async (_name, pages, elsewhere) => {
    expect(await recognised(pages, elsewhere)).toEqual(nobody)
  })

  test('whoever shows the signs of three is none of them, and the lines say why', async () => {
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

  test('an imitator is itself, also where it shows the very sign of the other', async () => {
    const pages = { ...koboldcpp.pages, 'GET /': plain('Ollama is running') }
    expect(await recognised(pages)).toEqual({ server: 'koboldcpp', evidence: koboldcpp.evidence })
    const asKobold = tabbyapi.pages['GET /api/extra/version']
    expect(asKobold?.body).toContain('KoboldCpp')
  })

  test('a server that never answers is given up', async () => {
    await using server = await startRecorded({ pages: {}, elsewhere: null })
    const impatient = createNarrator({ recogniseTimeout: 0.05 })
    expect(await impatient.recognise(server.url, signal)).toEqual(nobody)
    expect(server.asked.length).toBeGreaterThan(5)
  })

  test('silent pages hold up nothing that others say', async () => {
    const own = koboldcpp.pages['GET /.well-known/serviceinfo'] ?? NOWHERE
    await using server = await startRecorded({
      pages: { 'GET /.well-known/serviceinfo': own },
      elsewhere: null,
    })
    const impatient = createNarrator({ recogniseTimeout: 0.2 })
    expect(await impatient.recognise(server.url, signal)).toMatchObject({ server: 'koboldcpp' })
  })

  test('nobody there', async () => {
    const server = await startRecorded({ pages: {}, elsewhere: null })
    await server[Symbol.asyncDispose]()
    expect(await narrator.recognise(server.url, signal)).toEqual(nobody)
  })

  test('a refused address is asked nothing', async () => {
    expect(await narrator.recognise('http://8.8.8.8/v1', signal)).toEqual(nobody)
  })

  test('each page is asked once, with GET, on the pasted host alone', async () => {
    await using server = await startRecorded({ pages: {}, elsewhere: NOWHERE })
    await narrator.recognise(server.url, signal)
    expect(new Set(server.asked).size).toBe(server.asked.length)
    expect(server.asked.filter((asked) => !asked.startsWith('GET '))).toEqual([])
  })

  test('whoever leaves gets the reason of the signal', async () => {
    const reason = new Error('the player has left')
    const leaving = narrator.recognise('http://127.0.0.1:1/v1', AbortSignal.abort(reason))
    expect(await leaving.catch((error: unknown) => error)).toBe(reason)
  })
})

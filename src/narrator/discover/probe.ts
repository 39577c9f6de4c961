import type { ServerKind } from '../../domain/model/model-server.ts'
import { parseJson } from '../../lib/json.ts'
import { isCount } from '../../lib/numbers.ts'
import type { EndpointConnection } from '../connect/endpoint-connection.ts'
import { bodyText, isSuccess } from '../connect/transport.ts'
import { parseEndpoint, rootOf } from '../policy/endpoint-url.ts'
import type { PageResponse, Server, ServerPath, WindowPage } from '../servers/server.ts'
import { SERVERS, serverOf, unknown } from '../servers/servers.ts'

export interface Probe {
  connection: EndpointConnection
  url: string
  seconds: number
  signal: AbortSignal
}

/** Reads a page; null on a timeout, connection error or refusal. Throws only the signal's reason. */
export type ReadPage = (page: ServerPath) => Promise<PageResponse | null>

export function pageReader(probe: Probe): ReadPage {
  const responses = new Map<string, Promise<PageResponse | null>>()
  return (page) => {
    const key = `${page.atRoot} ${page.path}`
    const response = responses.get(key) ?? tryPage({ ...probe, url: pageUrl(probe.url, page) }, page.path)
    responses.set(key, response)
    return response
  }
}

export function pageUrl(url: string, { atRoot }: Pick<ServerPath, 'atRoot'>): string {
  return atRoot ? rootOf(url) : url
}

function pagePath(url: string, page: ServerPath): string {
  return parseEndpoint(pageUrl(url, page)).url.pathname.replace(/\/$/, '') + page.path
}

async function tryPage(probe: Probe, path: string): Promise<PageResponse | null> {
  try {
    return await readPage(probe, path)
  } catch {
    probe.signal.throwIfAborted()
    return null
  }
}

/** Throws endpoint_refused, ConnectionError, TimeoutError, or the signal's reason. */
export async function readPage(
  { connection, url, seconds, signal }: Probe,
  path: string,
): Promise<PageResponse> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)])
  const response = await connection.send(
    { url, read_timeout_seconds: seconds },
    { method: 'GET', path },
    limited,
  )
  const text = await bodyText(response.body)
  return { status: response.status, text, json: parseJson(text) }
}

export interface Recognised {
  server: ServerKind
  evidence: string[]
}

/**
 * Reads all fingerprint pages at once. Returns `unknown` if none matches, or if servers match that do not imitate
 * each other. Throws only the signal's reason.
 */
export async function recognise(probe: Probe): Promise<Recognised> {
  const read = pageReader(probe)
  const all = await Promise.all(
    SERVERS.map(async (server) => ({ server, evidence: await evidenceOf(server, probe.url, read) })),
  )
  const [first, ...others] = all.filter(({ evidence }) => evidence.length > 0)
  if (!first) return { server: 'unknown', evidence: [] }
  const isCertain = others.every(({ server }) => first.server.imitates?.includes(server.kind))
  if (isCertain) return { server: first.server.kind, evidence: first.evidence }
  return { server: 'unknown', evidence: [first, ...others].flatMap(({ evidence }) => evidence) }
}

async function evidenceOf({ fingerprints }: Server, url: string, read: ReadPage): Promise<string[]> {
  const lines = fingerprints.map(async (fingerprint) => {
    const evidence = fingerprint.evidence((await read(fingerprint).then(meaningful)) ?? NO_RESPONSE)
    return evidence && `${pagePath(url, fingerprint)}: ${evidence}`
  })
  return (await Promise.all(lines)).filter((line) => line !== null)
}

const NO_RESPONSE: PageResponse = { status: 0, text: '', json: undefined }

// An error page proves nothing, except the 503 of a loading server.
function meaningful(response: PageResponse | null): PageResponse | null {
  return response && (isSuccess(response) || response.status === 503) ? response : null
}

export interface WindowFound {
  tokens: number
  from: string
}

export async function findWindow(
  probe: Probe,
  server: ServerKind | undefined,
  model: string,
): Promise<WindowFound | null> {
  const read = pageReader(probe)
  for (const page of windowPages(server)) {
    const query = page.isOfModel ? `?model=${encodeURIComponent(model)}` : ''
    const response = await read({ ...page, path: page.path + query })
    const tokens = response && isSuccess(response) ? page.read(response.json, model) : null
    if (isCount(tokens, 1)) return { tokens, from: page.path }
  }
  return null
}

// An unrecognised server may have any page.
function windowPages(kind: ServerKind = 'unknown'): readonly WindowPage[] {
  if (kind !== 'unknown') return serverOf(kind).windowPages ?? []
  return [...SERVERS, unknown].flatMap(({ windowPages = [] }) => windowPages)
}

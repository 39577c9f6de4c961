import { parseJson } from '../../lib/json.ts'
import type { EndpointConnection } from '../connect/endpoint-connection.ts'
import { bodyText } from '../connect/transport.ts'
import { parseEndpoint, rootOf } from '../policy/endpoint-url.ts'
import type { PageResponse, ServerPath } from '../servers/server.ts'

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

export function pagePath(url: string, page: ServerPath): string {
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

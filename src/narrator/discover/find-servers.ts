import type { FoundServer, ModelInfo, ServerKind } from '../../domain/model/model-server.ts'
import type { EndpointConnection } from '../connect/endpoint-connection.ts'
import { isSuccess, needsKey } from '../connect/transport.ts'
import { isWebPage, keyAdvice } from '../error-sentences.ts'
import { isModelList, modelsIn } from '../servers/model-list.ts'
import type { PageResponse } from '../servers/server.ts'
import { SERVERS, serverOf } from '../servers/servers.ts'
import { findWindow, type Probe, pageReader, type ReadPage, recognise } from './probe.ts'

/** Web page of text-generation-webui, often mistaken for its API. */
const WEB_PAGE_PORT = 7860
export const PORTS: readonly number[] = [
  ...new Set([...SERVERS.flatMap(({ ports }) => ports), WEB_PAGE_PORT]),
]
const HOSTS = ['127.0.0.1', '[::1]'] as const

/**
 * Searches all ports of this machine at once, for `seconds` in all; slower servers are left out. Throws only the
 * signal's reason.
 */
export async function findServers(
  connection: EndpointConnection,
  ports: readonly number[],
  seconds: number,
  signal: AbortSignal,
): Promise<FoundServer[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)])
  const probes = ports.flatMap((port) =>
    HOSTS.map(
      (host): Probe => ({
        connection,
        url: `http://${host}:${port}/v1`,
        seconds: seconds / 3,
        signal: limited,
      }),
    ),
  )
  const found = await Promise.all(probes.map((probe) => findServer(probe).catch(() => null)))
  signal.throwIfAborted()
  return withoutDuplicates(found.filter((server) => server !== null))
}

async function findServer(probe: Probe): Promise<FoundServer | null> {
  const read = pageReader(probe)
  // A closed port gets only this request. A server without a model list is at most a web page.
  const list = await read({ path: '/models' })
  if (list === null) return null
  const { server, evidence } = await recognise(probe)
  if (server === 'unknown' && !isModelServer(list)) return findWebPage(read)
  const listed = isSuccess(list) ? modelsIn(list.json) : []
  const models = listed.map(({ id }) => id)
  return {
    url: probe.url,
    server,
    name: serverOf(server).name,
    evidence,
    models,
    windows: await windowsOf(probe, server, listed),
    advice: adviceFor(server, list, models),
  }
}

/** Windows from the list; for a single model, which is the loaded one, from the server's own pages. */
async function windowsOf(probe: Probe, server: ServerKind, models: readonly ModelInfo[]) {
  const [only] = models
  const loaded =
    only && models.length === 1 ? await findWindow(probe, server, only.id).catch(() => null) : null
  return Object.fromEntries(
    models.flatMap(({ id, context_length }) => {
      const tokens = loaded?.tokens ?? context_length
      return tokens === null ? [] : [[id, tokens]]
    }),
  )
}

function isModelServer({ status, json, text }: PageResponse): boolean {
  return isSuccess({ status }) ? isModelList(json) : needsKey({ status }) && json !== undefined && text !== ''
}

function adviceFor(server: ServerKind, { status, text }: PageResponse, models: readonly string[]): string {
  if (needsKey({ status })) {
    const { name, key } = serverOf(server)
    return key
      ? `${name} asks for an API key, but Inglenook does not store keys: ${key.remedy}.`
      : keyAdvice(text)
  }
  if (status === 503) return 'It is still loading its model. Wait a moment, then search again.'
  return models.length === 0 ? 'It has no models. Load one there, then search again.' : ''
}

async function findWebPage(read: ReadPage): Promise<FoundServer | null> {
  const { text } = (await read({ path: '/', atRoot: true })) ?? { text: '' }
  // Limited in length: a page may have many titles, or an endless one.
  const [, title = ''] = (isWebPage(text) && /<title>([^<]{1,200})</i.exec(text)) || []
  if (!/text ?gen/i.test(title)) return null
  const { kind, name, ports } = serverOf('text-generation-webui')
  const advice = `This is the web page of ${name}, not its API. Start it with --api; the API is then on port ${ports[0]}.`
  return {
    url: '',
    server: kind,
    name,
    evidence: [`/: title “${title.trim()}”`],
    models: [],
    windows: {},
    advice,
  }
}

// A server on IPv4 and IPv6 is listed once; its web page is left out if its API was found.
function withoutDuplicates(found: readonly FoundServer[]): FoundServer[] {
  const apis = uniqueBy(
    found.filter(({ url }) => url !== ''),
    ({ url, server, models }) => [new URL(url).port, server, ...models].join('\n'),
  )
  const pages = uniqueBy(
    found.filter(({ url }) => url === ''),
    ({ server }) => server,
  )
  return [...apis, ...pages.filter(({ server }) => !apis.some((api) => api.server === server))]
}

function uniqueBy<T>(list: readonly T[], keyOf: (item: T) => string): T[] {
  return list.filter((item, index) => list.findIndex((other) => keyOf(other) === keyOf(item)) === index)
}

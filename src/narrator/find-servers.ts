import type { ServerKind } from '../domain/model/server-kind.ts'
import { keyAdvice } from './key-advice.ts'
import { isModelList, modelsIn } from './discover/model-list.ts'
import type { AskPage } from './pages.ts'
import { pagesOf } from './pages.ts'
import { isWebPage } from './messages/quote.ts'
import { recognise } from './recognise.ts'
import type { PageAnswer } from './servers/server.ts'
import { SERVERS, serverOf } from './servers/servers.ts'
import { isSuccess, type Wire } from './wire.ts'

/** A model server on this machine. */
export interface FoundServer {
  /** The address to save; '' where there is nothing to save, but something to do. */
  url: string
  server: ServerKind
  name: string
  evidence: string[]
  models: string[]
  /** What the player should do there first; '' when it can be used as it is. */
  advice: string
}

/** The web page of text-generation-webui: players find it first, and it is not the API. */
const WEB_PAGE_PORT = 7860
/** Where model servers listen unless they are told otherwise. */
export const PORTS: readonly number[] = [
  ...new Set([...SERVERS.flatMap(({ ports }) => ports), WEB_PAGE_PORT]),
]
const HOSTS = ['127.0.0.1', '[::1]'] as const

/**
 * Looks for model servers on this machine, on all ports at once, for so many seconds in all. What had not answered by
 * then is left out. Throws the signal's reason alone.
 */
export async function findServers(
  wire: Wire,
  ports: readonly number[],
  seconds: number,
  signal: AbortSignal,
): Promise<FoundServer[]> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)])
  const looks = ports.flatMap((port) =>
    HOSTS.map((host) => lookAt(wire, `http://${host}:${port}`, seconds / 3, end)),
  )
  const found = await Promise.all(looks.map((look) => look.catch(() => null)))
  signal.throwIfAborted()
  return withoutTwins(found.filter((server) => server !== null))
}

async function lookAt(
  wire: Wire,
  origin: string,
  seconds: number,
  signal: AbortSignal,
): Promise<FoundServer | null> {
  const url = `${origin}/v1`
  const ask = pagesOf(wire, url, seconds, signal)
  // Whoever has no such list is no model server, or its web page; nothing more is asked of a port where nobody is.
  const list = await ask({ path: '/models', atRoot: false })
  if (list === null) return null
  const { server, evidence } = await recognise(wire, { url }, seconds, signal)
  if (server === 'unknown' && !isModelServer(list)) return webPageAt(ask)
  const models = isSuccess(list) ? modelsIn(list.json).map(({ id }) => id) : []
  return {
    url,
    server,
    name: serverOf(server).name,
    evidence,
    models,
    advice: adviceFor(server, list, models),
  }
}

function isModelServer({ status, json, text }: PageAnswer): boolean {
  return isSuccess({ status }) ? isModelList(json) : isKeyWanted(status) && json !== undefined && text !== ''
}

function isKeyWanted(status: number): boolean {
  return status === 401 || status === 403
}

function adviceFor(server: ServerKind, { status, text }: PageAnswer, models: readonly string[]): string {
  if (isKeyWanted(status)) {
    const { name, key } = serverOf(server)
    return key ? `${name} asks for a key, and Inglenook keeps none: ${key.remedy}.` : keyAdvice(text)
  }
  if (status === 503) return 'It is still loading its model. Wait a while, then look again.'
  return models.length === 0 ? 'It offers no model. Load one there, then look again.' : ''
}

async function webPageAt(ask: AskPage): Promise<FoundServer | null> {
  const { text } = (await ask({ path: '/', atRoot: true })) ?? { text: '' }
  // As long as a title is and no longer: a page may have any number of them, or one without end.
  const [, title = ''] = (isWebPage(text) && /<title>([^<]{1,200})</i.exec(text)) || []
  if (!/text ?gen/i.test(title)) return null
  const { kind, name, ports } = serverOf('text-generation-webui')
  const advice = `That is the web page of ${name}, not its API. Start it with --api; the API is then on port ${ports[0]}.`
  return { url: '', server: kind, name, evidence: [`/: title “${title.trim()}”`], models: [], advice }
}

// A server that listens on both families is one, and a web page is of no use beside its API.
function withoutTwins(found: readonly FoundServer[]): FoundServer[] {
  const apis = firstOfEach(
    found.filter(({ url }) => url !== ''),
    ({ url, server, models }) => [new URL(url).port, server, ...models].join('\n'),
  )
  const pages = firstOfEach(
    found.filter(({ url }) => url === ''),
    ({ server }) => server,
  )
  return [...apis, ...pages.filter(({ server }) => !apis.some((api) => api.server === server))]
}

function firstOfEach<T>(list: readonly T[], nameOf: (item: T) => string): T[] {
  return list.filter((item, at) => list.findIndex((other) => nameOf(other) === nameOf(item)) === at)
}

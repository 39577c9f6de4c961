import type { ServerKind } from '../domain/model/server-kind.ts'
import type { Endpoint } from '../domain/model/model-request.ts'
import { pagesOf } from './pages.ts'
import type { WindowPage } from './servers/server.ts'
import { SERVERS, serverOf } from './servers/servers.ts'
import { unknown } from './servers/unknown.ts'
import { isSuccess, type Wire } from './wire.ts'

/** How many tokens a model really takes in, and which of the server's own pages says so. */
export interface WindowFound {
  tokens: number
  from: string
}

/** Asks a server for the window of a model; null when it does not tell. A silent or odd answer is passed over. */
export async function findWindow(
  wire: Wire,
  { url, server }: Endpoint,
  model: string,
  seconds: number,
  signal: AbortSignal,
): Promise<WindowFound | null> {
  const ask = pagesOf(wire, url, seconds, signal)
  for (const page of windowsOf(server)) {
    const answer = await ask(page)
    const tokens = answer && isSuccess(answer) ? page.read(answer.json, model) : null
    if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0)
      return { tokens, from: page.path }
  }
  return null
}

// A server that nobody recognised may have the page of any.
function windowsOf(kind: ServerKind = 'unknown'): readonly WindowPage[] {
  const { windows } = serverOf(kind)
  return kind === 'unknown' ? [...SERVERS.flatMap((server) => server.windows), ...unknown.windows] : windows
}

import type { ServerKind } from '../../domain/model/server-kind.ts'
import { isCount } from '../../lib/numbers.ts'
import { isSuccess } from '../connect/transport.ts'
import type { WindowPage } from '../servers/server.ts'
import { SERVERS, serverOf, unknown } from '../servers/servers.ts'
import { type Probe, pageReader } from './probe-pages.ts'

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

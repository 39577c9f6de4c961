import type { ServerKind } from '../../domain/server-kind.ts'
import type { Server } from './server.ts'
import { unknown } from './unknown.ts'

/** Every server that we know, in the order in which they are recognised: several imitate others. */
export const SERVERS: readonly Server[] = []

/** The ways of the server that an endpoint was seen to be. */
export function serverOf(kind: ServerKind = 'unknown'): Server {
  return SERVERS.find((server) => server.kind === kind) ?? unknown
}

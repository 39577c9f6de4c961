import type { ServerKind } from '../../domain/model/server-kind.ts'
import { isSuccess } from '../connect/transport.ts'
import type { PageResponse, Server } from '../servers/server.ts'
import { SERVERS } from '../servers/servers.ts'
import { type Probe, pagePath, pageReader, type ReadPage } from './probe-pages.ts'

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

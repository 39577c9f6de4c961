import type { ServerKind } from '../domain/model/server-kind.ts'
import { pagesOf, pathOf } from './pages.ts'
import type { PageAnswer, Server } from './servers/server.ts'
import { SERVERS } from './servers/servers.ts'
import { isSuccess, type Wire } from './wire.ts'

/** Which server an address is, and the lines that say so: a page, and the words found there. */
export interface Recognised {
  server: ServerKind
  evidence: string[]
}

/**
 * Looks at the pages that servers are known by, all at once, for so many seconds. Unknown when none shows, and when
 * two show that do not imitate each other. Throws the signal's reason alone.
 */
export async function recognise(
  wire: Wire,
  { url }: { url: string },
  seconds: number,
  signal: AbortSignal,
): Promise<Recognised> {
  const ask = pagesOf(wire, url, seconds, signal)
  const evidenceOf = async ({ signs }: Server) => {
    const lines = signs.map(async (sign) => {
      const words = sign.evidence((await ask(sign).then(spoken)) ?? NOTHING)
      return words && `${pathOf(url, sign)}: ${words}`
    })
    return (await Promise.all(lines)).filter((line) => line !== null)
  }
  const all = await Promise.all(
    SERVERS.map(async (server) => ({ server, evidence: await evidenceOf(server) })),
  )
  const [first, ...others] = all.filter(({ evidence }) => evidence.length > 0)
  if (!first) return { server: 'unknown', evidence: [] }
  const isSure = others.every(({ server }) => first.server.imitates.includes(server.kind))
  if (isSure) return { server: first.server.kind, evidence: first.evidence }
  return { server: 'unknown', evidence: [first, ...others].flatMap(({ evidence }) => evidence) }
}

const NOTHING: PageAnswer = { status: 0, text: '', json: undefined }

// A page that is not there, or elsewhere, may say anything; one of a server that loads says that.
function spoken(answer: PageAnswer | null): PageAnswer | null {
  return answer && (isSuccess(answer) || answer.status === 503) ? answer : null
}

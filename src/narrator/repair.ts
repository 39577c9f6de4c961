import { LineFault } from './connect/connection-error.ts'
import { isModelList } from './discover/model-list.ts'
import { addressOf, readPage } from './pages.ts'
import { parseEndpoint } from './policy.ts'
import { adviceBehind, adviceWithout, changesIn, type Heard } from './repair-words.ts'
import { isForPlainHttp } from './sentences.ts'
import { isSuccess, type Wire } from './wire.ts'

/** An address as it should be saved. */
export interface Repaired {
  url: string
  /** What was put right in it, as a sentence; null when nothing was. */
  changed: string | null
  /** What the player should do, when nothing answers there as a model server should; null when it does. */
  advice: string | null
}

/**
 * Puts right what players paste: routes, slashes, a missing scheme or /v1, and https for http. Only the host that was
 * pasted is asked, for so many seconds with each scheme. Throws endpoint_refused, and the signal's reason.
 */
export async function repair(
  wire: Wire,
  pasted: string,
  seconds: number,
  isContained: () => boolean,
  signal: AbortSignal,
): Promise<Repaired> {
  const written = pasted.trim()
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`
  await wire.judge(text)
  const origin = addressOf(text, { atRoot: true })
  const paths = candidates(parseEndpoint(text).url.pathname)
  const heard: Heard[] = []
  for (const at of [origin, withOtherScheme(origin)]) {
    const tries = await Promise.all(paths.map((path) => hear(wire, at + path, seconds, signal)))
    const found = tries.findIndex(isModelServer)
    if (found >= 0) {
      const url = at + paths[found]
      return { url, changed: changesIn(written, url), advice: adviceBehind(tries[found] ?? null) }
    }
    heard.push(...tries)
    // Whoever cannot prove its name must not be spoken to in the clear instead.
    if (tries.some(isBadCertificate)) break
  }
  const url = origin + paths[0]
  return { url, changed: changesIn(written, url), advice: adviceWithout(heard, url, seconds, isContained) }
}

const ROUTE = /\/(embeddings|chat|responses|messages)$/
/** The APIs of their own that KoboldCpp, Ollama and LM Studio have beside the common one. */
const OWN_API = /\/api(\/(v\d+|extra|chat|generate|tags|show|ps|embed|version)(\/.*)?)?$/

// As it was pasted comes first: a server may have its API anywhere.
function candidates(path: string): string[] {
  const base = path.replace(/(?<!\/)\/+$/, '').replace(ROUTE, '')
  const root = base.replace(OWN_API, '')
  const bases = root === base ? [base] : [base, root, `${root}/v1`]
  return base.endsWith('/v1') ? bases : [...bases, `${base}/v1`]
}

function withOtherScheme(origin: string): string {
  return /^https:/i.test(origin) ? origin.replace(/^https/i, 'http') : origin.replace(/^http/i, 'https')
}

async function hear(wire: Wire, url: string, seconds: number, signal: AbortSignal): Promise<Heard> {
  try {
    return await readPage(wire, url, '/models', seconds, signal)
  } catch (error) {
    signal.throwIfAborted()
    return error instanceof LineFault ? error : null
  }
}

// A server that asks for a key, or loads, is there; whoever answers something else than a list is not.
function isModelServer(heard: Heard): boolean {
  if (heard === null || heard instanceof LineFault) return false
  return isSuccess(heard) ? isModelList(heard.json) : [401, 403, 503].includes(heard.status)
}

function isBadCertificate(heard: Heard): boolean {
  return heard instanceof LineFault && heard.kind === 'untrusted' && !isForPlainHttp(heard)
}

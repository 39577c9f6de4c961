import { bodyText } from './connect/body-text.ts'
import { parseJson } from './json.ts'
import { parseEndpoint, rootOf } from './policy.ts'
import type { PageAnswer, Place } from './servers/server.ts'
import type { Wire } from './wire.ts'

/** Asks for a page; null when it is silent, lost or refused. Throws the signal's reason alone. */
export type AskPage = (place: Place) => Promise<PageAnswer | null>

/** Gives a way to ask the pages of one server, each for so many seconds, and once however often it is wanted. */
export function pagesOf(wire: Wire, url: string, seconds: number, signal: AbortSignal): AskPage {
  const asked = new Map<string, Promise<PageAnswer | null>>()
  return (place) => {
    const name = `${place.atRoot} ${place.path}`
    const answer = asked.get(name) ?? answerOf(wire, addressOf(url, place), place.path, seconds, signal)
    asked.set(name, answer)
    return answer
  }
}

/** The address below which a page lies: a server's own pages stand beside its API. */
export function addressOf(url: string, { atRoot }: Pick<Place, 'atRoot'>): string {
  return atRoot ? rootOf(url) : url
}

/** The path of a page as a player can open it. */
export function pathOf(url: string, place: Place): string {
  return parseEndpoint(addressOf(url, place)).url.pathname.replace(/\/$/, '') + place.path
}

async function answerOf(
  wire: Wire,
  url: string,
  path: string,
  seconds: number,
  signal: AbortSignal,
): Promise<PageAnswer | null> {
  try {
    return await readPage(wire, url, path, seconds, signal)
  } catch {
    signal.throwIfAborted()
    return null
  }
}

/** Reads one page. Throws endpoint_refused, LineFault, TimeoutError after so many seconds, or the signal's reason. */
export async function readPage(
  wire: Wire,
  url: string,
  path: string,
  seconds: number,
  signal: AbortSignal,
): Promise<PageAnswer> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)])
  const answer = await wire.ask({ url, read_timeout_seconds: seconds }, { method: 'GET', path }, limited)
  const text = await bodyText(answer.body)
  return { status: answer.status, text, json: parseJson(text) }
}

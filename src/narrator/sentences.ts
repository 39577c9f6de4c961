import type { IncomingHttpHeaders } from 'node:http'
import { parseJson } from './json.ts'
import { keyAdvice } from './key-advice.ts'
import type { LineFault } from './connect/connection-error.ts'
import { errorIn } from './reply/payload.ts'
import { quote } from './messages/quote.ts'

const LONGEST_MESSAGE = 500
// LM Studio, TabbyAPI and text-generation-webui each say it in words of their own.
const NOTHING_LOADED = /\bno (\w+ )?models? (is |are )?(currently )?loaded\b/i

/** A fault of the line in words for the player. `host` with its port. */
export function faultSentence({ kind, detail, seconds }: LineFault, host: string): string {
  switch (kind) {
    case 'unconnected':
      return `${host} could not be reached within ${inSeconds(seconds)}. Is the machine on, and is the address right?`
    case 'silent':
      return `${host} was silent for ${inSeconds(seconds)}. A model that loads slowly needs a longer one: raise “Longest silence” in Settings.`
    case 'refused':
      return `Nothing answers at ${host}. Is the model server running, and is the port right?`
    case 'unreachable':
      return `${host} cannot be reached from this machine (${detail}). Is it on the same network?`
    case 'untrusted':
      return trustSentence(detail, host)
    case 'stranger':
      return `The connection to ${host} led to ${detail || 'an unknown address'}, which was not checked. Nothing was sent.`
    case 'malformed':
      return `${host} answers, but not in HTTP. Is the port right?`
    case 'lost':
      return `The connection to ${host} was lost before the answer was complete.`
  }
}

/** An answer that is no success, in words for the player. `body` is what the server wrote, `model` what was asked. */
export function statusSentence(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  host: string,
  model: string | null,
): string {
  const message = wordsOf(body)
  const said = message ? ` It said: ${message}` : ''
  if (status >= 300 && status < 400)
    return `${host} wants to redirect the request (status ${status}). Redirects are not followed: use the final address.`
  if (status === 401 || status === 403)
    return `${host} asks for a key (status ${status}). ${keyAdvice(`${signsOf(headers)} ${body}`)}${said}`
  if (status < 500 && NOTHING_LOADED.test(message))
    return `${host} has no model loaded (status ${status}). Load one there, then retry.${said}`
  if (status === 404)
    return `${host} does not know the path${model === null ? '' : ` or the model "${quote(model, 200)}"`} (status 404). Most addresses end in /v1.${said}`
  if (status === 429)
    return `${host} has too many requests to answer (status 429). Wait a moment, then retry.${said}`
  return `${host} answered with status ${status}.${said}`
}

/** What a server says in the body of a refusal, as plain text for a sentence; '' when it says nothing. */
export function wordsOf(body: string): string {
  return quote(errorIn(parseJson(body)) ?? textBody(body), LONGEST_MESSAGE)
}

/** A number of seconds as it is said. */
export function inSeconds(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

/** Whether a fault of TLS says that the other side speaks none, rather than that its certificate is wrong. */
export function isForPlainHttp({ detail }: Pick<LineFault, 'detail'>): boolean {
  return /WRONG_VERSION|PACKET_LENGTH|UNKNOWN_PROTOCOL|HTTP_REQUEST/.test(detail)
}

function trustSentence(detail: string, host: string): string {
  if (isForPlainHttp({ detail }))
    return `${host} does not speak TLS. Begin the address with http:// instead of https://.`
  if (/ALTNAME|HOSTNAME/.test(detail))
    return `The certificate of ${host} is for another name (${detail}). Use the name that it was made for.`
  if (/EXPIRED|NOT_YET_VALID/.test(detail))
    return `The certificate of ${host} is not valid today (${detail}). Renew it there.`
  return `The certificate of ${host} is not trusted (${detail}). If your own authority signed it, name the authority's certificate in APP_CA_FILE and start Inglenook again.`
}

// A JSON body without a message may repeat the request, and with it the story.
function textBody(body: string): string {
  return parseJson(body) === undefined ? body : ''
}

function signsOf(headers: IncomingHttpHeaders): string {
  return [headers.server, headers['x-powered-by'], headers['www-authenticate']].join(' ')
}

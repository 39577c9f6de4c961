import type { IncomingHttpHeaders } from 'node:http'
import { parseJson } from '../lib/json.ts'
import { counted } from '../lib/text.ts'
import type { ConnectionError } from './connect/connection-error.ts'
import { needsKey } from './connect/transport.ts'
import { errorIn } from './reply/payload.ts'
import { SERVERS, serverOf } from './servers/servers.ts'

const MAX_MESSAGE = 500
// LM Studio, TabbyAPI and text-generation-webui each phrase it differently.
const NO_MODEL_LOADED = /\bno (\w+ )?models? (is |are )?(currently )?loaded\b/i
// Ollama and llama.cpp, vLLM, LiteLLM, llama-swap.
const UNKNOWN_MODEL =
  /^model (.{0,300} )?not found|^the model .{0,300} does not exist|\binvalid model name\b|\bno router for requested model\b/i

export function connectionErrorSentence({ kind, detail, seconds }: ConnectionError, host: string): string {
  switch (kind) {
    case 'connect_timeout':
      return `Could not connect to ${host} within ${counted(seconds, 'second')}. Check that the machine is on and the address is right.`
    case 'read_timeout':
      return `${host} sent nothing for ${counted(seconds, 'second')}. Check that the model server still works; if it is only slow, raise “Response timeout” in Settings.`
    case 'refused':
      return `No server answered at ${host}. Check that the model server is running and the port is right.`
    case 'unreachable':
      return `${host} cannot be reached from this machine (${detail}). Check that both are on the same network.`
    case 'untrusted':
      return certificateSentence(detail, host)
    case 'unchecked_peer':
      return `The connection to ${host} reached ${detail || 'an unknown address'}, which was not checked. Nothing was sent.`
    case 'malformed':
      return `${host} did not answer with HTTP. Check the port.`
    case 'lost':
      return `The connection to ${host} was lost before the response was complete. Check that the model server is still running, then retry.`
  }
}

export function statusSentence(
  { status, headers, body }: { status: number; headers: IncomingHttpHeaders; body: string },
  host: string,
  model: string | null,
): string {
  const message = serverMessage(body)
  const quoted = quotedMessage(message)
  if (status >= 300 && status < 400)
    return `${host} redirects the request (status ${status}). Redirects are not followed: use the final address.`
  if (needsKey({ status }))
    return `${host} asks for an API key (status ${status}). ${keyAdvice(`${productHeaders(headers)} ${body}`)}${quoted}`
  if (status < 500 && NO_MODEL_LOADED.test(message))
    return `${host} has no model loaded (status ${status}). Load one there, then retry.${quoted}`
  if (status < 500 && model !== null && UNKNOWN_MODEL.test(message))
    return `${host} does not know the model "${quote(model, 200)}" (status ${status}). Choose another one in Settings.${quoted}`
  if (status === 404)
    return `${host} does not know the path${model === null ? '' : ` or the model "${quote(model, 200)}"`} (status 404). Most addresses end in /v1.${quoted}`
  if (status === 429) return `${host} has too many requests (status 429). Wait a moment, then retry.${quoted}`
  return `${host} answered with status ${status}. ${adviceOn(message, status)}${quoted}`
}

const ADVICE: [reported: RegExp, advice: string][] = [
  [
    /context (length|size|window)|exceeds? the [a-z ]{0,20}context|prompt is too long|too many tokens/i,
    'The prompt is too long for the model: lower “Context size” in Settings, or start the server with a larger context.',
  ],
  [
    /out of memory|insufficient memory|(failed|unable) to allocate/i,
    'The machine has too little memory: start the server with a smaller context or a smaller model, then retry.',
  ],
  [
    /jinja|chat template|roles must alternate/i,
    'The chat template of the model refused the request: set “API mode” to “Text completion” in Settings, or give the server another template.',
  ],
]

const SETTING_NAMES: [name: RegExp, setting: string][] = [
  [/rep(eat|etition)_penalty|repetition_range|repeat_last_n/, 'Repetition penalty'],
  [/top_p/, 'Top-p'],
  [/min_p/, 'Min-p'],
  [/\bdry_/, 'DRY multiplier'],
  [/\bxtc_/, 'XTC probability'],
  [/temperature/, 'Temperature'],
  [/max_(completion_)?tokens|num_predict/, 'Max response length'],
  [/reasoning_effort/, 'Reasoning effort'],
  [/enable_thinking|reasoning|thinking/, 'Reasoning tokens'],
]

export function adviceOn(message: string, status = 500): string {
  const known = ADVICE.find(([reported]) => reported.test(message))?.[1]
  if (known !== undefined) return known
  const setting = status < 500 ? SETTING_NAMES.find(([name]) => name.test(message))?.[1] : undefined
  return setting === undefined
    ? 'Retry; if it happens again, the log of the model server says why.'
    : `The server does not take what “${setting}” says: clear or change it in Settings, then retry.`
}

export function webPageSentence(host: string): string {
  return `${host} sent a web page instead of an API response. Check the port and path of the address.`
}

export function serverMessage(body: string): string {
  return quote(errorIn(parseJson(body)) ?? textBody(body), MAX_MESSAGE)
}

export function quotedMessage(message: string): string {
  return message ? ` The server said: ${message}` : ''
}

export function isPlainHttp({ detail }: Pick<ConnectionError, 'detail'>): boolean {
  return /WRONG_VERSION|PACKET_LENGTH|UNKNOWN_PROTOCOL|HTTP_REQUEST/.test(detail)
}

function certificateSentence(detail: string, host: string): string {
  if (isPlainHttp({ detail }))
    return `${host} does not use TLS. Start the address with http:// instead of https://.`
  if (/ALTNAME|HOSTNAME/.test(detail))
    return `The certificate of ${host} is for a different name (${detail}). Use the name in the certificate.`
  if (/EXPIRED|NOT_YET_VALID/.test(detail))
    return `The certificate of ${host} has expired or is not valid yet (${detail}). Renew it on that server.`
  return `The certificate of ${host} is not trusted (${detail}). If your own authority signed it, set APP_CA_FILE to the authority's certificate and restart Inglenook.`
}

// A JSON body without a message may repeat the request, and the story in it.
function textBody(body: string): string {
  return parseJson(body) === undefined ? body : ''
}

function productHeaders(headers: IncomingHttpHeaders): string {
  return [headers.server, headers['x-powered-by'], headers['www-authenticate']].join(' ')
}

// Only the start of a page is processed, because stripping markup takes time.
const MAX_INPUT = 10_000

/** Converts server text to one line without markup, of at most `max` code points. */
export function quote(text: string, max: number): string {
  const start = text.slice(0, MAX_INPUT)
  const plain = isWebPage(start) || /^\s*<\?xml\b/i.test(start) ? withoutMarkup(start) : start
  const points = [...plain.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()]
  return points.length <= max ? points.join('') : `${points.slice(0, max - 1).join('')}…`
}

export function isWebPage(text: string): boolean {
  return /^\s*<(!doctype\s+html|html|head|body|!--)/i.test(text)
}

function withoutMarkup(text: string): string {
  const bare = text.replace(/<(script|style)\b.*?(<\/\1\s*>|$)/gis, ' ').replace(/<[^>]*(>|$)/g, ' ')
  // The title of an error page is its heading, too.
  return bare.replace(/^\s*(\S.{3,80})\s+(?=\1)/, '')
}

export function keyAdvice(response: string): string {
  const known = SERVERS.find(({ key }) => key?.pattern.test(response))
  if (known) return `Inglenook does not store keys. This looks like ${known.name}: ${known.key?.remedy}.`
  const common = KEYED_SERVERS.map(serverOf).map(({ name, key }) => `${name}: ${key?.remedy}`)
  return `Inglenook does not store keys, so turn the key off in the model server. ${common.join('; ')}; llama.cpp or vLLM: start it without --api-key.`
}

const KEYED_SERVERS = ['tabbyapi', 'lm-studio', 'koboldcpp'] as const

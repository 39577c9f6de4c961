import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { isSameAddress } from '../policy/addresses.ts'
import { withoutBrackets } from '../policy/endpoint-url.ts'
import type { CheckedEndpoint } from '../policy/policy.ts'
import { ConnectionError, connectionErrorOf } from './connection-error.ts'

// Loaded with the first request: together they would take a tenth of the start.
const http = () => process.getBuiltinModule('node:http')
const https = () => process.getBuiltinModule('node:https')
const tls = () => process.getBuiltinModule('node:tls')

const MAX_INFORMATIONAL = 1_000

/** `path` is relative to the endpoint; `body` is JSON text. */
export interface HttpRequest {
  method: 'GET' | 'POST'
  path: string
  body?: string
}

/** Timeouts in seconds of `msPerSecond` milliseconds. `readTimeout` is the longest gap between bytes. */
export interface RequestLimits {
  ca: string[] | null
  connectTimeout: number
  readTimeout: number
  msPerSecond: number
  signal: AbortSignal
  /** Called with the connected address before anything is sent. */
  onConnect: (address: string) => void
}

/** Its body must be read, once, or the request aborted. */
export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  body: AsyncIterable<Uint8Array>
}

export function isSuccess({ status }: Pick<HttpResponse, 'status'>): boolean {
  return status >= 200 && status < 300
}

export function needsKey({ status }: Pick<HttpResponse, 'status'>): boolean {
  return status === 401 || status === 403
}

/**
 * Sends a request to the checked addresses only: no second DNS look-up, proxy, redirect or unverified certificate.
 * Throws ConnectionError or the signal's reason, also while the body is read.
 */
export function send(
  endpoint: CheckedEndpoint,
  httpRequest: HttpRequest,
  limits: RequestLimits,
): Promise<HttpResponse> {
  limits.signal.throwIfAborted()
  const request = open(endpoint, httpRequest, limits)
  const exchange = new Exchange(request, limits)
  const connected = endpoint.url.protocol === 'https:' ? 'secureConnect' : 'connect'
  exchange.startTimer('connect_timeout', limits.connectTimeout)
  request.on('socket', (socket) =>
    socket.once(connected, () => sendBody(exchange, socket, endpoint, httpRequest.body)),
  )
  return new Promise((resolve, reject) => {
    request.on('error', (error) => reject(exchange.errorFor(error)))
    request.on('close', () => reject(exchange.errorFor(new ConnectionError('lost', 'closed'))))
    let informational = 0
    request.on('information', () => {
      if (++informational > MAX_INFORMATIONAL)
        exchange.abort(new ConnectionError('malformed', 'too many 1xx responses'))
    })
    request.on('response', (response) => resolve(responseOf(response, exchange)))
  })
}

export function trustedAuthorities(pem: string): string[] {
  return [...tls().getCACertificates('default'), pem]
}

function open(
  { url, addresses }: CheckedEndpoint,
  { method, path, body }: HttpRequest,
  { ca }: RequestLimits,
): ClientRequest {
  const [first] = addresses
  const isLiteral = isSameAddress(first, withoutBrackets(url.hostname))
  const { request } = url.protocol === 'https:' ? https() : http()
  return request({
    method,
    // A zone is only valid in a literal address, and the certificate check needs the name.
    hostname: isLiteral ? first : url.hostname,
    port: url.port,
    path: url.pathname.replace(/\/$/, '') + path,
    lookup: pinnedTo(addresses),
    agent: false,
    headers: { host: url.host, ...HEADERS, ...bodyHeaders(body) },
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED would turn it off.
    rejectUnauthorized: true,
    ...(ca ? { ca } : {}),
  })
}

const HEADERS = { accept: 'text/event-stream, application/json', 'accept-encoding': 'identity' }

function bodyHeaders(body: string | undefined) {
  return body === undefined
    ? {}
    : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
}

function pinnedTo(addresses: CheckedEndpoint['addresses']): LookupFunction {
  const list = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, callback) =>
    all ? callback(null, list) : callback(null, addresses[0], isIP(addresses[0]))
}

// Nothing is sent unless the peer's address was checked.
function sendBody(
  exchange: Exchange,
  socket: Socket,
  { addresses }: CheckedEndpoint,
  body: string | undefined,
): void {
  const peer = socket.remoteAddress ?? ''
  if (!addresses.some((address) => isSameAddress(address, peer))) {
    exchange.abort(new ConnectionError('unchecked_peer', peer))
    return
  }
  exchange.startReadTimer()
  exchange.limits.onConnect(peer)
  exchange.request.end(body)
}

function responseOf(response: IncomingMessage, exchange: Exchange): HttpResponse {
  // The reader of the body gets the error; without a listener it would end the process.
  response.on('error', () => {})
  exchange.startReadTimer()
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: bytesOf(response, exchange),
  }
}

async function* bytesOf(response: IncomingMessage, exchange: Exchange): AsyncGenerator<Uint8Array> {
  try {
    exchange.startReadTimer()
    for await (const chunk of response) {
      // Time of our own reader does not count.
      exchange.stopTimer()
      yield chunk
      exchange.startReadTimer()
    }
    if (!response.complete) throw new ConnectionError('lost', 'incomplete')
  } catch (error) {
    throw exchange.errorFor(error)
  } finally {
    exchange.stopTimer()
    exchange.request.destroy()
  }
}

/** Timer of one request, and the reason of an abort: the socket only reports a reset. */
class Exchange {
  private timer: NodeJS.Timeout | undefined
  private cause: unknown

  constructor(
    readonly request: ClientRequest,
    readonly limits: RequestLimits,
  ) {
    const onAbort = () => this.abort(limits.signal.reason)
    limits.signal.addEventListener('abort', onAbort, { once: true })
    request.on('close', () => {
      limits.signal.removeEventListener('abort', onAbort)
      this.stopTimer()
    })
  }

  startTimer(kind: 'connect_timeout' | 'read_timeout', seconds: number): void {
    this.stopTimer()
    if (!this.request.destroyed)
      this.timer = setTimeout(
        () => this.abort(new ConnectionError(kind, '', seconds)),
        seconds * this.limits.msPerSecond,
      )
  }

  startReadTimer(): void {
    this.startTimer('read_timeout', this.limits.readTimeout)
  }

  stopTimer(): void {
    clearTimeout(this.timer)
  }

  abort(cause: unknown): void {
    this.cause ??= cause
    this.stopTimer()
    this.request.destroy(cause instanceof Error ? cause : new Error('aborted'))
  }

  errorFor(error: unknown): unknown {
    return this.cause ?? connectionErrorOf(error)
  }
}

const MAX_BODY = 1_048_576

/** Reads a body as text, up to 1 MiB. Returns a partial body if the connection is lost. */
export async function bodyText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true })
      if (text.length > MAX_BODY) return text
    }
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error
  }
  return text + decoder.decode()
}

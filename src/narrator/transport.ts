import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import tls from 'node:tls'
import { isSameAddress } from './addresses.ts'
import { faultOf, LineFault } from './connect/connection-error.ts'
import { type CheckedEndpoint, withoutBrackets } from './policy.ts'

/** Answers of the kind 1xx, which announce another one, before a server is no server: 1,000. */
const MOST_EARLY = 1_000

/** One request. `path` follows the endpoint's own; a body is JSON text. */
export interface Ask {
  method: 'GET' | 'POST'
  path: string
  body?: string
}

/** How to hold the line. Times are in seconds of `second` milliseconds; `readTimeout` is counted between bytes. */
export interface Hold {
  /** Certificates to trust, instead of the system's. */
  ca: string[] | null
  connectTimeout: number
  readTimeout: number
  second: number
  signal: AbortSignal
  /** Told of the address that was reached, before anything is sent. */
  onConnect: (address: string) => void
}

/** What a server answers. The body can be read once, and must be: or the request aborted. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: AsyncIterable<Uint8Array>
}

/**
 * Sends one request to exactly the checked addresses: no other look-up, no proxy, no redirect, no unverified
 * certificate (specification 7.2 to 7.4). Throws LineFault, or the signal's reason; so does reading the body.
 */
export function send(endpoint: CheckedEndpoint, ask: Ask, hold: Hold): Promise<Answer> {
  hold.signal.throwIfAborted()
  const request = open(endpoint, ask, hold)
  const line = new Line(request, hold)
  const connected = endpoint.url.protocol === 'https:' ? 'secureConnect' : 'connect'
  line.expect('unconnected', hold.connectTimeout)
  request.on('socket', (socket) => socket.once(connected, () => speak(socket, request, line, endpoint, ask)))
  return new Promise((resolve, reject) => {
    request.on('error', (error) => reject(line.causeOf(error)))
    request.on('close', () => reject(line.causeOf(new LineFault('lost', 'closed'))))
    let early = 0
    request.on('information', () => {
      if (++early > MOST_EARLY) line.fail(new LineFault('malformed', 'no end of early answers'))
    })
    request.on('response', (response) => resolve(hear(response, request, line)))
  })
}

/** The system's certificate authorities and a private one, in PEM form (specification 7.4). */
export function trusting(pem: string): string[] {
  return [...tls.getCACertificates('default'), pem]
}

function open({ url, addresses }: CheckedEndpoint, { method, path, body }: Ask, { ca }: Hold): ClientRequest {
  const [first] = addresses
  const isLiteral = isSameAddress(first, withoutBrackets(url.hostname))
  const { request } = url.protocol === 'https:' ? https : http
  return request({
    method,
    // Only the literal address can carry a zone, and a name must stay a name for the certificate.
    hostname: isLiteral ? first : url.hostname,
    port: url.port,
    path: url.pathname.replace(/\/$/, '') + path,
    lookup: pinnedTo(addresses),
    agent: false,
    headers: {
      host: url.host,
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
      ...lengthOf(body),
    },
    // Said aloud because NODE_TLS_REJECT_UNAUTHORIZED would switch it off.
    rejectUnauthorized: true,
    ...(ca ? { ca } : {}),
  })
}

function lengthOf(body: string | undefined) {
  return body === undefined
    ? {}
    : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
}

function pinnedTo(addresses: CheckedEndpoint['addresses']): LookupFunction {
  const list = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, found) => (all ? found(null, list) : found(null, addresses[0], isIP(addresses[0])))
}

// Nothing is sent before the line is known to lead to an address that was checked.
function speak(
  socket: Socket,
  request: ClientRequest,
  line: Line,
  { addresses }: CheckedEndpoint,
  { body }: Ask,
): void {
  const peer = socket.remoteAddress ?? ''
  if (addresses.some((address) => isSameAddress(address, peer))) {
    line.listen()
    line.hold.onConnect(peer)
    request.end(body)
  } else line.fail(new LineFault('stranger', peer))
}

function hear(response: IncomingMessage, request: ClientRequest, line: Line): Answer {
  // Whoever reads the body meets the error there; without a listener it would end the process.
  response.on('error', () => {})
  line.listen()
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: bytesOf(response, request, line),
  }
}

async function* bytesOf(
  response: IncomingMessage,
  request: ClientRequest,
  line: Line,
): AsyncGenerator<Uint8Array> {
  try {
    line.listen()
    for await (const chunk of response) {
      // The reader may take its time; only the server's silence counts.
      line.rest()
      yield chunk
      line.listen()
    }
    if (!response.complete) throw new LineFault('lost', 'incomplete')
  } catch (error) {
    throw line.causeOf(error)
  } finally {
    line.rest()
    request.destroy()
  }
}

/** The clock of one request, and why we broke it off: the socket itself only reports that it was reset. */
class Line {
  private timer: NodeJS.Timeout | undefined
  private cause: unknown

  constructor(
    private readonly request: ClientRequest,
    readonly hold: Hold,
  ) {
    const abort = () => this.fail(hold.signal.reason)
    hold.signal.addEventListener('abort', abort, { once: true })
    request.on('close', () => {
      hold.signal.removeEventListener('abort', abort)
      this.rest()
    })
  }

  expect(kind: 'unconnected' | 'silent', seconds: number): void {
    this.rest()
    if (!this.request.destroyed)
      this.timer = setTimeout(() => this.fail(new LineFault(kind, '', seconds)), seconds * this.hold.second)
  }

  listen(): void {
    this.expect('silent', this.hold.readTimeout)
  }

  rest(): void {
    clearTimeout(this.timer)
  }

  fail(cause: unknown): void {
    this.cause ??= cause
    this.rest()
    this.request.destroy(cause instanceof Error ? cause : new Error('aborted'))
  }

  causeOf(error: unknown): unknown {
    return this.cause ?? faultOf(error)
  }
}

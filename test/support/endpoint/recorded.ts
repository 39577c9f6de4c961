import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServerKind } from '../../../src/domain/model/model-server.ts'
import { allowTarget } from './allowed-targets.ts'

/** One recorded response of a model server. */
export interface RecordedResponse {
  status: number
  body: string
  headers?: Record<string, string>
}

/** A recorded body and the expected result of reading it. */
export interface RecordedReply {
  body: string
  text: string
  thinking: string
}

/** The responses of one kind of model server, written by hand from the sources that each file names. */
export interface Transcript {
  kind: ServerKind
  /** One of its models, and all of them. */
  model: string
  models: string[]
  /** Responses by method and path. */
  pages: Record<string, RecordedResponse>
  /** The response for any other path. */
  elsewhere: RecordedResponse
  /** The lines by which it is recognised. */
  evidence: string[]
  /** The context window in tokens; null when no page tells it. */
  window: number | null
  /** Tokens of a prompt of two messages; null when it cannot count. */
  counted: number | null
  stream: RecordedReply
  /** Null when it has no reasoning. */
  thinking: RecordedReply | null
  /** An error response, and the part of it that the player must see. */
  error: RecordedResponse & { words: string }
  /** The response while the model is loading; null when there is none. */
  loading: RecordedResponse | null
}

/** A JSON response. */
export function page(value: unknown, status = 200): RecordedResponse {
  return { status, body: JSON.stringify(value), headers: { 'content-type': 'application/json' } }
}

/** A text response. */
export function plain(body: string, status = 200, type = 'text/plain'): RecordedResponse {
  return { status, body, headers: { 'content-type': type } }
}

/** A stream of events, one for each payload. */
export function events(...payloads: unknown[]): string {
  return payloads.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('')
}

/** A model server that replays a transcript and records its requests. */
export interface RecordedServer extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string
  readonly port: number
  /** Method and path of each request, oldest first. */
  readonly requests: string[]
  /** The responses; tests may change them. */
  readonly pages: Map<string, RecordedResponse>
}

/** `headers` are those that a proxy adds. */
export interface RecordedOptions {
  host?: '127.0.0.1' | '::1'
  port?: number
  headers?: Record<string, string>
}

/** Starts one on a loopback address. Without `elsewhere` it never responds to other paths. */
export async function startRecorded(
  { pages, elsewhere }: { pages: Record<string, RecordedResponse>; elsewhere: RecordedResponse | null },
  { host = '127.0.0.1', port = 0, headers = {} }: RecordedOptions = {},
): Promise<RecordedServer> {
  const requests: string[] = []
  const table = new Map(Object.entries(pages))
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const name = `${request.method} ${request.url}`
    requests.push(name)
    request.resume()
    const reply = table.get(name) ?? elsewhere
    if (reply === null) return
    response.writeHead(reply.status, { ...reply.headers, ...headers })
    response.end(reply.body)
  }
  const server = createServer(answer)
  await new Promise<void>((listening, failed) =>
    server.once('error', failed).listen(port, host, () => listening()),
  )
  const at = (server.address() as AddressInfo).port
  const name = host === '::1' ? '[::1]' : host
  const url = `http://${name}:${at}/v1`
  allowTarget(url)
  return {
    url,
    port: at,
    requests,
    pages: table,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
  }
}

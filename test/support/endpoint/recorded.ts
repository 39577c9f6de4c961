import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServerKind } from '../../../src/domain/model/server-kind.ts'
import { mean } from './allowed-targets.ts'

/** One answer of a model server, as it was written down. */
export interface Reply {
  status: number
  body: string
  headers?: Record<string, string>
}

/** What comes of a body when it is read as a reply. */
export interface Heard {
  body: string
  text: string
  thinking: string
}

/** What one kind of model server says, by hand from the pages that each file names. */
export interface Transcript {
  kind: ServerKind
  /** A model that it offers, and all of them. */
  model: string
  models: string[]
  /** Answers by method and path. */
  pages: Record<string, Reply>
  /** What it answers for any other path. */
  elsewhere: Reply
  /** The lines by which it is recognised. */
  evidence: string[]
  /** Tokens that the model takes in; null when no page tells. */
  window: number | null
  /** Tokens of a prompt of two messages; null when it does not count. */
  counted: number | null
  stream: Heard
  /** Null when it shows no thoughts. */
  thinking: Heard | null
  /** A refusal, and the words in it that the player must see. */
  error: Reply & { words: string }
  /** What it answers while the model loads; null when it says nothing, or has no such time. */
  loading: Reply | null
}

/** A JSON answer. */
export function page(value: unknown, status = 200): Reply {
  return { status, body: JSON.stringify(value), headers: { 'content-type': 'application/json' } }
}

/** Any other text. */
export function plain(body: string, status = 200, type = 'text/plain'): Reply {
  return { status, body, headers: { 'content-type': type } }
}

/** A stream of events, one for each payload. */
export function events(...payloads: unknown[]): string {
  return payloads.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('')
}

/** A model server that answers what was written down, and notes what it was asked. */
export interface RecordedServer extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string
  readonly port: number
  /** Method and path of each request, oldest first. */
  readonly asked: string[]
  /** What it answers, open to change. */
  readonly pages: Map<string, Reply>
}

/** Where it listens, and which headers a proxy before it adds. */
export interface RecordedOptions {
  host?: '127.0.0.1' | '::1'
  port?: number
  headers?: Record<string, string>
}

/** Starts one on a loopback address. Without `elsewhere` it never answers for any other path. */
export async function startRecorded(
  { pages, elsewhere }: { pages: Record<string, Reply>; elsewhere: Reply | null },
  { host = '127.0.0.1', port = 0, headers = {} }: RecordedOptions = {},
): Promise<RecordedServer> {
  const asked: string[] = []
  const table = new Map(Object.entries(pages))
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const name = `${request.method} ${request.url}`
    asked.push(name)
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
  mean(url)
  return {
    url,
    port: at,
    asked,
    pages: table,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
  }
}

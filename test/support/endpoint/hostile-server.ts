import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { allowTarget } from './allowed-targets.ts'

/** Bytes that are generated only as they are read; at their end the connection is closed. */
export type Bytes = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** A model server that sends arbitrary bytes and counts those that are read. */
export interface HostileServer extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string
  /** Returns the response for a request's first line; `null`, the default, is a plain 404. */
  respond: (firstLine: string) => Bytes | null
  /** Bytes that were read since this was last set to 0. */
  sent: number
  /** The first line of each request. */
  readonly requestLines: string[]
  /** Resolves when no connection is open. */
  allLeft(): Promise<void>
}

export async function startHostile(host = '127.0.0.1', port = 0): Promise<HostileServer> {
  const open = new Map<Socket, Promise<void>>()
  const server = createServer((socket) => {
    const closed = new Promise<void>((left) => socket.once('close', () => left()))
    open.set(socket, closed)
    void closed.then(() => open.delete(socket))
    socket.on('error', () => {})
    void serve(socket, closed, hostile)
  })
  await new Promise<void>((listening, failed) =>
    server.once('error', failed).listen(port, host, () => listening()),
  )
  const at = (server.address() as AddressInfo).port
  const hostile: HostileServer = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${at}/v1`,
    respond: () => null,
    sent: 0,
    requestLines: [],
    allLeft: async () => {
      await Promise.all(open.values())
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()))
      for (const socket of open.keys()) socket.destroy()
      await closed
    },
  }
  allowTarget(hostile.url)
  return hostile
}

async function serve(socket: Socket, closed: Promise<void>, hostile: HostileServer): Promise<void> {
  const firstLine = await Promise.race([request(socket), closed])
  if (!firstLine) return
  hostile.requestLines.push(firstLine)
  const bytes = hostile.respond(firstLine) ?? ['HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n']
  for await (const some of bytes) {
    if (socket.destroyed) return
    hostile.sent += some.length
    // Generates more only after this was read, so that little is ever in memory.
    const taken = new Promise<void>((done) => socket.write(some, () => done()))
    await Promise.race([taken, closed])
  }
  socket.end()
}

/** The first line of a complete request. */
function request(socket: Socket): Promise<string> {
  let seen = ''
  return new Promise((whole) =>
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1')
      // A TLS client would wait for a TLS response.
      if (seen.startsWith('\x16')) socket.destroy()
      const end = seen.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(seen.slice(0, end))?.[1] ?? 0)
      if (end >= 0 && seen.length >= end + 4 + length) whole(seen.slice(0, seen.indexOf('\r\n')))
    }),
  )
}

/** The status line and headers of a response. */
export function head(status = '200 OK', headers: Record<string, string> = {}): string {
  const all = { 'content-type': 'text/event-stream', connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`
}

/** `first`, then `again` without end or this many times, then `behind`. */
export function* over(
  first: string,
  again: string | Uint8Array,
  times = Number.POSITIVE_INFINITY,
  behind = '',
) {
  yield first
  const bytes = Buffer.from(again)
  for (let i = 0; i < times; i++) yield bytes
  yield behind
}

/** One event with text of a reply. */
export function says(text: string): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`
}

/** One event with reasoning. */
export function thinks(text: string): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: text } }] })}\n\n`
}

/** Nested brackets of this many levels. */
export function nested(levels: number, open = '[', close = ']', within = ''): string {
  return open.repeat(levels) + within + close.repeat(levels)
}

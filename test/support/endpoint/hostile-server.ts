import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { mean } from './allowed-targets.ts'

/** Bytes that are made only as they are taken; where they end, the line is closed. */
export type Bytes = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** A model server that sends any bytes at all, as many as are taken, and counts them. */
export interface HostileServer extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string
  /** Answers every request whose first line fits; `null` is a plain 404. At first: nothing fits. */
  answer: (firstLine: string) => Bytes | null
  /** Bytes that were taken since this was last set to 0, and first lines of the requests. */
  sent: number
  readonly asked: string[]
  /** Resolves when no line is open. */
  allLeft(): Promise<void>
}

/** Starts one on loopback. */
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
    answer: () => null,
    sent: 0,
    asked: [],
    allLeft: async () => {
      await Promise.all(open.values())
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()))
      for (const socket of open.keys()) socket.destroy()
      await closed
    },
  }
  mean(hostile.url)
  return hostile
}

async function serve(socket: Socket, closed: Promise<void>, hostile: HostileServer): Promise<void> {
  const firstLine = await Promise.race([request(socket), closed])
  if (!firstLine) return
  hostile.asked.push(firstLine)
  const bytes = hostile.answer(firstLine) ?? ['HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n']
  for await (const some of bytes) {
    if (socket.destroyed) return
    hostile.sent += some.length
    // Nothing more is made before this is taken, so that only what is read is ever in memory.
    const taken = new Promise<void>((done) => socket.write(some, () => done()))
    await Promise.race([taken, closed])
  }
  socket.end()
}

/** The first line of a request that has come whole. */
function request(socket: Socket): Promise<string> {
  let seen = ''
  return new Promise((whole) =>
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1')
      // Whoever speaks TLS would wait for an answer in it.
      if (seen.startsWith('\x16')) socket.destroy()
      const end = seen.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(seen.slice(0, end))?.[1] ?? 0)
      if (end >= 0 && seen.length >= end + 4 + length) whole(seen.slice(0, seen.indexOf('\r\n')))
    }),
  )
}

/** The head of an answer. */
export function head(status = '200 OK', headers: Record<string, string> = {}): string {
  const all = { 'content-type': 'text/event-stream', connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`
}

/** `first`, then the same over and over, or so many times; then what is behind. */
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

/** One event with words of a reply. */
export function says(text: string): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`
}

/** One event with thoughts. */
export function thinks(text: string): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: text } }] })}\n\n`
}

/** So many opening brackets, and their closing ones. */
export function nested(levels: number, open = '[', close = ']', within = ''): string {
  return open.repeat(levels) + within + close.repeat(levels)
}

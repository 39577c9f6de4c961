import { currentVisitor } from './visitor.ts'

/** Milliseconds between heartbeats. */
const HEARTBEAT_INTERVAL = 5_000

const MAX_UNREAD = 4 * 1024 * 1024

interface StreamFormat {
  contentType: string
  /** Sent at once, so that the client gets the status. */
  head: string
  heartbeat: string
  tail: () => string
}

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export const EVENT_STREAM: StreamFormat = {
  contentType: 'text/event-stream; charset=utf-8',
  head: ': open\n\n',
  heartbeat: ': beat\n\n',
  tail: () => '',
}

/** Server-sent events with a heartbeat that page scripts receive. */
export const PAGE_STREAM: StreamFormat = { ...EVENT_STREAM, heartbeat: formatEvent('', 'beat') }

/** Formats a server-sent event. Each line of data gets its own `data:`, so that text cannot forge an event. */
export function formatEvent(data: string, event = '', id = ''): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  const heads = [
    ['id', id],
    ['event', event],
  ].flatMap(([name, value]) => (value === '' ? [] : `${name}: ${value}\n`))
  return `${heads.join('')}${lines.join('')}\n`
}

/**
 * Streams events. An error thrown by `open` is an ordinary response; later errors cannot change the status 200. The
 * signal aborts when the client disconnects.
 */
export function streamResponse<E>(
  request: Request,
  form: StreamFormat,
  open: (disconnected: AbortSignal) => AsyncIterable<E>,
  format: (event: E) => string,
): Response {
  const disconnect = new AbortController()
  const revoked = currentVisitor()?.allowed
  const events = open(AbortSignal.any([request.signal, disconnect.signal, ...(revoked ? [revoked] : [])]))
  let stopHeartbeat = () => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const sendAll = (send: Send) => pump(events, (event) => send(format(event)))
        stopHeartbeat = startSending(controller, form, sendAll, () => disconnect.abort())
      },
      cancel() {
        stopHeartbeat()
        disconnect.abort()
      },
    },
    { highWaterMark: 0, size: (chunk) => chunk?.byteLength ?? 0 },
  )
  return new Response(body, { headers: { 'Content-Type': form.contentType, 'X-Accel-Buffering': 'no' } })
}

type Send = (text: string) => void

function startSending(
  controller: ReadableStreamDefaultController<Uint8Array>,
  { head, heartbeat, tail }: StreamFormat,
  sendAll: (send: Send) => Promise<void>,
  disconnect: () => void,
): () => void {
  const encoder = new TextEncoder()
  const send = (text: string) => {
    if (text !== '') controller.enqueue(encoder.encode(text))
    if ((controller.desiredSize ?? 0) < -MAX_UNREAD) throw new Error('The client does not read.')
  }
  send(head)
  const timer = setInterval(() => ignoreErrors(() => send(heartbeat)), HEARTBEAT_INTERVAL)
  void sendAll(send)
    .then(() => send(tail()))
    .catch(disconnect)
    .finally(() => {
      clearInterval(timer)
      ignoreErrors(() => controller.close())
    })
  return () => clearInterval(timer)
}

async function pump<E>(events: AsyncIterable<E>, send: (event: E) => void): Promise<void> {
  for await (const event of events) send(event)
}

// The client may have disconnected since the last write.
function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {}
}

/** Page streams for one address. Browsers open six connections to a server, and need some for other requests. */
const MAX_STREAMS = 4

/** Closes the oldest stream of an address above the limit. Its page reconnects when it is used. */
export class StreamLimit {
  private readonly open: { address: string; close: AbortController }[] = []

  async *limited(
    address: string,
    disconnected: AbortSignal,
    open: (signal: AbortSignal) => AsyncIterable<string>,
  ): AsyncGenerator<string> {
    const stream = { address, close: new AbortController() }
    this.open.push(stream)
    const same = this.open.filter((one) => one.address === address)
    if (same.length > MAX_STREAMS) same[0]?.close.abort()
    try {
      yield* open(AbortSignal.any([disconnected, stream.close.signal]))
      if (stream.close.signal.aborted) yield formatEvent('unused', 'closed')
    } finally {
      this.open.splice(this.open.indexOf(stream), 1)
    }
  }
}

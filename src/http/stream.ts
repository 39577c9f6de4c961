import { currentVisitor } from './visitor.ts'

/** Milliseconds between heartbeats. */
const HEARTBEAT_INTERVAL = 5_000

const MAX_UNREAD = 4 * 1024 * 1024

/** A heartbeat that page scripts receive; that of other streams is a comment. */
export const PAGE_HEARTBEAT = formatEvent('', 'beat')

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
 * Streams server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): formatted ones, and objects,
 * which are sent as JSON. An error thrown by `open` is an ordinary response; later errors cannot change the status 200. The
 * signal aborts when the client disconnects.
 */
export function streamResponse(
  request: Request,
  open: (disconnected: AbortSignal) => AsyncIterable<string | object>,
  heartbeat = ': beat\n\n',
): Response {
  const disconnect = new AbortController()
  const revoked = currentVisitor()?.allowed
  const events = open(AbortSignal.any([request.signal, disconnect.signal, ...(revoked ? [revoked] : [])]))
  let timer: Timer | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const encoder = new TextEncoder()
        const send = (text: string) => {
          if (text !== '') controller.enqueue(encoder.encode(text))
          if ((controller.desiredSize ?? 0) < -MAX_UNREAD) throw new Error('The client does not read.')
        }
        // At once, so that the client gets the status.
        send(': open\n\n')
        timer = setInterval(() => ignoreErrors(() => send(heartbeat)), HEARTBEAT_INTERVAL)
        void sendAll(events, send)
          .catch(() => disconnect.abort())
          .finally(() => {
            clearInterval(timer)
            ignoreErrors(() => controller.close())
          })
      },
      cancel() {
        clearInterval(timer)
        disconnect.abort()
      },
    },
    { highWaterMark: 0, size: (chunk) => chunk?.byteLength ?? 0 },
  )
  const headers = { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' }
  return new Response(body, { headers })
}

async function sendAll(events: AsyncIterable<string | object>, send: (text: string) => void): Promise<void> {
  for await (const event of events)
    send(typeof event === 'string' ? event : formatEvent(JSON.stringify(event)))
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

/** Milliseconds between two signs of life on a silent stream. */
const BEAT = 5_000

/** Bytes that a client may leave unread before its stream is given up. */
const UNREAD = 4 * 1024 * 1024

/** How a stream is written: its type, what keeps it alive, and what stands around its pieces. */
export interface Form {
  contentType: string
  /** Sent at once, so that the status is settled and the client sees life. */
  head: string
  beat: string
  /** Sent when the events have ended. */
  tail: () => string
}

/** Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export const EVENTS: Form = {
  contentType: 'text/event-stream; charset=utf-8',
  head: ': open\n\n',
  beat: ': beat\n\n',
  tail: () => '',
}

/** One event as a frame: every line of its data has a `data:` of its own, so that no text can forge an event. */
export function frame(data: string, event = ''): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return `${event === '' ? '' : `event: ${event}\n`}${lines.join('')}\n`
}

/**
 * Answers with a stream that shows events as they come. `open` gives them; what it throws is an ordinary refusal.
 * From then on the status is 200, whatever happens (specification 6.2). The signal is aborted when the client leaves.
 */
export function streamAnswer<E>(
  request: Request,
  form: Form,
  open: (hangUp: AbortSignal) => AsyncIterable<E>,
  show: (event: E) => string,
): Response {
  const left = new AbortController()
  const events = open(AbortSignal.any([request.signal, left.signal]))
  const encoder = new TextEncoder()
  let beat: Timer | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string) => {
          if (text !== '') controller.enqueue(encoder.encode(text))
          if ((controller.desiredSize ?? 0) < -UNREAD) throw new Error('The client does not read.')
        }
        send(form.head)
        beat = setInterval(() => quietly(() => send(form.beat)), BEAT)
        void pump(events, (event) => send(show(event)))
          .then(() => send(form.tail()))
          .catch(() => left.abort())
          .finally(() => {
            clearInterval(beat)
            quietly(() => controller.close())
          })
      },
      cancel() {
        clearInterval(beat)
        left.abort()
      },
    },
    { highWaterMark: 0, size: (chunk) => chunk?.byteLength ?? 0 },
  )
  return new Response(body, { headers: { 'Content-Type': form.contentType, 'X-Accel-Buffering': 'no' } })
}

async function pump<E>(events: AsyncIterable<E>, send: (event: E) => void): Promise<void> {
  for await (const event of events) send(event)
}

// The client may have gone between two signs of life.
function quietly(work: () => void): void {
  try {
    work()
  } catch {}
}

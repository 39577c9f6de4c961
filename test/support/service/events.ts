import type { TurnEvent } from '../../../src/app/runtime/turn-events.ts'
import type { TestServer } from './server.ts'

/** An event of a turn as the client receives it. */
export type WireEvent = TurnEvent

/** A running turn as an API client sees it. */
export interface RunningTurn {
  status: number
  /** The next event that matches; earlier ones are skipped. */
  until(matches: (event: WireEvent) => boolean): Promise<WireEvent>
  /** All remaining events. */
  rest(): Promise<WireEvent[]>
  /** Disconnects, as a closed page does. */
  disconnect(): void
}

/** Starts a turn and returns it while it runs. */
export async function startTurn(
  server: Pick<TestServer, 'ask'>,
  path: string,
  body?: unknown,
): Promise<RunningTurn> {
  const connection = new AbortController()
  const response = await server.ask(path, {
    method: 'POST',
    signal: connection.signal,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  const events = response.status === 200 ? eventsOf(response) : noEvents()
  const until = async (matches: (event: WireEvent) => boolean): Promise<WireEvent> => {
    let last: WireEvent | null = null
    for (let next = await events.next(); !next.done; next = await events.next()) {
      if (matches(next.value)) return next.value
      last = next.value
    }
    throw new Error(`The turn ended before a matching event: ${response.status}, ${JSON.stringify(last)}`)
  }
  const rest = async () => {
    const all: WireEvent[] = []
    for await (const event of events) all.push(event)
    return all
  }
  return { status: response.status, until, rest, disconnect: () => connection.abort() }
}

/** Plays a turn to its end. */
export async function playTurn(
  server: TestServer,
  id: number,
  body: unknown = { type: 'continue' },
): Promise<WireEvent[]> {
  return (await startTurn(server, `/api/adventures/${id}/actions`, body)).rest()
}

/** Retries the newest reply to its end. */
export async function retryTurn(server: TestServer, id: number, body?: unknown): Promise<WireEvent[]> {
  return (await startTurn(server, `/api/adventures/${id}/retry`, body)).rest()
}

export function ofType<T extends WireEvent['type']>(type: T) {
  return (event: WireEvent): event is Extract<WireEvent, { type: T }> => event.type === type
}

/** The prose of all chunks. */
export function streamedText(events: WireEvent[]): string {
  return events
    .filter(ofType('chunk'))
    .map(({ text }) => text)
    .join('')
}

async function* eventsOf(response: Response): AsyncGenerator<WireEvent> {
  const decoder = new TextDecoder()
  let buffer = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    buffer += decoder.decode(chunk, { stream: true })
    const frames = buffer.split('\n\n')
    buffer = frames.pop() ?? ''
    for (const frame of frames) if (frame.startsWith('data: ')) yield JSON.parse(frame.slice(6))
  }
}

async function* noEvents(): AsyncGenerator<WireEvent> {}

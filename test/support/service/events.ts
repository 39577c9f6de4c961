import type { TurnEvent } from '../../../src/app/turn-events.ts'
import type { TestServer } from './server.ts'

/** An event of a turn as it comes over the wire. */
export type WireEvent = TurnEvent

/** A turn that runs, seen by a script. */
export interface RunningTurn {
  status: number
  /** The next event that `fits`; what comes before it is passed over. */
  until(fits: (event: WireEvent) => boolean): Promise<WireEvent>
  /** All events from here to the end. */
  rest(): Promise<WireEvent[]>
  /** Leaves, as a closed page does. */
  leave(): void
}

/** Asks for a turn and gives it while it runs. */
export async function startTurn(
  server: Pick<TestServer, 'ask'>,
  path: string,
  body?: unknown,
): Promise<RunningTurn> {
  const leaving = new AbortController()
  const answer = await server.ask(path, {
    method: 'POST',
    signal: leaving.signal,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  const events = answer.status === 200 ? eventsOf(answer) : noEvents()
  const until = async (fits: (event: WireEvent) => boolean): Promise<WireEvent> => {
    for (let next = await events.next(); !next.done; next = await events.next())
      if (fits(next.value)) return next.value
    throw new Error('The turn ended before that.')
  }
  const rest = async () => {
    const all: WireEvent[] = []
    for await (const event of events) all.push(event)
    return all
  }
  return { status: answer.status, until, rest, leave: () => leaving.abort() }
}

/** Plays a turn to its end. */
export async function playTurn(
  server: TestServer,
  id: number,
  body: unknown = { type: 'continue' },
): Promise<WireEvent[]> {
  return (await startTurn(server, `/api/adventures/${id}/actions`, body)).rest()
}

/** Retries the newest narration to its end. */
export async function retryTurn(server: TestServer, id: number): Promise<WireEvent[]> {
  return (await startTurn(server, `/api/adventures/${id}/retry`)).rest()
}

export function ofType<T extends WireEvent['type']>(type: T) {
  return (event: WireEvent): event is Extract<WireEvent, { type: T }> => event.type === type
}

/** What was told, as its pieces say. */
export function toldIn(events: WireEvent[]): string {
  return events
    .filter(ofType('chunk'))
    .map(({ text }) => text)
    .join('')
}

async function* eventsOf(answer: Response): AsyncGenerator<WireEvent> {
  const decoder = new TextDecoder()
  let buffer = ''
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    buffer += decoder.decode(chunk, { stream: true })
    const frames = buffer.split('\n\n')
    buffer = frames.pop() ?? ''
    for (const frame of frames) if (frame.startsWith('data: ')) yield JSON.parse(frame.slice(6))
  }
}

async function* noEvents(): AsyncGenerator<WireEvent> {}

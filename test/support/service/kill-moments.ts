import { statSync } from 'node:fs'
import type { Dice } from '../stories/dice.ts'
import { type Ask, initOf, type Service } from './service.ts'

/** When the power fails. The service must survive any instant, so a delay only picks one. */
export type Moment =
  | { kind: 'after'; milliseconds: number }
  | { kind: 'when so many bytes are told'; bytes: number }
  | { kind: 'when the journal has grown by'; bytes: number }
  | { kind: 'when it was answered' }

/** What a client has received by the time the service is dead. */
export interface Known {
  status: number | null
  told: string
  /** Whether the response was complete. */
  isWhole: boolean
}

/** A random instant of an operation that takes about `milliseconds` and streams about `bytes`. */
export function anyMoment(dice: Dice, milliseconds: number, bytes: number): Moment {
  const kind = dice.below(10)
  if (kind === 0) return { kind: 'when it was answered' }
  if (kind < 4) return { kind: 'after', milliseconds: dice.next() * milliseconds }
  // Any of several writes, and any page of one.
  if (bytes === 0 || kind < 7)
    return { kind: 'when the journal has grown by', bytes: 1 + dice.below(2) * 4_096 * dice.below(8) }
  return { kind: 'when so many bytes are told', bytes: 1 + dice.below(bytes) }
}

/** Sends a request and kills the service at `moment`, or when it has answered. */
export async function killAt(service: Service, path: string, ask: Ask, moment: Moment): Promise<Known> {
  const known: Known = { status: null, told: '', isWhole: false }
  const hasCome = watch(path, moment, known)
  const receiving = receive(service, ask, known)
  const answered = receiving.then(() => true)
  while (!hasCome() && !(await Promise.race([answered, nextTick()])));
  await service.kill()
  await receiving
  return known
}

async function receive(service: Service, ask: Ask, known: Known): Promise<void> {
  try {
    const response = await fetch(new URL(ask.path, service.address), initOf(ask))
    known.status = response.status
    await receiveBody(response, known)
    // A page's turn is told by the stream of its story.
    if (ask.path.endsWith('/turns')) {
      const events = new URL(ask.path.replace('/turns', '/events'), service.address)
      const headers = { Accept: 'text/event-stream' }
      await receiveBody(await fetch(events, { headers }), known, 'event: turn-ended')
    }
    known.isWhole = true
  } catch {
    // The kill closes the connection.
  }
}

async function receiveBody({ body }: Response, known: Known, last?: string): Promise<void> {
  const decoder = new TextDecoder()
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    known.told += decoder.decode(bytes, { stream: true })
    if (last !== undefined && known.told.includes(last)) break
  }
}

function watch(path: string, moment: Moment, known: Known): () => boolean {
  const started = performance.now()
  const journal = sizeOf(`${path}-wal`)
  switch (moment.kind) {
    case 'after':
      return () => performance.now() - started >= moment.milliseconds
    case 'when so many bytes are told':
      return () => known.told.length >= moment.bytes
    case 'when the journal has grown by':
      return () => sizeOf(`${path}-wal`) - journal >= moment.bytes
    case 'when it was answered':
      return () => known.isWhole
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

function nextTick(): Promise<false> {
  return new Promise((resolve) => setImmediate(() => resolve(false)))
}

import { statSync } from 'node:fs'
import type { Dice } from '../stories/dice.ts'
import { type Ask, initOf, type Service } from './service.ts'

/** When the power fails. Any instant must be right, so a delay only chooses one. */
export type Moment =
  | { kind: 'after'; milliseconds: number }
  | { kind: 'when so many bytes are told'; bytes: number }
  | { kind: 'when the journal has grown by'; bytes: number }
  | { kind: 'when it was answered' }

/** What a client knows when the service is dead. */
export interface Known {
  status: number | null
  told: string
  /** Whether the answer came to its end. */
  isWhole: boolean
}

/** An instant of a deed that takes about so many milliseconds, and tells about so many bytes. */
export function anyMoment(dice: Dice, milliseconds: number, bytes: number): Moment {
  const kind = dice.below(10)
  if (kind === 0) return { kind: 'when it was answered' }
  if (kind < 4) return { kind: 'after', milliseconds: dice.next() * milliseconds }
  // Of several writes, any; of the pages of one, any.
  if (bytes === 0 || kind < 7)
    return { kind: 'when the journal has grown by', bytes: 1 + dice.below(2) * 4_096 * dice.below(8) }
  return { kind: 'when so many bytes are told', bytes: 1 + dice.below(bytes) }
}

/** Sends a request and kills the service at that moment, or when it has answered. */
export async function killAt(service: Service, path: string, ask: Ask, moment: Moment): Promise<Known> {
  const known: Known = { status: null, told: '', isWhole: false }
  const isThere = watch(path, moment, known)
  const answering = hear(service, ask, known)
  const answered = answering.then(() => true)
  while (!isThere() && !(await Promise.race([answered, turnOfTheLoop()])));
  await service.kill()
  await answering
  return known
}

async function hear(service: Service, ask: Ask, known: Known): Promise<void> {
  try {
    const answer = await fetch(new URL(ask.path, service.address), initOf(ask))
    known.status = answer.status
    const decoder = new TextDecoder()
    for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>)
      known.told += decoder.decode(bytes, { stream: true })
    known.isWhole = true
  } catch {
    // The line is cut by the kill.
  }
}

function watch(path: string, moment: Moment, known: Known): () => boolean {
  const began = performance.now()
  const journal = sizeOf(`${path}-wal`)
  switch (moment.kind) {
    case 'after':
      return () => performance.now() - began >= moment.milliseconds
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

function turnOfTheLoop(): Promise<false> {
  return new Promise((resolve) => setImmediate(() => resolve(false)))
}

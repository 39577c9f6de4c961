import type { Step, Writer } from './database.ts'

/** `work` returns the last row of a chunk; null where there are no more. */
export function* chunkSteps<Place>(
  first: Place,
  work: (tx: Writer, after: Place) => Place | null,
): Generator<Step, void> {
  let after: Place | null = first
  while (after !== null) {
    const from: Place = after
    yield (tx) => {
      after = work(tx, from)
    }
  }
}

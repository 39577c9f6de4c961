import type { Step, Writer } from './database.ts'

/** A step for each chunk of rows. `work` returns the place of the last row of a chunk; null where there are no more. */
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

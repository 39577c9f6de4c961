import { StoryError } from '../../domain/errors.ts'
import type { Deps } from '../deps.ts'

/** Milliseconds for which a write waits for a busy library file, and between two attempts. */
const MAX_WAIT = 5_000
const RETRY_INTERVAL = 100

/** Does a write, and waits a while for another program that uses the library file. Throws what the write throws. */
export async function whenFree<T>({ now }: Pick<Deps, 'now'>, write: () => T): Promise<T> {
  const until = now().getTime() + MAX_WAIT
  for (;;) {
    try {
      return write()
    } catch (error) {
      const isBusy = error instanceof StoryError && error.code === 'library_busy'
      if (!isBusy || now().getTime() > until) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL))
  }
}

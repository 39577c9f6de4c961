import { StoryError } from '../domain/errors.ts'

/** Stores something of a turn, and says of any fault what it means for the player. Throws storage_failed. */
export function storing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof StoryError))
      throw new StoryError(
        'storage_failed',
        'The library file could not be written. Nothing was changed; try again.',
      )
    const isStorage = error.code === 'library_busy' || error.code === 'storage_full'
    throw isStorage ? new StoryError('storage_failed', error.message) : error
  }
}

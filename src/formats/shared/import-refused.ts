import { StoryError } from '../../domain/errors.ts'

/** Refuses a file with one sentence for the player. Nothing was written. */
export function importRefused(sentence: string): StoryError {
  return new StoryError('import_refused', sentence)
}

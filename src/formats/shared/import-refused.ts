import { StoryError } from '../../domain/errors.ts'

/** Why a file is not read: one sentence for the player. Nothing was written. */
export function importRefused(sentence: string): StoryError {
  return new StoryError('import_refused', sentence)
}

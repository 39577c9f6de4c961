import { getSavedSettings } from '../../db/tables/settings.ts'
import { StoryError } from '../../domain/errors.ts'
import type { Deps } from '../deps.ts'

/** Throws invalid where a file cannot be a narrator on this machine. */
export function checkModelFile({ engine, library: { reader } }: Deps, path: string): void {
  const { context_token_budget: window } = getSavedSettings(reader)
  const facts = engine.facts({ path, window })
  if (!('refused' in facts)) return
  const { refused: message } = facts
  throw new StoryError('invalid', message, { errors: [{ path: '/model_file', message }] })
}

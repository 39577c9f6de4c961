import { getSettings } from '../db/tables/settings.ts'
import type { Whereabouts } from '../narrator/whereabouts.ts'
import type { Deps } from './deps.ts'

export type { Whereabouts }

/** Where stories go with the settings as they are, and what went out since the start. Asks nobody. */
export function whereabouts(deps: Deps): Whereabouts {
  return deps.narrator.whereabouts(getSettings(deps.library.reader).endpoint_url || deps.practiceUrl())
}

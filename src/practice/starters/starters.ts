import type { StarterScenario } from '../../domain/scenario.ts'
import { LANTERN_SHELF } from './lantern-shelf.ts'
import { LAST_FERRY } from './last-ferry.ts'
import { NINE_BELLS } from './nine-bells.ts'

/** Scenarios of a new library, the simplest first. */
export const STARTERS: readonly StarterScenario[] = [LANTERN_SHELF, LAST_FERRY, NINE_BELLS]

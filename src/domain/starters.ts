import { LANTERN_SHELF } from '../practice/starters/lantern-shelf.ts'
import { LAST_FERRY } from '../practice/starters/last-ferry.ts'
import { NINE_BELLS } from '../practice/starters/nine-bells.ts'
import type { StarterScenario } from './starters/starter.ts'

export type { StarterScenario } from './starters/starter.ts'

/** The scenarios of a fresh library, from the plainest to the one with every kind of stat. */
export const STARTERS: readonly StarterScenario[] = [LANTERN_SHELF, LAST_FERRY, NINE_BELLS]

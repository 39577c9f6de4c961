import type { Reader } from '../../db/database.ts'
import { findNewest } from '../../db/tables/actions/list.ts'
import { findRolledLine } from '../../db/tables/actions/rolls.ts'
import { getVariants } from '../../db/tables/actions/variants.ts'
import type { AdventureWorld } from '../../db/tables/adventures.ts'
import type { TurnTarget } from '../../domain/world/delta-report.ts'
import type { Turn } from './turn.ts'

/** A retry is judged at the index and against the world of the turn that it repeats. */
export function turnTarget(
  reader: Reader,
  { adventureId, retried }: Pick<Turn, 'adventureId' | 'retried'>,
  { state }: AdventureWorld,
): TurnTarget {
  const roll = findRolledLine(reader, adventureId, retried)?.roll ?? null
  if (retried === null)
    return { index: (findNewest(reader, adventureId)?.index ?? -1) + 1, before: state, roll }
  return { index: retried.index, before: getVariants(reader, retried.id).world_state_before ?? state, roll }
}

import { findNewest } from '../../db/tables/actions/list.ts'
import { findRolledLine, updateRoll } from '../../db/tables/actions/rolls.ts'
import { findWorldBefore } from '../../db/tables/actions/variants.ts'
import { findAnswers, getWorld } from '../../db/tables/adventures.ts'
import { readChecks } from '../../domain/checks/check.ts'
import type { Prompt } from '../../domain/prompt/prompt.ts'
import { callingCard, cardKey } from '../../domain/timing/record.ts'
import { promptCards } from '../prompt/prompt-cards.ts'
import { writeWhenFree } from '../turn/reply/save-reply.ts'
import type { Turn } from '../turn/turn.ts'
import { rollFor } from './try-check.ts'

/**
 * Throws the dice for a check that a story card of this prompt calls for, before the model is asked. The roll belongs to the
 * player's line, as if it had been tried; a line that tries something itself keeps its own. Returns whether it did, so that
 * the prompt has to tell of it.
 */
export async function throwCalledCheck(turn: Turn, { timing }: Prompt): Promise<boolean> {
  const { deps, adventureId, retried } = turn
  if (retried || timing === null) return false
  const { reader } = deps.library
  const { cards } = promptCards(reader, adventureId, findAnswers(reader, adventureId) ?? {})
  const card = callingCard(cards, timing)
  if (card === undefined) return false
  const line = findNewest(reader, adventureId)
  if (line === null || findRolledLine(reader, adventureId, null) !== null) return false
  const world = getWorld(reader, adventureId)
  const check = readChecks(world.schema).find(({ name }) => name === card.timing?.how.check)
  if (check === undefined) return false
  const named = check.difficulties.find(({ name }) => name === card.timing?.how.difficulty)
  const found = { check, difficulty: named ?? check.difficulties[0] }
  const roll = rollFor(world, found, findWorldBefore(reader, line.id) ?? world.state)
  await writeWhenFree(turn, (tx) => updateRoll(tx, line.id, { ...roll, called_by: cardKey(card) }))
  return true
}

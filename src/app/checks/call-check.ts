import { findWorldBefore } from '../../db/tables/actions/attempts.ts'
import { findNewest } from '../../db/tables/actions/list.ts'
import { findRolledLine, updateRoll } from '../../db/tables/actions/rolls.ts'
import { findAnswers, getWorld } from '../../db/tables/adventures.ts'
import { isPlayerLine } from '../../domain/action.ts'
import { readChecks } from '../../domain/checks/check.ts'
import { callForChecks, callingCard, cardKey } from '../../domain/timing/record.ts'
import { buildPrompt } from '../prompt/build-prompt.ts'
import { promptCards } from '../prompt/prompt-cards.ts'
import { writeWhenFree } from '../turn/reply/save-reply.ts'
import type { Turn } from '../turn/turn.ts'
import { rollFor } from './try-check.ts'

/**
 * Throws the dice for a check that a story card of this turn calls for, before the model is asked. The roll belongs to the
 * player's line, as if it had been tried; a line that tries something itself keeps its own.
 */
export async function throwCalledCheck(turn: Turn): Promise<void> {
  const { deps, adventureId, retried, settings } = turn
  if (retried) return
  const { reader } = deps.library
  const { cards } = promptCards(reader, adventureId, findAnswers(reader, adventureId) ?? {})
  if (!callForChecks(cards)) return
  const line = findNewest(reader, adventureId)
  if (line === null || !isPlayerLine(line.type)) return
  if (findRolledLine(reader, adventureId, null) !== null) return
  const { timing } = buildPrompt(reader, { adventureId, settings })
  const card = timing === null ? undefined : callingCard(cards, timing)
  const world = getWorld(reader, adventureId)
  const check = readChecks(world.schema).find(({ name }) => name === card?.timing?.how.check)
  if (card === undefined || check === undefined) return
  const found = { check, difficulty: check.difficulties[0] }
  const roll = rollFor(world, found, findWorldBefore(reader, line.id) ?? world.state)
  await writeWhenFree(turn, (tx) => updateRoll(tx, line.id, { ...roll, called_by: cardKey(card) }))
}

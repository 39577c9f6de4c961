import { updateChances } from '../../db/tables/actions/timing-records.ts'
import { findAnswers } from '../../db/tables/adventures.ts'
import { undecidedCards } from '../../domain/timing/due-cards.ts'
import { promptCards } from '../prompt/prompt-cards.ts'
import { type TimedPast, timedMoment } from '../prompt/timed-moment.ts'
import { toldStory } from '../prompt/told-story.ts'
import { writeWhenFree } from '../turn/reply/save-reply.ts'
import type { Turn } from '../turn/turn.ts'
import { throwDice } from './throw-dice.ts'

/**
 * Throws the dice for the cards that come by chance, before the model is asked. What was thrown waits with the story until a
 * reply is stored, so a turn that fails changes nothing about it. Returns what the prompt needs of it; null without timed cards.
 */
export async function throwChances(turn: Turn): Promise<TimedPast | null> {
  const { deps, adventureId, retried } = turn
  const { reader } = deps.library
  const { cards } = promptCards(reader, adventureId, findAnswers(reader, adventureId) ?? {})
  const story = toldStory(reader, adventureId, retried)
  const moment = timedMoment(reader, { adventureId, before: retried, cards, story })
  const undecided = moment === null ? [] : undecidedCards(cards, moment)
  if (moment === null || undecided.length === 0) return moment
  const thrown = undecided.flatMap((key) => throwDice('1d100').map((shown) => [key, shown] as const))
  const chances = { ...moment.thrown, ...Object.fromEntries(thrown) }
  await writeWhenFree(turn, (tx) => updateChances(tx, adventureId, chances))
  return { ...moment, thrown: chances }
}

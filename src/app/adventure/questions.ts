import type { Reader, Writer } from '../../db/database.ts'
import { findNewest, getAction } from '../../db/tables/actions/list.ts'
import { findFirst } from '../../db/tables/actions/position.ts'
import {
  findAnswers,
  getAdventure,
  getWorld,
  pinSchema,
  updateAdventure,
  updateAnswers,
  updateWorldState,
} from '../../db/tables/adventures.ts'
import { listCardsWithPlaceholders, updateCard } from '../../db/tables/story-cards.ts'
import { insertBreak } from '../../db/tables/world-breaks.ts'
import type { Action } from '../../domain/action.ts'
import { PLOT_FIELDS, plotOf } from '../../domain/scenario.ts'
import {
  answersOrNames,
  filledCard,
  filledSchema,
  filledTexts,
  openQuestionsOf,
} from '../../domain/start-from-scenario.ts'
import { type Answers, fillPlaceholders, mayAsk } from '../../domain/text/placeholder.ts'
import { reconciledState } from '../../domain/world/reconcile.ts'
import type { WorldState } from '../../domain/world/state.ts'
import type { Deps } from '../deps.ts'
import { rewriteAction } from '../turn/edit-action.ts'

/** The questions that a story's own texts still ask, because it began without answers. Throws not_found. */
export function openQuestions(reader: Reader, adventureId: number): string[] {
  const adventure = getAdventure(reader, adventureId)
  return openQuestionsOf({
    ...plotOf((field) => adventure[field]),
    prompt: findOpening(reader, adventureId)?.text ?? '',
    stat_schema: getWorld(reader, adventureId).schema,
    cards: listCardsWithPlaceholders(reader, adventureId),
    answers: findAnswers(reader, adventureId) ?? {},
  })
}

/**
 * Stores the given answers to questions that a story still asks, a blank one as the name of its question, and fills its
 * texts as if it had begun with them. Throws not_found, turn_in_progress.
 */
export function answerQuestions(deps: Deps, adventureId: number, given: Answers): void {
  getAdventure(deps.library.reader, adventureId)
  using _ = deps.locks.take(adventureId)
  deps.library.write((tx) => {
    const asked = openQuestions(tx, adventureId).filter((name) => Object.hasOwn(given, name))
    if (asked.length === 0) return
    const answers = { ...findAnswers(tx, adventureId), ...answersOrNames(asked, given) }
    updateAnswers(tx, adventureId, answers)
    fillPlot(tx, adventureId, answers, deps.now())
    for (const card of listCardsWithPlaceholders(tx, adventureId))
      updateCard(tx, card.id, filledCard(card, answers))
    fillOpening(tx, adventureId, answers)
    fillWorld(tx, adventureId, answers)
  })
}

function findOpening(reader: Reader, adventureId: number): Action | null {
  const first = findFirst(reader, adventureId)
  const action = first && getAction(reader, adventureId, first.id)
  return action?.type === 'start' ? action : null
}

function fillPlot(tx: Writer, adventureId: number, answers: Answers, now: Date): void {
  const adventure = getAdventure(tx, adventureId)
  const asking = PLOT_FIELDS.filter((field) => mayAsk(adventure[field]))
  if (asking.length === 0) return
  const filled = asking.map((field) => [field, fillPlaceholders(adventure[field], answers)])
  updateAdventure(tx, adventureId, Object.fromEntries(filled), now)
}

function fillOpening(tx: Writer, adventureId: number, answers: Answers): void {
  const opening = findOpening(tx, adventureId)
  if (opening === null || !mayAsk(opening.text)) return
  const text = fillPlaceholders(opening.text, answers).trim()
  if (text !== opening.text) rewriteAction(tx, opening, text)
}

function fillWorld(tx: Writer, adventureId: number, answers: Answers): void {
  const { schema: stat_schema, state } = getWorld(tx, adventureId)
  const schema = filledSchema({ stat_schema }, answers)
  if (JSON.stringify(schema) === JSON.stringify(stat_schema ?? {})) return
  pinSchema(tx, adventureId, schema)
  const filled = filledTexts(state, (text) => fillPlaceholders(text, answers)) as WorldState
  updateWorldState(tx, adventureId, reconciledState(schema, filled))
  insertBreak(tx, adventureId, {
    since: findNewest(tx, adventureId)?.index ?? -1,
    what: 'follows the answers to its placeholders',
  })
}

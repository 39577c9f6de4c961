import { type Static, Type } from '@sinclair/typebox'
import type { Reader } from '../../db/database.ts'
import { findTimingRecord } from '../../db/tables/actions/timing-records.ts'
import { findAnswers, getWorld } from '../../db/tables/adventures.ts'
import { getScenario } from '../../db/tables/scenarios.ts'
import { type CardOwner, listCards } from '../../db/tables/story-cards.ts'
import { type FieldError, StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { filledCards } from '../../domain/prompt/filled-texts.ts'
import { type TriggeredCard, triedCards } from '../../domain/prompt/lore-notes.ts'
import { presentCharacters } from '../../domain/prompt/present-characters.ts'
import type { NamedOwner, StoryCard } from '../../domain/story-card.ts'
import type { StoryMoment } from '../../domain/timing/due-cards.ts'
import { hasTiming, recordedKeys } from '../../domain/timing/record.ts'
import { applyManualChange } from '../../domain/world/manual-change.ts'
import { REFUSAL_WORDS } from '../../domain/world/refusal-words.ts'
import { readRules } from '../../domain/world/rules.ts'
import { instantiate, type StatSchema, type WorldState } from '../../domain/world/state.ts'
import { Text } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'
import { cardOwnerFrom } from './story-cards.ts'

/** The defaults for a trial of the cards of a scenario or story: its next turn. */
export interface TrialStart {
  state: WorldState
  turn: number
  /** By card: the turn in which it was last included, if that matters; null if it never was. */
  told: Record<string, number | null>
}

/** A text, and how the trial differs from the next turn. */
export const cardTrial = () =>
  Type.Object({
    text: Text(LIMITS.prose),
    values: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Values by path; the others are those of the next turn',
      }),
    ),
    turn: Type.Optional(Type.Integer({ minimum: 1 })),
    told: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
        description: 'Every card that was told before, and the turn in which its newest telling began',
      }),
    ),
  })
export type CardTrial = Static<ReturnType<typeof cardTrial>>

/** Throws invalid, not_found. */
export function trialStart({ library: { reader } }: Deps, named: NamedOwner): TrialStart {
  const owner = cardOwnerFrom(reader, named)
  return startOf(reader, owner, ownCards(reader, owner))
}

/**
 * The cards that a text would trigger in a state of the world, with the reasons. Timed cards that it would not trigger
 * are listed too. Nothing is rolled. Throws invalid, not_found.
 */
export function tryCards(
  { library: { reader } }: Deps,
  { scenario_id, adventure_id, ...trial }: NamedOwner & CardTrial,
): TriggeredCard[] {
  const owner = cardOwnerFrom(reader, { scenario_id, adventure_id })
  const cards = ownCards(reader, owner)
  const moment = hasTiming(cards) ? triedMoment(reader, owner, cards, trial) : null
  return triedCards(cards, trial.text, moment)
}

function triedMoment(
  reader: Reader,
  owner: CardOwner,
  cards: readonly StoryCard[],
  { text, values = {}, turn, told }: CardTrial,
): StoryMoment {
  const start = startOf(reader, owner, cards)
  const schema = schemaOf(reader, owner)
  const rules = readRules(schema)
  const number = turnFrom(turn ?? start.turn)
  const began = Object.entries(told ?? start.told).filter((one): one is [string, number] => one[1] !== null)
  return {
    turn: number,
    rules,
    state: withValues(schema, start.state, values),
    record: { turn: number - 1, began: Object.fromEntries(began), told: [], seed: '' },
    present: presentCharacters(rules, text),
    callers: 'all',
    seed: null,
  }
}

function startOf(reader: Reader, owner: CardOwner, cards: readonly StoryCard[]): TrialStart {
  const isStory = 'adventure_id' in owner
  const { turn, record } = isStory
    ? findTimingRecord(reader, owner.adventure_id, null)
    : { turn: 1, record: null }
  const began = new Map(Object.entries(record?.began ?? {}))
  const told = [...recordedKeys(cards)].map((key) => [key, began.get(key) ?? null] as const)
  return {
    state: isStory ? getWorld(reader, owner.adventure_id).state : instantiate(schemaOf(reader, owner)),
    turn,
    told: Object.fromEntries(told),
  }
}

function ownCards(reader: Reader, owner: CardOwner): StoryCard[] {
  const answers = 'adventure_id' in owner ? (findAnswers(reader, owner.adventure_id) ?? {}) : {}
  return filledCards(listCards(reader, owner), answers)
}

function schemaOf(reader: Reader, owner: CardOwner): StatSchema | null {
  return 'adventure_id' in owner
    ? getWorld(reader, owner.adventure_id).schema
    : getScenario(reader, owner.scenario_id).stat_schema
}

function withValues(
  schema: StatSchema | null,
  state: WorldState,
  values: Record<string, unknown>,
): WorldState {
  const { after, verdicts } = applyManualChange(schema, state, values)
  const errors = verdicts.flatMap((one): FieldError[] =>
    one.verdict === 'refused' ? [{ path: `/values/${one.path}`, message: REFUSAL_WORDS[one.reason] }] : [],
  )
  if (errors.length === 0) return after
  const words = errors.map(({ path, message }) => `${path.slice('/values/'.length)}: ${message}`)
  throw new StoryError('invalid', `These values are not possible: ${words.join('; ')}.`, { errors })
}

function turnFrom(turn: number): number {
  if (Number.isSafeInteger(turn) && turn > 0) return turn
  const errors = [{ path: '/turn', message: 'must be a whole number from 1 up' }]
  throw new StoryError('invalid', 'The turn must be a whole number from 1 up.', { errors })
}

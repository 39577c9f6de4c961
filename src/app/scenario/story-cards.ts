import type { Reader } from '../../db/database.ts'
import { getAdventure, updateCardsAdopted } from '../../db/tables/adventures.ts'
import { getScenario } from '../../db/tables/scenarios.ts'
import {
  type CardOwner,
  countCards,
  deleteCard,
  getCard,
  insertCard,
  listCards,
  swapCardOrder,
  updateCard,
} from '../../db/tables/story-cards.ts'
import { type ConflictCheck, fieldsUnchanged } from '../../domain/edit-conflict.ts'
import { StoryError } from '../../domain/errors.ts'
import { MAX_CARDS } from '../../domain/limits.ts'
import { type CardFields, EMPTY_CARD, type NamedOwner, type StoryCard } from '../../domain/story-card.ts'
import { checkedTiming } from '../../domain/timing/timing-faults.ts'
import type { Deps } from '../deps.ts'

/** The one owner that is named. Throws invalid if there are none or two, not_found. */
export function cardOwnerFrom(reader: Reader, { scenario_id, adventure_id }: NamedOwner): CardOwner {
  if ((scenario_id === undefined) === (adventure_id === undefined))
    throw new StoryError('invalid', 'Send either scenario_id or adventure_id: a card has one owner.')
  if (scenario_id !== undefined) return { scenario_id: getScenario(reader, scenario_id).id }
  return { adventure_id: getAdventure(reader, adventure_id ?? 0).id }
}

/** Throws invalid if an owner cannot have so many more cards. */
export function assertRoomForCards(reader: Reader, owner: CardOwner, more: number): void {
  if (countCards(reader, owner) + more <= MAX_CARDS) return
  throw new StoryError(
    'invalid',
    `A scenario or story may have at most ${MAX_CARDS} story cards. Delete some that you do not need.`,
  )
}

/** Throws invalid, not_found. */
export function cardsOf(deps: Deps, named: NamedOwner): StoryCard[] {
  return listCards(deps.library.reader, cardOwnerFrom(deps.library.reader, named))
}

/** Throws invalid, not_found. */
export function createCard(
  deps: Deps,
  { scenario_id, adventure_id, ...fields }: Partial<CardFields> & NamedOwner,
): StoryCard {
  const owner = cardOwnerFrom(deps.library.reader, { scenario_id, adventure_id })
  assertRoomForCards(deps.library.reader, owner, 1)
  return viewOf(
    deps,
    deps.library.write((tx) => insertCard(tx, owner, { ...EMPTY_CARD, ...withCheckedTiming(fields) }, null)),
  )
}

/** Changes the given fields, if the check allows it. Throws not_found, changed_elsewhere. */
export function changeCard(
  deps: Deps,
  id: number,
  changed: Partial<CardFields>,
  check: ConflictCheck = fieldsUnchanged(),
): StoryCard {
  deps.library.write((tx) =>
    updateCard(tx, id, check<CardFields>({ timing: null, ...getCard(tx, id) }, withCheckedTiming(changed))),
  )
  return viewOf(deps, id)
}

/** Moves a card by one position among those of its owner; at either end it stays. Throws not_found. */
export function moveCard(deps: Deps, id: number, where: 'earlier' | 'later'): StoryCard {
  deps.library.write((tx) => {
    const { scenario_id, adventure_id } = getCard(tx, id)
    const cards = listCards(tx, scenario_id === null ? { adventure_id: adventure_id ?? 0 } : { scenario_id })
    const neighbour = cards[cards.findIndex((card) => card.id === id) + (where === 'later' ? 1 : -1)]
    if (neighbour) swapCardOrder(tx, id, neighbour.id)
  })
  return viewOf(deps, id)
}

/** Throws not_found. */
export function removeCard(deps: Deps, id: number): void {
  deps.library.write((tx) => {
    const { adventure_id, source_ref } = getCard(tx, id)
    deleteCard(tx, id)
    // Without any reference left, the adventure would look as if its cards had never been matched.
    if (adventure_id !== null && source_ref !== null) updateCardsAdopted(tx, adventure_id)
  })
}

function withCheckedTiming(fields: Partial<CardFields>): Partial<CardFields> {
  return fields.timing === undefined ? fields : { ...fields, timing: checkedTiming(fields.timing) }
}

// The origin of a card is internal and never sent.
function viewOf(deps: Deps, id: number): StoryCard {
  const { source_ref: _, ...card } = getCard(deps.library.reader, id)
  return card
}

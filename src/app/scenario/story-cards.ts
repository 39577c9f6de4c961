import { adoptCards, getAdventure } from '../../db/tables/adventures.ts'
import type { Reader } from '../../db/database.ts'
import { getScenario } from '../../db/tables/scenarios.ts'
import {
  type CardOwner,
  deleteCard,
  getCard,
  insertCard,
  listCards,
  swapCards,
  updateCard,
} from '../../db/tables/story-cards.ts'
import { type Seen, unlessChanged } from '../../domain/changed-elsewhere.ts'
import { StoryError } from '../../domain/errors.ts'
import { type CalledCard, calledBy } from '../../domain/prompt/called.ts'
import { type CardFields, EMPTY_CARD, type StoryCard } from '../../domain/story-card.ts'
import type { Deps } from '../deps.ts'

/** Whose card is meant: exactly one of the two must be named. Throws invalid, not_found. */
export function ownerFrom(reader: Reader, named: { scenario_id?: number; adventure_id?: number }): CardOwner {
  const { scenario_id, adventure_id } = named
  if ((scenario_id === undefined) === (adventure_id === undefined))
    throw new StoryError('invalid', 'Name either a scenario_id or an adventure_id: a card has one owner.')
  if (scenario_id !== undefined) return { scenario_id: getScenario(reader, scenario_id).id }
  return { adventure_id: getAdventure(reader, adventure_id ?? 0).id }
}

/** The cards of one owner. Throws invalid, not_found. */
export function cardsOf(deps: Deps, named: { scenario_id?: number; adventure_id?: number }): StoryCard[] {
  return listCards(deps.library.reader, ownerFrom(deps.library.reader, named))
}

/** Which cards of an owner a text would call up. Throws invalid, not_found. */
export function tryCards(
  deps: Deps,
  named: { scenario_id?: number; adventure_id?: number },
  text: string,
): CalledCard[] {
  return calledBy(cardsOf(deps, named), text)
}

/** Throws invalid, not_found. */
export function createCard(
  deps: Deps,
  {
    scenario_id,
    adventure_id,
    ...fields
  }: Partial<CardFields> & { scenario_id?: number; adventure_id?: number },
): StoryCard {
  const owner = ownerFrom(deps.library.reader, {
    ...(scenario_id === undefined ? {} : { scenario_id }),
    ...(adventure_id === undefined ? {} : { adventure_id }),
  })
  return shown(
    deps,
    deps.library.write((tx) => insertCard(tx, owner, { ...EMPTY_CARD, ...fields }, null)),
  )
}

/** Changes the given fields, as they were when they were `seen`. Throws not_found, changed_elsewhere. */
export function changeCard(deps: Deps, id: number, changed: Partial<CardFields>, seen: Seen = {}): StoryCard {
  deps.library.write((tx) => updateCard(tx, id, unlessChanged<CardFields>(getCard(tx, id), changed, seen)))
  return shown(deps, id)
}

/** Moves a card by one place among those of its owner; at either end it stays. Throws not_found. */
export function moveCard(deps: Deps, id: number, where: 'earlier' | 'later'): StoryCard {
  deps.library.write((tx) => {
    const { scenario_id, adventure_id } = getCard(tx, id)
    const cards = listCards(tx, scenario_id === null ? { adventure_id: adventure_id ?? 0 } : { scenario_id })
    const neighbour = cards[cards.findIndex((card) => card.id === id) + (where === 'later' ? 1 : -1)]
    if (neighbour) swapCards(tx, id, neighbour.id)
  })
  return shown(deps, id)
}

/** Throws not_found. */
export function removeCard(deps: Deps, id: number): void {
  deps.library.write((tx) => {
    const { adventure_id, source_ref } = getCard(tx, id)
    deleteCard(tx, id)
    // With its last reference an adventure must not look as if its cards had never been matched.
    if (adventure_id !== null && source_ref !== null) adoptCards(tx, adventure_id)
  })
}

// Where a card comes from is ours to know and nobody's to be sent.
function shown(deps: Deps, id: number): StoryCard {
  const { source_ref: _, ...card } = getCard(deps.library.reader, id)
  return card
}

import { StoryError } from '../../domain/errors.ts'
import type { CardFields, CardWithSource, StoryCard } from '../../domain/story-card.ts'
import type { Reader, Writer } from '../database.ts'
import { indexForSearch, unindexForSearch } from '../search.ts'

/** Whose a card is. */
export type CardOwner = { scenario_id: number } | { adventure_id: number }

/** Where a card stands among those of its owner. */
const PLACE = 'coalesce(position, id)'

const COLUMNS = 'id, scenario_id, adventure_id, type, name, keys, entry, notes'

/** The cards of one owner, in its order: as they were made, but for those that were moved. */
export function listCards(reader: Reader, owner: CardOwner): StoryCard[] {
  const [column, id] = ownerColumn(owner)
  return reader.all<StoryCard>(
    `SELECT ${COLUMNS} FROM story_cards WHERE ${column} = ? ORDER BY ${PLACE}, id`,
    id,
  )
}

/** The cards of an adventure with where they come from, in the order in which they were made. */
export function listCardsWithSource(reader: Reader, adventureId: number): CardWithSource[] {
  return reader.all<CardWithSource>(
    `SELECT ${COLUMNS}, source_ref FROM story_cards WHERE adventure_id = ? ORDER BY id`,
    adventureId,
  )
}

/** Throws not_found. */
export function getCard(reader: Reader, id: number): CardWithSource {
  const card = reader.get<CardWithSource>(`SELECT ${COLUMNS}, source_ref FROM story_cards WHERE id = ?`, id)
  if (card) return card
  throw new StoryError('not_found', `There is no story card ${id}. It may have been deleted.`)
}

export function insertCard(
  tx: Writer,
  owner: CardOwner,
  fields: CardFields,
  sourceRef: string | null,
): number {
  const id = tx.insert('story_cards', { ...owner, ...fields, source_ref: sourceRef })
  indexForSearch(tx, 'story_card', id)
  return id
}

export function updateCard(
  tx: Writer,
  id: number,
  changed: Partial<CardFields & Pick<CardWithSource, 'source_ref'>>,
): void {
  tx.update('story_cards', id, changed)
  indexForSearch(tx, 'story_card', id)
}

/** Puts two cards each in the place of the other. */
export function swapCards(tx: Writer, one: number, other: number): void {
  const place = (id: number) =>
    tx.get<{ place: number }>(`SELECT ${PLACE} AS place FROM story_cards WHERE id = ?`, id)?.place ?? id
  const [first, second] = [place(one), place(other)]
  tx.update('story_cards', one, { position: second })
  tx.update('story_cards', other, { position: first })
}

export function deleteCard(tx: Writer, id: number): void {
  tx.run('DELETE FROM story_cards WHERE id = ?', id)
  unindexForSearch(tx, 'story_card', id)
}

function ownerColumn(owner: CardOwner): ['scenario_id' | 'adventure_id', number] {
  return 'scenario_id' in owner ? ['scenario_id', owner.scenario_id] : ['adventure_id', owner.adventure_id]
}

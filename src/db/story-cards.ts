import { StoryError } from '../domain/errors.ts'
import type { CardFields, CardWithSource, StoryCard } from '../domain/story-card.ts'
import type { Reader, Writer } from './database.ts'
import { indexForSearch, unindexForSearch } from './search.ts'

/** Whose a card is. */
export type CardOwner = { scenario_id: number } | { adventure_id: number }

const COLUMNS = 'id, scenario_id, adventure_id, type, name, keys, entry, notes'

/** The cards of one owner, in the order in which they were made. */
export function listCards(reader: Reader, owner: CardOwner): StoryCard[] {
  const [column, id] = ownerColumn(owner)
  return reader.all<StoryCard>(`SELECT ${COLUMNS} FROM story_cards WHERE ${column} = ? ORDER BY id`, id)
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

export function updateCard(tx: Writer, id: number, changed: Partial<CardFields>): void {
  tx.update('story_cards', id, changed)
  indexForSearch(tx, 'story_card', id)
}

export function deleteCard(tx: Writer, id: number): void {
  tx.run('DELETE FROM story_cards WHERE id = ?', id)
  unindexForSearch(tx, 'story_card', id)
}

function ownerColumn(owner: CardOwner): ['scenario_id' | 'adventure_id', number] {
  return 'scenario_id' in owner ? ['scenario_id', owner.scenario_id] : ['adventure_id', owner.adventure_id]
}

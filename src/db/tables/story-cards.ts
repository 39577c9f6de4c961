import { StoryError } from '../../domain/errors.ts'
import type { CardFields, CardWithSource, StoryCard } from '../../domain/story-card.ts'
import { timingFrom } from '../../domain/timing/timing.ts'
import { StoryCache } from '../cache/story-cache.ts'
import { parseColumn } from '../column-values.ts'
import type { Reader, Writer } from '../database.ts'
import { indexForSearch, unindexForSearch } from '../search/story-index.ts'

export type CardOwner = { scenario_id: number } | { adventure_id: number }

const POSITION = 'coalesce(position, id)'

const COLUMNS = 'id, scenario_id, adventure_id, type, name, keys, entry, notes, timing'

type CardRow<Card> = Omit<Card, 'timing'> & { timing: string | null }

/** A card without timing has no such key, so that it is as it was before there was any. */
export function cardFromRow<Card extends CardFields>({ timing: stored, ...card }: CardRow<Card>): Card {
  const timing = timingFrom(parseColumn(stored))
  return { ...card, ...(timing && { timing }) } as unknown as Card
}

function timingColumn({ timing }: Pick<CardFields, 'timing'>) {
  return { timing: timing ? JSON.stringify(timing) : null }
}

/** In the player's order: by creation, except for those that were moved. */
export function listCards(reader: Reader, owner: CardOwner): StoryCard[] {
  return listRows(reader, owner).map(cardFromRow)
}

function listRows(reader: Reader, owner: CardOwner): CardRow<StoryCard>[] {
  const [column, id] = ownerColumn(owner)
  const sql = `SELECT ${COLUMNS} FROM story_cards WHERE ${column} = ? ORDER BY ${POSITION}, id`
  return reader.all<CardRow<StoryCard>>(sql, id)
}

/** Cards whose timing is parsed at once. */
const PIECE = 500

/** Kept in memory for prompts. The same list as long as no card changes. */
export const storyCards = new StoryCache<readonly StoryCard[]>({
  table: 'story_cards',
  *compute(reader, adventureId) {
    const cards: StoryCard[] = []
    for (const row of listRows(reader, { adventure_id: adventureId })) {
      cards.push(cardFromRow(row))
      if (cards.length % PIECE === 0) yield
    }
    return cards
  },
  bytesOf: (cards) =>
    cards.reduce(
      (sum, { name, keys, entry, notes }) =>
        sum + name.length + keys.length + entry.length + notes.length + 200,
      0,
    ),
})

export function countCards(reader: Reader, owner: CardOwner): number {
  const [column, id] = ownerColumn(owner)
  return reader.value(`SELECT count(*) FROM story_cards WHERE ${column} = ?`, id) ?? 0
}

/** In order of creation. */
export function listCardsWithSource(reader: Reader, adventureId: number): CardWithSource[] {
  const rows = reader.all<CardRow<CardWithSource>>(
    `SELECT ${COLUMNS}, source_ref FROM story_cards WHERE adventure_id = ? ORDER BY id`,
    adventureId,
  )
  return rows.map(cardFromRow)
}

/** The cards of an adventure that may contain placeholders, in order of creation. */
export function listCardsWithPlaceholders(reader: Reader, adventureId: number): CardWithSource[] {
  const rows = reader.all<CardRow<CardWithSource>>(
    `SELECT ${COLUMNS}, source_ref FROM story_cards
      WHERE adventure_id = ?1 AND (instr(keys, ?2) > 0 OR instr(entry, ?2) > 0 OR instr(name, ?2) > 0) ORDER BY id`,
    adventureId,
    '${',
  )
  return rows.map(cardFromRow)
}

/** Throws not_found. */
export function getCard(reader: Reader, id: number): CardWithSource {
  const row = reader.get<CardRow<CardWithSource>>(
    `SELECT ${COLUMNS}, source_ref FROM story_cards WHERE id = ?`,
    id,
  )
  if (row) return cardFromRow(row)
  throw new StoryError('not_found', `There is no story card ${id}. It may have been deleted.`)
}

export function insertCard(
  tx: Writer,
  owner: CardOwner,
  fields: CardFields,
  sourceRef: string | null,
): number {
  const id = tx.insert('story_cards', { ...owner, ...fields, ...timingColumn(fields), source_ref: sourceRef })
  indexForSearch(tx, 'story_card', id)
  return id
}

export function updateCard(
  tx: Writer,
  id: number,
  changed: Partial<CardFields & Pick<CardWithSource, 'source_ref'>>,
): void {
  const { timing, ...texts } = changed
  tx.update('story_cards', id, timing === undefined ? texts : { ...texts, ...timingColumn({ timing }) })
  indexForSearch(tx, 'story_card', id)
}

export function changeCardOwner(tx: Writer, from: CardOwner, to: CardOwner): void {
  const [column, id] = ownerColumn(from)
  for (const card of tx.column<number>(`SELECT id FROM story_cards WHERE ${column} = ?`, id)) {
    tx.update('story_cards', card, { scenario_id: null, adventure_id: null, ...to })
    indexForSearch(tx, 'story_card', card)
  }
}

export function swapCardOrder(tx: Writer, one: number, other: number): void {
  const positionOf = (id: number) =>
    tx.value<number>(`SELECT ${POSITION} FROM story_cards WHERE id = ?`, id) ?? id
  const [first, second] = [positionOf(one), positionOf(other)]
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

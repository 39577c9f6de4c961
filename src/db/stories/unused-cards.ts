import { notesFrom } from '../../domain/prompt/notes.ts'
import { UNUSED_TURNS } from '../../domain/story-card.ts'
import { parseObjectColumn } from '../column-values.ts'
import type { Reader } from '../database.ts'
import type { CardOwner } from '../tables/story-cards.ts'

/** Stories of a scenario that are read: those changed last. */
const MAX_STORIES = 5

/** The ids of the cards that no prompt was given in the last turns of their stories; none while every story is shorter. */
export function findUnusedCards(reader: Reader, owner: CardOwner): Set<number> {
  const ofStory = 'adventure_id' in owner
  const stories = ofStory
    ? [owner.adventure_id]
    : reader.column<number>(
        'SELECT id FROM adventures WHERE scenario_id = ? ORDER BY updated_at DESC LIMIT ?',
        owner.scenario_id,
        MAX_STORIES,
      )
  const long = stories.flatMap((id) => {
    const given = cardsGiven(reader, id)
    return given === null ? [] : [{ id, given }]
  })
  if (long.length === 0) return new Set()
  const cards = ofStory
    ? reader.column<number>('SELECT id FROM story_cards WHERE adventure_id = ?', owner.adventure_id)
    : reader.column<number>('SELECT id FROM story_cards WHERE scenario_id = ?', owner.scenario_id)
  const used = new Set(long.flatMap(({ id, given }) => (ofStory ? [...given] : sourcesOf(reader, id, given))))
  return new Set(cards.filter((id) => !used.has(id)))
}

/** Null for a shorter story. */
function cardsGiven(reader: Reader, adventureId: number): Set<number> | null {
  const notes = reader.column<string | null>(
    `SELECT prompt_notes FROM actions WHERE adventure_id = ? AND type = 'ai' ORDER BY "index" DESC LIMIT ?`,
    adventureId,
    UNUSED_TURNS,
  )
  if (notes.length < UNUSED_TURNS) return null
  return new Set(notes.flatMap((json) => notesFrom(parseObjectColumn(json))?.lore.map(([id]) => id) ?? []))
}

function sourcesOf(reader: Reader, adventureId: number, cards: ReadonlySet<number>): number[] {
  return reader
    .all<{ id: number; source: string }>(
      "SELECT id, substr(source_ref, 6) AS source FROM story_cards WHERE adventure_id = ? AND source_ref GLOB 'card:*'",
      adventureId,
    )
    .flatMap(({ id, source }) => (cards.has(id) ? [Number(source)] : []))
}

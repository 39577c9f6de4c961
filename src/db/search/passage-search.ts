import { isFormOf, type LineTerm } from '../../domain/recall/line-terms.ts'
import {
  candidatePlaces,
  EXACT,
  FORM,
  type PassageHit,
  rankPassages,
  type TermPlaces,
} from '../../domain/recall/passages.ts'
import { asIndexed } from '../../domain/search/words.ts'
import { isBlank } from '../../lib/text.ts'
import type { Reader } from '../database.ts'
import { ownerTerm, rowidRange } from './searchable-rows.ts'
import { placeFrom, placesOf, type StoryOrder, storyOrder } from './story-order.ts'

/** A passage that words have found. */
interface FoundPassage extends PassageHit {
  id: number
  index: number
  type: string
  text: string
}

/** The terms of a line that are looked for: the rarest. */
const MAX_TERMS = 24
/** Rows of the index that are read for one line. Very common words are left out of a long story: they say little. */
const MAX_ROWS = 30_000

/** The passages of a story before an index that fit the terms of a line, best first. */
export function searchPassages(
  reader: Reader,
  adventureId: number,
  terms: readonly LineTerm[],
  endingBefore: number,
): FoundPassage[] {
  const order = storyOrder(reader, adventureId)
  const end = placeFrom(order, endingBefore)
  if (end === 0) return []
  const places = termPlaces(reader, adventureId, order, terms)
  const candidates = candidatePlaces(places, order.ids.length, end)
  const passages = readPassages(reader, adventureId, order, candidates)
  const hits = rankPassages(
    places,
    { places: candidates, total: order.ids.length },
    (place) => passages.get(place)?.text ?? '',
  )
  return hits.flatMap((hit) => {
    const passage = passages.get(hit.place)
    return passage && !isBlank(passage.text)
      ? [{ ...passage, ...hit, index: order.indexes[hit.place] ?? 0 }]
      : []
  })
}

function termPlaces(
  reader: Reader,
  adventureId: number,
  order: StoryOrder,
  terms: readonly LineTerm[],
): TermPlaces[] {
  const counted = terms
    .map((term) => {
      const forms = formsOf(reader, term)
      return { term, forms, count: forms.reduce((sum, { count }) => sum + count, 0) }
    })
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.count - other.count)
  let rows = 0
  return counted.slice(0, MAX_TERMS).flatMap(({ term, forms, count }): TermPlaces[] => {
    rows += count
    if (rows > MAX_ROWS) return []
    const exact = term.words.map(asIndexed).join(' ')
    const others = forms.map(({ word }) => word).filter((word) => word !== exact)
    const fitting = new Set(placesWith(reader, adventureId, order, [exact]))
    const places =
      others.length === 0 ? [...fitting] : placesWith(reader, adventureId, order, [exact, ...others])
    const strengths = places.map((place) => (fitting.has(place) ? EXACT : FORM))
    return places.length > 0 ? [{ term, places, strengths }] : []
  })
}

interface Form {
  /** As the index has it; of a term with several words, all of them. */
  word: string
  /** In how many rows of the library it stands, at most. */
  count: number
}

/** The forms in which a term stands in the library. */
function formsOf(reader: Reader, term: LineTerm): Form[] {
  const words = term.words.map(asIndexed)
  if (term.beginning === null) {
    const counts = words.map((word) => countsFrom(reader, word, word)[0]?.count ?? 0)
    return [{ word: words.join(' '), count: Math.min(...counts) }]
  }
  const start = asIndexed(term.beginning)
  const all = countsFrom(reader, start, `${start}\u{10ffff}`)
  // Folded words are in upper case.
  return all.filter(({ word }) => isFormOf(word.toUpperCase(), term))
}

function countsFrom(reader: Reader, first: string, last: string): Form[] {
  return reader.all<Form>(
    'SELECT term AS word, doc AS count FROM search_word_counts WHERE term BETWEEN ? AND ?',
    first,
    last,
  )
}

function placesWith(
  reader: Reader,
  adventureId: number,
  order: StoryOrder,
  words: readonly string[],
): number[] {
  if (words.length === 0) return []
  const any = words.map((word) => `"${word}"`).join(' OR ')
  // One row, because the cells of each are looked at.
  const { ids } = reader.get<{ ids: string }>(
    `SELECT json_group_array(rowid) AS ids FROM
      (SELECT rowid FROM search_index WHERE search_index MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid)`,
    `owner : "${ownerTerm({ adventure: adventureId })}" AND text : (${any})`,
    ...rowidRange('action'),
  ) ?? { ids: '[]' }
  return placesOf(order, JSON.parse(ids))
}

/** The passages at some places and right before them, by their places. */
function readPassages(reader: Reader, adventureId: number, order: StoryOrder, places: readonly number[]) {
  const wanted = [...new Set(places.flatMap((place) => [place - 1, place]))].filter((place) => place >= 0)
  const rows = reader.all<{ id: number; type: string; text: string }>(
    'SELECT id, type, text FROM actions WHERE id IN (SELECT value FROM json_each(?)) AND adventure_id = ?',
    JSON.stringify(wanted.map((place) => order.ids[place])),
    adventureId,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    wanted.flatMap((place) => {
      const row = byId.get(order.ids[place] ?? 0)
      return row ? [[place, row] as const] : []
    }),
  )
}

import { isFormOf, type LineTerm } from '../../domain/recall/line-terms.ts'
import {
  bestScore,
  candidatePlaces,
  EXACT,
  FORM,
  fuseWithMeaning,
  heaviest,
  type PassageHit,
  rankPassages,
  type TermPlaces,
} from '../../domain/recall/passages.ts'
import type { VectorQuery } from '../../domain/recall/vectors.ts'
import { asIndexed } from '../../domain/search/words.ts'
import { countBelow, sumOf } from '../../lib/numbers.ts'
import { isBlank } from '../../lib/text.ts'
import type { Reader } from '../database.ts'
import { passageMeaning } from './passage-vectors.ts'
import { rowidRange, textExpression } from './searchable-rows.ts'
import { countPassages, keptOrder, placesOf, type StoryOrder, storyOrder } from './story-order.ts'

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
const MAX_ROWS = 10_000
/** Passages that are looked at for what they mean. */
const MAX_BY_MEANING = 60

interface PassageSearch {
  terms: readonly LineTerm[]
  /** Only passages before this index are found. */
  endingBefore: number
  /** Nothing is found where no passage can reach this score, by words alone. */
  least?: number
  /** Finds passages by what they mean, too. */
  query?: VectorQuery | null
}

/** The passages of a story that fit the terms of a line, best first. */
export function searchPassages(
  reader: Reader,
  adventureId: number,
  { terms, endingBefore, least = 0, query = null }: PassageSearch,
): FoundPassage[] {
  const counted = countTerms(reader, terms)
  const kept = keptOrder(reader, adventureId)
  const first = findTerms(reader, adventureId, kept, counted)
  const counts = first.map(({ places }) => places.length)
  const isReachable = first.length > 0 && bestScore(counts, countPassages(reader, adventureId)) >= least
  if (!isReachable && query === null) return []
  const order = kept ?? storyOrder(reader, adventureId)
  const meaning = query && passageMeaning(reader, adventureId, order, query)
  if (!isReachable && meaning === null) return []
  const found = kept ? first : findTerms(reader, adventureId, order, counted)
  const total = order.ids.length
  const end = countBelow(order.indexes, endingBefore)
  const byWords = candidatePlaces(found, total, end)
  const byMeaning = meaning ? heaviest(meaning.all.subarray(0, end), MAX_BY_MEANING) : []
  const candidates = [...new Set([...byWords, ...byMeaning])]
  const passages = readPassages(reader, adventureId, order, candidates)
  const hits = rankPassages(found, { places: candidates, total }, (place) => passages.get(place)?.text ?? '')
  const ranked = hits.flatMap((hit) => {
    const passage = passages.get(hit.place)
    if (!passage || passage.hidden === 1 || isBlank(passage.text)) return []
    const before = passages.get(hit.place - 1)?.text ?? ''
    const stands = meaning?.of(hit.place, { ...passage, before }) ?? 0
    return [{ ...passage, ...hit, meaning: stands, index: order.indexes[hit.place] ?? 0 }]
  })
  return meaning ? fuseWithMeaning(ranked) : ranked
}

/** A term that stands in the library, and in how many rows at most. */
interface CountedTerm {
  term: LineTerm
  forms: Form[]
  count: number
}

/** The terms that stand in the library, the rarest first. */
function countTerms(reader: Reader, terms: readonly LineTerm[]): CountedTerm[] {
  return terms
    .map((term) => {
      const forms = formsOf(reader, term)
      return { term, forms, count: sumOf(forms.map(({ count }) => count)) }
    })
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.count - other.count)
}

/**
 * Where terms stand in a story: those that are rare enough to say something. Without its order, ids stand for the places, which
 * is enough to count them.
 */
function findTerms(
  reader: Reader,
  adventureId: number,
  order: StoryOrder | null,
  counted: readonly CountedTerm[],
): TermPlaces[] {
  // To look for the words of one story takes five times as long as to look for all and leave out those of others.
  const isBranched = hasBranches(reader, adventureId)
  const owner = order === null || isBranched ? adventureId : undefined
  const listPlaces = (words: readonly string[]) => {
    const ids = words.length === 0 ? [] : listIds(reader, owner, words)
    return order ? placesOf(order, ids) : ids
  }
  let rows = 0
  return counted.slice(0, MAX_TERMS).flatMap(({ term, forms, count }): TermPlaces[] => {
    // Every branch has its rows of shared passages, so the count for the library says little about one of them.
    if (!isBranched) rows += count
    if (rows > MAX_ROWS) return []
    const own = term.words.map(asIndexed).join(' ')
    const others = forms.map(({ word }) => word).filter((word) => word !== own)
    const found = mergePlaces(term, listPlaces([own]), listPlaces(others))
    if (isBranched) rows += found.places.length
    return found.places.length > 0 && rows <= MAX_ROWS ? [found] : []
  })
}

/** Where a term stands as such or in another form. Both lists are in order. */
function mergePlaces(term: LineTerm, exact: readonly number[], others: readonly number[]): TermPlaces {
  const places: number[] = []
  const strengths: number[] = []
  let other = 0
  const takeOthers = (before: number) => {
    for (; other < others.length && (others[other] ?? 0) < before; other++) {
      places.push(others[other] ?? 0)
      strengths.push(FORM)
    }
  }
  for (const place of exact) {
    takeOthers(place)
    if (others[other] === place) other++
    places.push(place)
    strengths.push(EXACT)
  }
  takeOthers(Number.POSITIVE_INFINITY)
  return { term, places, strengths }
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

function listIds(reader: Reader, adventureId: number | undefined, words: readonly string[]): number[] {
  const any = words.map((word) => `"${word}"`).join(' OR ')
  // One row, because the cells of each are looked at.
  const ids = reader.value<string>(
    `SELECT json_group_array(rowid) FROM
      (SELECT rowid FROM search_index WHERE search_index MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid)`,
    textExpression(any, adventureId),
    ...rowidRange('action'),
  )
  return JSON.parse(ids ?? '[]')
}

function hasBranches(reader: Reader, adventureId: number): boolean {
  const sql = 'SELECT 1 FROM adventures WHERE id = ? AND family IS NOT NULL'
  return reader.get(sql, adventureId) !== null
}

/** The passages at some places and right before them, by their places. */
function readPassages(reader: Reader, adventureId: number, order: StoryOrder, places: readonly number[]) {
  const wanted = [...new Set(places.flatMap((place) => [place - 1, place]))].filter((place) => place >= 0)
  const rows = reader.all<{ id: number; type: string; text: string; hidden: number }>(
    // With the plus, SQLite looks the ids up instead of reading the whole story.
    'SELECT id, type, text, hidden FROM actions WHERE id IN (SELECT value FROM json_each(?)) AND +adventure_id = ?',
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

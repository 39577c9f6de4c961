import { isFormOf, type LineTerm } from '../../domain/recall/line-terms.ts'
import { meaningOf } from '../../domain/recall/meaning.ts'
import {
  bestScore,
  candidatePlaces,
  EXACT,
  FORM,
  fuseWithMeaning,
  type RankedText,
  rankTexts,
  type TermPlaces,
} from '../../domain/recall/ranking.ts'
import { dotProduct, type VectorQuery } from '../../domain/recall/vectors.ts'
import { asIndexed } from '../../domain/search/words.ts'
import { countBelow, sumOf } from '../../lib/numbers.ts'
import { isBlank } from '../../lib/text.ts'
import type { Reader } from '../database.ts'
import { PER_KIND, rowidRange, textExpression } from './searchable-rows.ts'
import { countPassages, keptOrder, placesOf, type StoryOrder, storyOrder } from './story-order.ts'
import { readTexts, type StoryText, storyNotes } from './story-texts.ts'
import { hashOfEmbedded, MAX_COMPARED, textVectors } from './text-vectors.ts'

export type FoundText = RankedText & StoryText

/** The terms of a line that are looked for: the rarest. */
const MAX_TERMS = 24
/** Rows of the index that are read for one line. Very common words are left out of a long story: they say little. */
const MAX_ROWS = 10_000

interface StorySearch {
  terms: readonly LineTerm[]
  endingBefore: number
  /** Nothing is found where no text can reach this score. */
  least?: number
  /** Finds texts by what they mean, too. */
  query?: VectorQuery | null
}

/** The passages and notes of a story that fit the terms of a line, best first. */
export function searchStory(
  reader: Reader,
  adventureId: number,
  { terms, endingBefore, least = 0, query = null }: StorySearch,
): FoundText[] {
  const counted = countTerms(reader, terms)
  const notes = storyNotes.get(reader, adventureId)
  const kept = keptOrder(reader, adventureId)
  const first = findTerms(reader, adventureId, { order: kept, notes }, counted)
  const total = countPassages(reader, adventureId) + notes.length
  const counts = first.map(({ places }) => places.length)
  if (query === null && bestScore(counts, total) < least) return []
  const order = kept ?? storyOrder(reader, adventureId)
  const found = kept ? first : findTerms(reader, adventureId, { order, notes }, counted)
  const ids = [...order.ids, ...notes]
  const range = {
    passages: order.ids.length,
    total: ids.length,
    end: countBelow(order.indexes, endingBefore),
  }
  const meaning = query && storyMeaning(reader, adventureId, { ids, ...range }, query)
  const places = candidatePlaces(found, range, meaning?.all ?? null)
  const texts = textsAt(reader, adventureId, ids, places)
  const hits = rankTexts(found, { places: [...texts.keys()], ...range }, (place) => texts.get(place))
  const ranked = hits.flatMap((hit) => {
    const text = texts.get(hit.place)
    if (!text || text.hidden === 1 || isBlank(text.text)) return []
    return [{ ...hit, ...text, meaning: meaning?.of(hit.place, text) ?? 0 }]
  })
  return meaning ? fuseWithMeaning(ranked) : ranked
}

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

interface Searched {
  /** Null if it is not in memory. */
  order: StoryOrder | null
  /** The rowids of its notes, whose places come after those of the passages. */
  notes: number[]
}

/**
 * Occurrences of the terms that are rare enough to matter. Without the story's order, ids stand for the places of
 * passages, which is enough to count them.
 */
function findTerms(
  reader: Reader,
  adventureId: number,
  searched: Searched,
  counted: readonly CountedTerm[],
): TermPlaces[] {
  // To look for the words of one story takes five times as long as to look for all and leave out those of others.
  const isBranched = hasBranches(reader, adventureId)
  const owner = searched.order === null || isBranched ? adventureId : undefined
  const listPlaces = (words: readonly string[]) =>
    words.length === 0 ? [] : placesIn(searched, listIds(reader, { owner, words, notes: searched.notes }))
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

/** Both lists are in order. */
function placesIn({ order, notes }: Searched, rowids: number[]): number[] {
  const passages = rowids.slice(0, countBelow(rowids, PER_KIND))
  const places = order ? placesOf(order, passages) : passages
  const found = placesOf({ ids: notes, byId: null }, rowids.slice(passages.length))
  return [...places, ...found.map((place) => (order?.ids.length ?? 0) + place)]
}

/** Occurrences of a term as such or in another form. Both lists are in order. */
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
  /** Upper bound of its rows in the library. */
  count: number
}

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

function listIds(
  reader: Reader,
  { owner, words, notes }: { owner: number | undefined; words: readonly string[]; notes: readonly number[] },
): number[] {
  const any = words.map((word) => `"${word}"`).join(' OR ')
  // One row, because the cells of each are looked at. The range of memories follows that of passages.
  const ids = reader.value<string>(
    `SELECT json_group_array(rowid) FROM
      (SELECT rowid FROM search_index WHERE search_index MATCH ? AND rowid <= ? ORDER BY rowid)`,
    textExpression(any, owner),
    notes.at(-1) ?? rowidRange('action')[1],
  )
  return JSON.parse(ids ?? '[]')
}

function hasBranches(reader: Reader, adventureId: number): boolean {
  const sql = 'SELECT 1 FROM adventures WHERE id = ? AND family IS NOT NULL'
  return reader.get(sql, adventureId) !== null
}

function textsAt(reader: Reader, adventureId: number, ids: readonly number[], places: readonly number[]) {
  const placeOf = new Map(places.map((place) => [ids[place] ?? 0, place]))
  const texts = readTexts(reader, adventureId, [...placeOf.keys()])
  return new Map(texts.map((text) => [placeOf.get(text.id) ?? 0, text]))
}

interface StoryMeaning {
  all: Float32Array
  /** 0 for a text that another program has written since it was embedded, or the passage before it. */
  of: (place: number, text: StoryText) => number
}

function storyMeaning(
  reader: Reader,
  adventureId: number,
  { ids, passages }: { ids: readonly number[]; passages: number },
  query: VectorQuery,
): StoryMeaning {
  const vectors = textVectors.get(reader, adventureId)
  const likeness = new Float32Array(ids.length).fill(NaN)
  for (let place = Math.max(0, passages - MAX_COMPARED); place < ids.length; place++) {
    const known = vectors.get(ids[place] ?? 0)
    if (known?.model === query.model && known.vector.values.length === query.line.length)
      likeness[place] = dotProduct(known.vector, query.line)
  }
  const all = meaningOf(likeness, passages)
  return {
    all,
    of: (place, text) => (vectors.get(text.id)?.hash === hashOfEmbedded(text) ? (all[place] ?? 0) : 0),
  }
}

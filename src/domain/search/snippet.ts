import { type Static, Type } from '@sinclair/typebox'
import { type FoldedSearch, foldSearchWithOffsets } from '../../lib/fold-text.ts'
import type { SearchQuery, SearchTerm } from './query.ts'
import { type PlacedWord, wordsOf } from './words.ts'

/** Plain text: whoever shows it escapes it. */
export const SnippetPart = Type.Object({ text: Type.String(), hit: Type.Boolean() })
export type SnippetPart = Static<typeof SnippetPart>

/** Characters before the first hit, and of the whole snippet, about. */
const BEFORE = 60
const WHOLE = 240
/** Characters without a blank from which a cut goes through a word. */
const LONG_WORD = 20

/**
 * A few words around what was found. The first text is a title: it is shown when nothing else holds a term. Null when
 * the texts do not hold what was looked for: they have changed since they were indexed.
 */
export function snippetOf(texts: readonly string[], { wanted, unwanted }: SearchQuery): SnippetPart[] | null {
  const [title, ...rest] = texts.map((text) => {
    const folded = foldSearchWithOffsets(text)
    return { folded, words: wordsOf(folded.folded) }
  })
  if (title === undefined) return null
  const all = [...rest, title]
  const holds = (term: SearchTerm) => all.some(({ words }) => hitsOf(words, term).length > 0)
  if (!wanted.every(holds) || unwanted.some(holds)) return null
  for (const { folded, words } of all) {
    const hits = wanted.flatMap((term) => hitsOf(words, term)).sort(([a], [b]) => a - b)
    if (hits[0]) return cutOut(folded, hits)
  }
  return null
}

type Range = [from: number, to: number]

/** Positions of a term in a folded text, given its words. Of a longer word only the beginning that was looked for. */
function hitsOf(text: readonly PlacedWord[], { words, isBeginning }: SearchTerm): Range[] {
  const last = words.length - 1
  const fits = (word: string, place: number) =>
    isBeginning && place === last ? word.startsWith(words[place] ?? '') : word === words[place]
  return text.flatMap(({ word, at }, first): Range[] => {
    const end = text[first + last]
    if (!fits(word, 0) || end === undefined) return []
    const isHit = words.every((_, place) => fits(text[first + place]?.word ?? '', place))
    return isHit ? [[at, end.at + (words[last] ?? '').length]] : []
  })
}

function cutOut({ text, folded, offsets }: FoldedSearch, hits: readonly Range[]): SnippetPart[] {
  const [first, firstEnd] = hits[0] ?? [0, 0]
  const start = wordStart(folded, Math.max(0, first - BEFORE), first)
  const end = wordEnd(folded, Math.max(start + WHOLE, firstEnd), firstEnd)
  const parts: SnippetPart[] = start > 0 ? [{ text: '… ', hit: false }] : []
  const add = (from: number, to: number, hit: boolean) => {
    if (from < to) parts.push({ text: text.slice(from, to), hit })
  }
  let at = offsets[start] ?? 0
  for (const [from, to] of joined(
    hits.filter((hit) => hit[1] <= end).map((hit) => shownRange(offsets, hit)),
  )) {
    add(at, from, false)
    add(from, to, true)
    at = to
  }
  add(at, shownRange(offsets, [start, end])[1], false)
  if (end < folded.length) parts.push({ text: ' …', hit: false })
  return parts
}

// One character may have been folded to several: a hit ends after the whole of its last one.
function shownRange(offsets: readonly number[], [from, to]: Range): Range {
  let end = to
  while (end < offsets.length - 1 && offsets[end] === offsets[to - 1]) end++
  return [offsets[from] ?? 0, offsets[end] ?? 0]
}

function joined(ranges: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const [from, to] of ranges) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

function wordStart(folded: string, at: number, before: number): number {
  const space = folded.indexOf(' ', at)
  return at > 0 && space >= 0 && space < Math.min(before, at + LONG_WORD) ? space + 1 : at
}

function wordEnd(folded: string, at: number, behind: number): number {
  if (at >= folded.length) return folded.length
  const space = folded.lastIndexOf(' ', at)
  return space >= Math.max(behind, at - LONG_WORD) ? space : at
}

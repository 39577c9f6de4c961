/** Part of a comparison: text of both versions, or only of the old or the new one. */
interface WordDiffPart {
  kind: 'same' | 'old' | 'new'
  text: string
}

/** Up to this many pairs of words are compared each with each; longer texts are split first. */
const CELLS = 40_000
/** How often a text is split. What remains then counts as rewritten. */
const DEEPEST = 24

/**
 * Compares two texts word by word. Work is linear in their length, whatever they contain: long ones are split
 * at words that both have exactly once (patience diff, https://bramcohen.livejournal.com/73318.html).
 */
export function diffWords(old: string, next: string): WordDiffPart[] {
  const parts: WordDiffPart[] = []
  compare(wordsOf(old), wordsOf(next), 0, parts)
  return readable(parts)
}

/** Which part of the longer of two texts is in the other one as well, from 0 to 1. */
export function sharedPart(old: string, next: string): number {
  const same = diffWords(old, next).reduce(
    (sum, { kind, text }) => sum + (kind === 'same' ? text.length : 0),
    0,
  )
  return same / Math.max(1, old.length, next.length)
}

/** Words by Unicode segmentation, also without spaces; the text between words is a segment too. */
function wordsOf(text: string): string[] {
  return Array.from(new Intl.Segmenter('en', { granularity: 'word' }).segment(text), ({ segment }) => segment)
}

function compare(
  old: readonly string[],
  next: readonly string[],
  depth: number,
  parts: WordDiffPart[],
): void {
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end++
  add(parts, 'same', old.slice(0, start))
  between(old.slice(start, old.length - end), next.slice(start, next.length - end), depth, parts)
  add(parts, 'same', old.slice(old.length - end))
}

function between(
  old: readonly string[],
  next: readonly string[],
  depth: number,
  parts: WordDiffPart[],
): void {
  if (old.length * next.length <= CELLS) {
    compareEach(old, next, parts)
    return
  }
  let [i, j] = [0, 0]
  for (const [oldPosition, nextPosition] of depth < DEEPEST ? anchors(old, next) : []) {
    compare(old.slice(i, oldPosition), next.slice(j, nextPosition), depth + 1, parts)
    add(parts, 'same', old.slice(oldPosition, oldPosition + 1))
    ;[i, j] = [oldPosition + 1, nextPosition + 1]
  }
  if (i > 0) {
    compare(old.slice(i), next.slice(j), depth + 1, parts)
    return
  }
  add(parts, 'old', old)
  add(parts, 'new', next)
}

/** The longest common run of words, by a table of the lengths that are left. */
function compareEach(old: readonly string[], next: readonly string[], parts: WordDiffPart[]): void {
  const width = next.length + 1
  const left = new Uint32Array((old.length + 1) * width)
  const at = (i: number, j: number) => left[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = next.length - 1; j >= 0; j--)
      left[i * width + j] = old[i] === next[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  let [i, j] = [0, 0]
  while (i < old.length && j < next.length)
    if (old[i] === next[j]) {
      add(parts, 'same', old.slice(i, ++i))
      j++
    } else if (at(i + 1, j) >= at(i, j + 1)) add(parts, 'old', old.slice(i, ++i))
    else add(parts, 'new', next.slice(j, ++j))
  add(parts, 'old', old.slice(i))
  add(parts, 'new', next.slice(j))
}

/** Positions of words that both sides have exactly once, in the longest order common to both. */
function anchors(old: readonly string[], next: readonly string[]): [number, number][] {
  const nextPositions = positionsOfSingles(next)
  const pairs = [...positionsOfSingles(old)].flatMap(([word, i]): [number, number][] => {
    const j = nextPositions.get(word)
    return j === undefined ? [] : [[i, j]]
  })
  return longestRising(pairs)
}

function positionsOfSingles(list: readonly string[]): Map<string, number> {
  const positions = new Map<string, number>()
  const repeated = new Set<string>()
  for (const [i, word] of list.entries()) {
    if (positions.has(word)) repeated.add(word)
    positions.set(word, i)
  }
  for (const word of repeated) positions.delete(word)
  return positions
}

/** The longest run of pairs whose second numbers rise too. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  /** For each length the last pair of the run of that length that ends lowest; and what comes before each pair. */
  const ends: number[] = []
  const before: number[] = []
  for (const [k, [, j]] of pairs.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < j) low = middle + 1
      else high = middle
    }
    before[k] = ends[low - 1] ?? -1
    ends[low] = k
  }
  const run: [number, number][] = []
  for (let k = ends.at(-1) ?? -1; k >= 0; k = before[k] ?? -1) {
    const pair = pairs[k]
    if (pair) run.push(pair)
  }
  return run.reverse()
}

function add(parts: WordDiffPart[], kind: WordDiffPart['kind'], list: readonly string[]): void {
  if (list.length > 0) parts.push({ kind, text: list.join('') })
}

/** A run of unchanged words, or a change with its removed and added words. */
type Run = { same: string } | Change
type Change = { old: string; next: string }

/** Joins changes with little text between them, old words before new ones, so that they can be read. */
function readable(parts: readonly WordDiffPart[]): WordDiffPart[] {
  const apart = joined(runsOf(parts), (same) => same.trim() === '')
  const runs = joined(apart, (same, ...changes) => {
    const lengths = changes.map(({ old, next }) => Math.max(old.length, next.length))
    return 2 * same.trim().length <= Math.min(JOINABLE, ...lengths)
  })
  return runs
    .flatMap((run): WordDiffPart[] =>
      'same' in run
        ? [{ kind: 'same', text: run.same }]
        : [
            { kind: 'old', text: run.old },
            { kind: 'new', text: run.next },
          ],
    )
    .filter(({ text }) => text !== '')
}

/** Twice the characters of unchanged text that may be joined, however large the changes around it. */
const JOINABLE = 32

function runsOf(parts: readonly WordDiffPart[]): Run[] {
  const runs: Run[] = []
  for (const { kind, text } of parts) {
    const last = runs.at(-1)
    if (kind === 'same') {
      if (last && 'same' in last) last.same += text
      else runs.push({ same: text })
      continue
    }
    const change = last && 'old' in last ? last : { old: '', next: '' }
    if (change !== last) runs.push(change)
    change[kind === 'old' ? 'old' : 'next'] += text
  }
  return runs
}

/** Joins two changes where `isLost` says so of the text between them. */
function joined(
  runs: readonly Run[],
  isLost: (same: string, before: Change, after: Change) => boolean,
): Run[] {
  const result: Run[] = []
  for (const [i, run] of runs.entries()) {
    const [last, after] = [result.at(-1), runs[i + 1]]
    const change = last && 'old' in last ? last : null
    if ('old' in run) {
      if (change) Object.assign(change, { old: change.old + run.old, next: change.next + run.next })
      else result.push({ ...run })
    } else if (change && after && 'old' in after && isLost(run.same, change, after))
      Object.assign(change, { old: change.old + run.same, next: change.next + run.same })
    else result.push(run)
  }
  return result
}

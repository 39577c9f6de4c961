/** A piece of a text that was rewritten: it stands in both versions, or only in the old or the new one. */
export interface Piece {
  kind: 'same' | 'old' | 'new'
  text: string
}

/** Up to so many pairs of words are compared each with each; more are cut apart first. */
const CELLS = 40_000
/** How often a text is cut apart. What is not done then counts as rewritten. */
const DEEPEST = 24

/**
 * How a text became another, word by word. Work grows with the length of the texts, whatever is in them: long ones are cut
 * at words that both have exactly once (patience diff, https://bramcohen.livejournal.com/73318.html).
 */
export function diffWords(old: string, next: string): Piece[] {
  const pieces: Piece[] = []
  compare(wordsOf(old), wordsOf(next), 0, pieces)
  return readable(pieces)
}

/** Words as the reader's language has them, also without spaces; what stands between them is a word too. */
function wordsOf(text: string): string[] {
  return Array.from(words.segment(text), ({ segment }) => segment)
}

const words = new Intl.Segmenter('en', { granularity: 'word' })

function compare(old: readonly string[], next: readonly string[], depth: number, pieces: Piece[]): void {
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end++
  add(pieces, 'same', old.slice(0, start))
  between(old.slice(start, old.length - end), next.slice(start, next.length - end), depth, pieces)
  add(pieces, 'same', old.slice(old.length - end))
}

function between(old: readonly string[], next: readonly string[], depth: number, pieces: Piece[]): void {
  if (old.length * next.length <= CELLS) {
    compareEach(old, next, pieces)
    return
  }
  let [i, j] = [0, 0]
  for (const [oldPlace, nextPlace] of depth < DEEPEST ? anchors(old, next) : []) {
    compare(old.slice(i, oldPlace), next.slice(j, nextPlace), depth + 1, pieces)
    add(pieces, 'same', old.slice(oldPlace, oldPlace + 1))
    ;[i, j] = [oldPlace + 1, nextPlace + 1]
  }
  if (i > 0) {
    compare(old.slice(i), next.slice(j), depth + 1, pieces)
    return
  }
  add(pieces, 'old', old)
  add(pieces, 'new', next)
}

/** The longest common run of words, by a table of the lengths that are left. */
function compareEach(old: readonly string[], next: readonly string[], pieces: Piece[]): void {
  const width = next.length + 1
  const left = new Uint32Array((old.length + 1) * width)
  const at = (i: number, j: number) => left[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = next.length - 1; j >= 0; j--)
      left[i * width + j] = old[i] === next[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  let [i, j] = [0, 0]
  while (i < old.length && j < next.length)
    if (old[i] === next[j]) {
      add(pieces, 'same', old.slice(i, ++i))
      j++
    } else if (at(i + 1, j) >= at(i, j + 1)) add(pieces, 'old', old.slice(i, ++i))
    else add(pieces, 'new', next.slice(j, ++j))
  add(pieces, 'old', old.slice(i))
  add(pieces, 'new', next.slice(j))
}

/** Places of words that both sides have exactly once, in the longest order that both agree on. */
function anchors(old: readonly string[], next: readonly string[]): [number, number][] {
  const nextPlaces = placesOfSingles(next)
  const pairs = [...placesOfSingles(old)].flatMap(([word, i]): [number, number][] => {
    const j = nextPlaces.get(word)
    return j === undefined ? [] : [[i, j]]
  })
  return longestRising(pairs)
}

function placesOfSingles(list: readonly string[]): Map<string, number> {
  const places = new Map<string, number>()
  const repeated = new Set<string>()
  for (const [i, word] of list.entries()) {
    if (places.has(word)) repeated.add(word)
    places.set(word, i)
  }
  for (const word of repeated) places.delete(word)
  return places
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

function add(pieces: Piece[], kind: Piece['kind'], list: readonly string[]): void {
  if (list.length > 0) pieces.push({ kind, text: list.join('') })
}

/** What stands in one place: words that stay, or those that go and those that come. */
type Run = { same: string } | Change
type Change = { old: string; next: string }

/** Each change in one go, old words before new ones: what stays between two of them is lost on a reader when it is little. */
function readable(pieces: readonly Piece[]): Piece[] {
  const apart = joined(runsOf(pieces), (same) => same.trim() === '')
  const runs = joined(apart, (same, ...changes) => {
    const lengths = changes.map(({ old, next }) => Math.max(old.length, next.length))
    return 2 * same.trim().length <= Math.min(LOST, ...lengths)
  })
  return runs
    .flatMap((run): Piece[] =>
      'same' in run
        ? [{ kind: 'same', text: run.same }]
        : [
            { kind: 'old', text: run.old },
            { kind: 'new', text: run.next },
          ],
    )
    .filter(({ text }) => text !== '')
}

/** Twice the letters of words that may be lost, however much was changed around them. */
const LOST = 32

function runsOf(pieces: readonly Piece[]): Run[] {
  const runs: Run[] = []
  for (const { kind, text } of pieces) {
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

/** The same with changes made one where what stays between them is lost. */
function joined(
  runs: readonly Run[],
  isLost: (same: string, before: Change, after: Change) => boolean,
): Run[] {
  const kept: Run[] = []
  for (const [i, run] of runs.entries()) {
    const [last, after] = [kept.at(-1), runs[i + 1]]
    const change = last && 'old' in last ? last : null
    if ('old' in run) {
      if (change) Object.assign(change, { old: change.old + run.old, next: change.next + run.next })
      else kept.push({ ...run })
    } else if (change && after && 'old' in after && isLost(run.same, change, after))
      Object.assign(change, { old: change.old + run.same, next: change.next + run.same })
    else kept.push(run)
  }
  return kept
}

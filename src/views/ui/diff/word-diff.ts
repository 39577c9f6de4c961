/** Part of a comparison: text of both versions, or only of the old or the new one. */
interface WordDiffPart {
  kind: 'same' | 'old' | 'new'
  text: string
}

/** Up to this many pairs of words are compared each with each; what differs in longer texts counts as rewritten. */
const CELLS = 1_000_000

export function diffWords(old: string, next: string): WordDiffPart[] {
  const [was, will] = [wordsOf(old), wordsOf(next)]
  const shorter = Math.min(was.length, will.length)
  let start = 0
  while (start < shorter && was[start] === will[start]) start++
  let end = 0
  while (end < shorter - start && was.at(-1 - end) === will.at(-1 - end)) end++
  const [removed, added] = [was.slice(start, was.length - end), will.slice(start, will.length - end)]
  const parts: WordDiffPart[] = []
  add(parts, 'same', was.slice(0, start))
  if (removed.length * added.length <= CELLS) compareEach(removed, added, parts)
  else {
    add(parts, 'old', removed)
    add(parts, 'new', added)
  }
  add(parts, 'same', was.slice(was.length - end))
  return readable(parts)
}

/** The part of the longer text that is also in the other one, from 0 to 1. */
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

/** Joins two changes if `isLost` accepts the text between them. */
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

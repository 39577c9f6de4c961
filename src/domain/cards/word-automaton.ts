import { foldTrigger } from '../../lib/fold-text.ts'
import type { FoldedText } from './folded-text.ts'

/** A word or phrase to search for: at the start of a word, as whole words, or anywhere. */
export interface AutomatonWord {
  kind: 'word' | 'whole' | 'inside'
  text: string
}

/** Called with the place and the position of each word that is found, in the order of their ends. */
type OnWord = (place: number, at: number) => void

interface WordAutomaton {
  /** The place of each word, below `size`. The same words of one kind have the same. */
  places: Int32Array
  size: number
  search: (text: FoldedText, onWord: OnWord) => void
}

/** The prefixes of all words as a trie (Aho–Corasick). Node 0 is the empty prefix. */
interface Trie {
  nodes: number
  parent: Int32Array
  /** The last code unit of a node. */
  unit: Uint16Array
  /** The children of a node are consecutive, in the order of their units. */
  firstChild: Int32Array
  childCount: Int32Array
  /** The number of the word that a node spells, from 1; 0 if it is only a prefix. */
  word: Int32Array
  /** The node of the longest other prefix that a node's text ends in. Computed when first needed. */
  fallback: Int32Array
  /** The node of the longest other word that a node's text ends in; 0 for none. Computed with the fallback. */
  nextWord: Int32Array
}

/** The column of each kind of match in the table of places. */
const COLUMNS = { word: 0, whole: 1, inside: 2 } as const
const WIDTH = 3
const UNKNOWN = -1

export function wordAutomaton(words: readonly AutomatonWord[]): WordAutomaton {
  const keys = words.map(({ text }) => foldTrigger(text))
  const sorted = [...new Set(keys)].sort()
  const numbers = new Map<string, number>()
  for (const key of sorted) numbers.set(key, numbers.size + 1)
  const lengths = Int32Array.from(['', ...sorted], (key) => key.length)
  const trie = buildTrie(sorted.join(''), lengths)
  return {
    places: Int32Array.from(
      words,
      ({ kind }, i) => (numbers.get(keys[i] ?? '') ?? 0) * WIDTH + COLUMNS[kind],
    ),
    size: lengths.length * WIDTH,
    search: (text, onWord) => scan(trie, text, lengths, onWord),
  }
}

/** The trie of sorted, distinct words, from their concatenation and their lengths by number. */
function buildTrie(joined: string, lengths: Int32Array): Trie {
  const trie = emptyTrie(joined.length + 1)
  const starts = startsOf(lengths)
  const nodes = new Int32Array(lengths.length)
  let remaining = [...lengths.keys()]
  // Level by level, so that the children of a node are consecutive.
  for (let level = 0; remaining.length > 0; level++) {
    remaining = remaining.filter((word) => level < (lengths[word] ?? 0))
    for (const word of remaining) {
      const node = addChild(trie, nodes[word] ?? 0, joined.charCodeAt((starts[word] ?? 0) + level))
      nodes[word] = node
      if (level + 1 === lengths[word]) trie.word[node] = word
    }
  }
  return trie
}

function startsOf(lengths: Int32Array): Int32Array {
  let start = 0
  return lengths.map((length) => {
    start += length
    return start - length
  })
}

function emptyTrie(capacity: number): Trie {
  return {
    nodes: 1,
    parent: new Int32Array(capacity),
    unit: new Uint16Array(capacity),
    firstChild: new Int32Array(capacity),
    childCount: new Int32Array(capacity),
    word: new Int32Array(capacity),
    fallback: new Int32Array(capacity).fill(UNKNOWN),
    nextWord: new Int32Array(capacity),
  }
}

// The words are sorted, so if the child exists, it is the newest node.
function addChild(trie: Trie, parent: number, unit: number): number {
  const count = trie.childCount[parent] ?? 0
  const newest = trie.nodes - 1
  if (count > 0 && trie.unit[newest] === unit) return newest
  const node = trie.nodes++
  if (count === 0) trie.firstChild[parent] = node
  trie.childCount[parent] = count + 1
  trie.parent[node] = parent
  trie.unit[node] = unit
  return node
}

function scan(
  trie: Trie,
  { units, origins, inWord, begins }: FoldedText,
  lengths: Int32Array,
  onWord: OnWord,
): void {
  let node = 0
  for (let at = 0; at < units.length; at++) {
    node = step(trie, node, units[at] ?? 0)
    if (node === 0) continue
    if (trie.fallback[node] === UNKNOWN) findFallbacks(trie, node)
    let found = trie.word[node] ? node : (trie.nextWord[node] ?? 0)
    for (; found !== 0; found = trie.nextWord[found] ?? 0) {
      const word = trie.word[found] ?? 0
      const start = at + 1 - (lengths[word] ?? 0)
      const place = word * WIDTH
      const position = origins[start] ?? 0
      onWord(place + COLUMNS.inside, position)
      if (!begins[start]) continue
      onWord(place + COLUMNS.word, position)
      if (!inWord[start - 1] && !inWord[at + 1]) onWord(place + COLUMNS.whole, position)
    }
  }
}

/** The node of the longest prefix that a node's text plus one unit ends in. */
function step(trie: Trie, from: number, unit: number): number {
  for (let node = from; ; node = trie.fallback[node] ?? 0) {
    const child = childOf(trie, node, unit)
    if (child !== 0 || node === 0) return child
  }
}

/** The child of a node for a unit, by binary search; 0 if there is none. */
function childOf({ firstChild, childCount, unit }: Trie, parent: number, wanted: number): number {
  let low = firstChild[parent] ?? 0
  let high = low + (childCount[parent] ?? 0)
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = unit[middle] ?? 0
    if (found === wanted) return middle
    if (found < wanted) low = middle + 1
    else high = middle
  }
  return 0
}

// A node is reached from its parent, and each of its fallbacks from a fallback of the parent, so those are known.
function findFallbacks(trie: Trie, node: number): void {
  const found: number[] = []
  for (let at = node; at !== 0 && trie.fallback[at] === UNKNOWN; at = trie.fallback[at] ?? 0) {
    const parent = trie.parent[at] ?? 0
    trie.fallback[at] = parent === 0 ? 0 : step(trie, trie.fallback[parent] ?? 0, trie.unit[at] ?? 0)
    found.push(at)
  }
  for (const at of found.reverse()) {
    const fallback = trie.fallback[at] ?? 0
    trie.nextWord[at] = trie.word[fallback] ? fallback : (trie.nextWord[fallback] ?? 0)
  }
}

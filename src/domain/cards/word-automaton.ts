import { type FoldedText, foldedKey } from './folded-text.ts'

/** A word or phrase that is looked for: where words start, as whole words, or anywhere. */
export interface Wanted {
  kind: 'word' | 'whole' | 'inside'
  text: string
}

/** Looks for many words together, and gives the last place of each in their order; -1 for none. */
export type WordAutomaton = (text: FoldedText) => Int32Array

/** The beginnings of all words as a tree (Aho and Corasick). Node 0 is the empty beginning. */
interface Tree {
  nodes: number
  parent: Int32Array
  /** The last unit of a node. */
  unit: Uint16Array
  /** The children of a node stand together, in the order of their units. */
  firstChild: Int32Array
  childCount: Int32Array
  /** The number of the word that a node is, from 1; 0 when it is only a beginning. */
  word: Int32Array
  /** The node of the longest other beginning that a node's text ends in. Found when a text first needs it. */
  fallback: Int32Array
  /** The node of the longest other word that a node's text ends in; 0 for none. Found with the fallback. */
  nextWord: Int32Array
}

/** The last places of each word are kept by how they were found. */
const COLUMNS = { word: 0, whole: 1, inside: 2 } as const
const WIDTH = 3
const UNKNOWN = -1

export function wordAutomaton(wanted: readonly Wanted[]): WordAutomaton {
  const keys = wanted.map(({ text }) => foldedKey(text))
  const sorted = keys.toSorted().filter((key, i, all) => key !== all[i - 1])
  const numbers = new Map<string, number>()
  for (const key of sorted) numbers.set(key, numbers.size + 1)
  const rows = Int32Array.from(keys, (key) => (numbers.get(key) ?? 0) * WIDTH)
  const lengths = Int32Array.from(['', ...sorted], (key) => key.length)
  const tree = grow(sorted.join(''), lengths)
  return (text) => {
    const places = new Int32Array(lengths.length * WIDTH).fill(-1)
    scan(tree, text, lengths, places)
    return Int32Array.from(wanted, ({ kind }, i) => places[(rows[i] ?? 0) + COLUMNS[kind]] ?? -1)
  }
}

/** The tree of some words, sorted and all different, from their joined text and their lengths by number. */
function grow(joined: string, lengths: Int32Array): Tree {
  const tree = emptyTree(joined.length + 1)
  const starts = startsOf(lengths)
  const nodes = new Int32Array(lengths.length)
  let growing = [...lengths.keys()]
  // Level by level, so that the children of a node stand together.
  for (let level = 0; growing.length > 0; level++) {
    growing = growing.filter((word) => level < (lengths[word] ?? 0))
    for (const word of growing) {
      const node = grownChild(tree, nodes[word] ?? 0, joined.charCodeAt((starts[word] ?? 0) + level))
      nodes[word] = node
      if (level + 1 === lengths[word]) tree.word[node] = word
    }
  }
  return tree
}

function startsOf(lengths: Int32Array): Int32Array {
  let start = 0
  return lengths.map((length) => {
    start += length
    return start - length
  })
}

function emptyTree(capacity: number): Tree {
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

// The words are sorted: if the child is there, it is the newest node.
function grownChild(tree: Tree, parent: number, unit: number): number {
  const count = tree.childCount[parent] ?? 0
  const newest = tree.nodes - 1
  if (count > 0 && tree.unit[newest] === unit) return newest
  const node = tree.nodes++
  if (count === 0) tree.firstChild[parent] = node
  tree.childCount[parent] = count + 1
  tree.parent[node] = parent
  tree.unit[node] = unit
  return node
}

function scan(
  tree: Tree,
  { units, origins, inWord }: FoldedText,
  lengths: Int32Array,
  places: Int32Array,
): void {
  let node = 0
  for (let at = 0; at < units.length; at++) {
    node = step(tree, node, units[at] ?? 0)
    if (node === 0) continue
    if (tree.fallback[node] === UNKNOWN) findFallbacks(tree, node)
    let found = tree.word[node] ? node : (tree.nextWord[node] ?? 0)
    for (; found !== 0; found = tree.nextWord[found] ?? 0) {
      const word = tree.word[found] ?? 0
      const start = at + 1 - (lengths[word] ?? 0)
      const row = word * WIDTH
      const place = origins[start] ?? 0
      places[row + COLUMNS.inside] = place
      if (inWord[start - 1]) continue
      places[row + COLUMNS.word] = place
      if (!inWord[at + 1]) places[row + COLUMNS.whole] = place
    }
  }
}

/** The node of the longest beginning that a node's text with one unit more ends in. */
function step(tree: Tree, from: number, unit: number): number {
  for (let node = from; ; node = tree.fallback[node] ?? 0) {
    const child = childOf(tree, node, unit)
    if (child !== 0 || node === 0) return child
  }
}

/** The child of a node by a unit, by halving; 0 when there is none. */
function childOf({ firstChild, childCount, unit }: Tree, parent: number, by: number): number {
  let low = firstChild[parent] ?? 0
  let high = low + (childCount[parent] ?? 0)
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = unit[middle] ?? 0
    if (found === by) return middle
    if (found < by) low = middle + 1
    else high = middle
  }
  return 0
}

// A node is come to from its parent, and each of its fallbacks from one of the parent's: theirs are known.
function findFallbacks(tree: Tree, node: number): void {
  const found: number[] = []
  for (let at = node; at !== 0 && tree.fallback[at] === UNKNOWN; at = tree.fallback[at] ?? 0) {
    const parent = tree.parent[at] ?? 0
    tree.fallback[at] = parent === 0 ? 0 : step(tree, tree.fallback[parent] ?? 0, tree.unit[at] ?? 0)
    found.push(at)
  }
  for (const at of found.reverse()) {
    const fallback = tree.fallback[at] ?? 0
    tree.nextWord[at] = tree.word[fallback] ? fallback : (tree.nextWord[fallback] ?? 0)
  }
}

import {
  type CharacterSet,
  codeBefore,
  type PatternAssertion,
  type PatternNode,
  parsePattern,
} from './pattern-syntax.ts'

/** A compiled pattern. Searching takes time linear in the length of the text and of the pattern. */
export interface Pattern {
  /** The start of the last match, -1 if there is none, and how many steps the search took. */
  lastIn: (text: string) => { at: number; steps: number }
}

type State =
  | { kind: 'character'; has: CharacterSet; next: number }
  | { kind: 'assertion'; holds: PatternAssertion; next: number }
  | { kind: 'fork'; next: number; other: number }
  | { kind: 'end' }

const MAX_STATES = 500
/** The state in which the pattern has matched. */
const END = 0

/** Compiles `/a pattern/` with flags; undefined if it is invalid or too large. */
export function compilePattern(written: string): Pattern | undefined {
  const node = parsePattern(written)
  if (!node || sizeOf(node) > MAX_STATES) return undefined
  const states: State[] = [{ kind: 'end' }]
  const start = build(states, node, END)
  const ends = endingsOf(states, start)
  return { lastIn: (text) => lastIn(states, start, ends, text) }
}

/** The approximate number of states of a node, without building them. Even an empty sequence counts. */
function sizeOf(node: PatternNode): number {
  switch (node.kind) {
    case 'character':
    case 'assertion':
      return 1
    case 'sequence':
      return Math.max(1, sizeOfAll(node.nodes))
    case 'choice':
      return sizeOfAll(node.nodes) + node.nodes.length - 1
    case 'repeat': {
      const { min, max } = node
      const [times, forks] = max === Infinity ? [min + 1, 1] : [max, max - min]
      return sizeOf(node.node) * times + forks
    }
  }
}

function sizeOfAll(nodes: PatternNode[]): number {
  return nodes.reduce((sum, node) => sum + sizeOf(node), 0)
}

// Backwards, because a text is searched from its end, so that the first match found is the last one.
function build(states: State[], node: PatternNode, next: number): number {
  switch (node.kind) {
    case 'character':
      return states.push({ kind: 'character', has: node.has, next }) - 1
    case 'assertion':
      return states.push({ kind: 'assertion', holds: node.holds, next }) - 1
    case 'sequence':
      return node.nodes.reduce((after, one) => build(states, one, after), next)
    case 'choice':
      return node.nodes
        .map((one) => build(states, one, next))
        .reduce((other, one) => states.push({ kind: 'fork', next: one, other }) - 1)
    case 'repeat':
      return buildRepeat(states, node, next)
  }
}

function buildRepeat(
  states: State[],
  { node, min, max }: PatternNode & { kind: 'repeat' },
  next: number,
): number {
  let entry = next
  if (max === Infinity) {
    const fork: State & { kind: 'fork' } = { kind: 'fork', next, other: next }
    entry = states.push(fork) - 1
    fork.other = build(states, node, entry)
  } else {
    for (let times = min; times < max; times++)
      entry = states.push({ kind: 'fork', next, other: build(states, node, entry) }) - 1
  }
  for (let times = 0; times < min; times++) entry = build(states, node, entry)
  return entry
}

/** A search of a text, as a simulation of the automaton. */
interface Run {
  states: State[]
  holds: (assertion: PatternAssertion) => boolean
  /** The position at which each state was last visited. */
  visited: Int32Array
  at: number
  steps: number
}

// Advances all possible states together. An empty match does not count.
function lastIn(
  states: State[],
  start: number,
  ends: CharacterSet,
  text: string,
): { at: number; steps: number } {
  const visited = new Int32Array(states.length).fill(-1)
  const run: Run = {
    states,
    visited,
    at: text.length,
    steps: 0,
    holds: (assertion) => assertion(text, run.at),
  }
  let waiting: number[] = []
  while (run.at > 0) {
    const code = codeBefore(text, run.at)
    if (ends(code)) reach(run, start, waiting)
    run.at -= code > 0xffff ? 2 : 1
    run.steps++
    if (waiting.length === 0) continue
    const next: number[] = []
    if (advance(run, waiting, code, next)) return { at: run.at, steps: run.steps }
    waiting = next
  }
  return { at: -1, steps: run.steps }
}

/** Reads a character in all states that wait for one; true if that completes the pattern. */
function advance(run: Run, waiting: number[], code: number, next: number[]): boolean {
  let isComplete = false
  for (const index of waiting) {
    const state = run.states[index]
    if (state?.kind === 'character' && state.has(code) && reach(run, state.next, next)) isComplete = true
  }
  return isComplete
}

/** Adds the states that wait for a character and can be reached from a state; true if the end can be reached too. */
function reach(run: Run, from: number, waiting: number[]): boolean {
  let isEnd = false
  const open = [from]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    run.steps++
    const state = run.states[index]
    if (!state || run.visited[index] === run.at) continue
    run.visited[index] = run.at
    if (state.kind === 'character') waiting.push(index)
    else if (state.kind === 'fork') open.push(state.next, state.other)
    else if (state.kind === 'end') isEnd = true
    else if (run.holds(state.holds)) open.push(state.next)
  }
  return isEnd
}

/** Whether a match can end with a character. This alone rules out most of a text. */
function endingsOf(states: State[], start: number): CharacterSet {
  const visited = new Int32Array(states.length).fill(-1)
  const waiting: number[] = []
  reach({ states, visited, at: 0, steps: 0, holds: () => true }, start, waiting)
  const endings = waiting.flatMap((index) => {
    const state = states[index]
    return state?.kind === 'character' ? [state.has] : []
  })
  const hasEnding: CharacterSet = (code) => endings.some((has) => has(code))
  const ascii = Uint8Array.from({ length: 0x80 }, (_, code) => Number(hasEnding(code)))
  return (code) => (code < ascii.length ? ascii[code] === 1 : hasEnding(code))
}

import { type CharacterSet, codeBefore, type Piece, type Place, readPattern } from './pattern-syntax.ts'

/** A pattern that can be looked for in time that grows evenly with the text and with the pattern. */
export interface Pattern {
  /** The last place from which something matches, -1 when nothing does, and how much work it was to find. */
  lastIn: (text: string) => { at: number; steps: number }
}

type State =
  | { kind: 'character'; has: CharacterSet; next: number }
  | { kind: 'place'; holds: Place; next: number }
  | { kind: 'fork'; next: number; other: number }
  | { kind: 'end' }

const MOST_STATES = 500
/** The state in which all of a pattern has been read. */
const END = 0

/** The pattern that `/one/` or `/one/i` stands for; undefined when it is refused. */
export function patternOf(written: string): Pattern | undefined {
  const piece = readPattern(written)
  if (!piece || sizeOf(piece) > MOST_STATES) return undefined
  const states: State[] = [{ kind: 'end' }]
  const start = build(states, piece, END)
  const ends = endingsOf(states, start)
  return { lastIn: (text) => lastIn(states, start, ends, text) }
}

/** About how many states a piece is built of, without building them. Even an empty sequence counts. */
function sizeOf(piece: Piece): number {
  switch (piece.kind) {
    case 'character':
    case 'place':
      return 1
    case 'sequence':
      return Math.max(1, sizeOfAll(piece.pieces))
    case 'choice':
      return sizeOfAll(piece.pieces) + piece.pieces.length - 1
    case 'repeat': {
      const { least, most } = piece
      const [times, forks] = most === Infinity ? [least + 1, 1] : [most, most - least]
      return sizeOf(piece.piece) * times + forks
    }
  }
}

function sizeOfAll(pieces: Piece[]): number {
  return pieces.reduce((sum, piece) => sum + sizeOf(piece), 0)
}

// Backwards: a text is read from its end, so that what is found first is what stands last.
function build(states: State[], piece: Piece, next: number): number {
  switch (piece.kind) {
    case 'character':
      return states.push({ kind: 'character', has: piece.has, next }) - 1
    case 'place':
      return states.push({ kind: 'place', holds: piece.holds, next }) - 1
    case 'sequence':
      return piece.pieces.reduce((after, one) => build(states, one, after), next)
    case 'choice':
      return piece.pieces
        .map((one) => build(states, one, next))
        .reduce((other, one) => states.push({ kind: 'fork', next: one, other }) - 1)
    case 'repeat':
      return buildRepeat(states, piece, next)
  }
}

function buildRepeat(
  states: State[],
  { piece, least, most }: Piece & { kind: 'repeat' },
  next: number,
): number {
  let entry = next
  if (most === Infinity) {
    const fork: State & { kind: 'fork' } = { kind: 'fork', next, other: next }
    entry = states.push(fork) - 1
    fork.other = build(states, piece, entry)
  } else {
    for (let times = least; times < most; times++)
      entry = states.push({ kind: 'fork', next, other: build(states, piece, entry) }) - 1
  }
  for (let times = 0; times < least; times++) entry = build(states, piece, entry)
  return entry
}

/** A pattern on its way through a text. */
interface Run {
  states: State[]
  holds: (place: Place) => boolean
  /** What was last visited where. */
  visited: Int32Array
  at: number
  steps: number
}

// All that a pattern can be in the midst of goes through the text together. An empty match is none.
function lastIn(
  states: State[],
  start: number,
  ends: CharacterSet,
  text: string,
): { at: number; steps: number } {
  const visited = new Int32Array(states.length).fill(-1)
  const run: Run = { states, visited, at: text.length, steps: 0, holds: (place) => place(text, run.at) }
  let waiting: number[] = []
  while (run.at > 0) {
    const code = codeBefore(text, run.at)
    if (ends(code)) reach(run, start, waiting)
    run.at -= code > 0xffff ? 2 : 1
    run.steps++
    if (waiting.length === 0) continue
    const gathered: number[] = []
    if (pass(run, waiting, code, gathered)) return { at: run.at, steps: run.steps }
    waiting = gathered
  }
  return { at: -1, steps: run.steps }
}

/** Reads a character in all states that wait for one; true when that completes the pattern. */
function pass(run: Run, waiting: number[], code: number, gathered: number[]): boolean {
  let isComplete = false
  for (const index of waiting) {
    const state = run.states[index]
    if (state?.kind === 'character' && state.has(code) && reach(run, state.next, gathered)) isComplete = true
  }
  return isComplete
}

/** Gathers the states that wait for a character, from one state on; true when the end is reached too. */
function reach(run: Run, from: number, gathered: number[]): boolean {
  let isEnd = false
  const open = [from]
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    run.steps++
    const state = run.states[index]
    if (!state || run.visited[index] === run.at) continue
    run.visited[index] = run.at
    if (state.kind === 'character') gathered.push(index)
    else if (state.kind === 'fork') open.push(state.next, state.other)
    else if (state.kind === 'end') isEnd = true
    else if (run.holds(state.holds)) open.push(state.next)
  }
  return isEnd
}

/** Whether a match can end in a character. Most of a text is passed by with this alone. */
function endingsOf(states: State[], start: number): CharacterSet {
  const visited = new Int32Array(states.length).fill(-1)
  const waiting: number[] = []
  reach({ states, visited, at: 0, steps: 0, holds: () => true }, start, waiting)
  const endings = waiting.flatMap((index) => {
    const state = states[index]
    return state?.kind === 'character' ? [state.has] : []
  })
  const hasEnding: CharacterSet = (code) => endings.some((has) => has(code))
  const plain = Uint8Array.from({ length: 0x80 }, (_, code) => Number(hasEnding(code)))
  return (code) => (code < plain.length ? plain[code] === 1 : hasEnding(code))
}

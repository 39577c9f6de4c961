import type { ServerKind } from '../model/server-kind.ts'

/** What is known of a model at an endpoint. */
export interface ModelFacts {
  /** Tokens that it really takes in; null when its server does not tell. */
  window: number | null
  /** Which page of the server says so, or `clipped` when a prompt was cut there; '' while unknown. */
  window_from: string
  /** Its tokens for one of our estimated ones. */
  factor: number
  /** Turns from which the factor was learnt. */
  samples: number
  /** Which server answers there, and the lines that say so. */
  server: ServerKind
  evidence: string
  /** Whether replies obey a JSON Schema there; null while nobody has tried. */
  enforces: boolean | null
}

export const NOTHING_KNOWN: ModelFacts = {
  window: null,
  window_from: '',
  factor: 1,
  samples: 0,
  server: 'unknown',
  evidence: '',
  enforces: null,
}

const LEAST_FACTOR = 0.4
const MOST_FACTOR = 2.5
/** Says of a window that no page tells it: a prompt was cut off there. */
export const CLIPPED_THERE = 'clipped'
/** How much the newest turn counts. */
const NEWEST = 0.3
/** A server that read less than this share of what was sent has cut it off. Before the first turn an estimate may be far off. */
const CLIPPED = 0.7
const CLIPPED_AT_FIRST = 0.4
/** No server is started with a window that keeps less than this; fewer are only those that it had not read before. */
const LEAST_KEPT = 1_000

/**
 * What a turn taught: `estimated` is our plain estimate of its prompt, `counted` what the server says it read, `output`
 * the tokens that the reply was allowed. A server that tells a window in which the prompt had its place has not cut it
 * off: it counts what it read anew, and that teaches nothing.
 */
export function learnt(
  facts: ModelFacts,
  estimated: number,
  counted: number,
  output: number,
): { facts: ModelFacts; clipped: boolean } {
  const ratio = counted / Math.max(1, estimated)
  if (ratio / facts.factor < (facts.samples === 0 ? CLIPPED_AT_FIRST : CLIPPED)) {
    const clipped = counted >= LEAST_KEPT && !hadRoom(facts, estimated * facts.factor + output)
    return {
      facts: clipped ? { ...facts, window: counted + output, window_from: CLIPPED_THERE } : facts,
      clipped,
    }
  }
  const bounded = Math.min(MOST_FACTOR, Math.max(LEAST_FACTOR, ratio))
  const factor = facts.samples === 0 ? bounded : facts.factor * (1 - NEWEST) + bounded * NEWEST
  return {
    facts: { ...facts, factor: Number(factor.toFixed(4)), samples: facts.samples + 1 },
    clipped: false,
  }
}

function hadRoom({ window, window_from }: ModelFacts, tokens: number): boolean {
  return window !== null && window_from !== CLIPPED_THERE && tokens <= window
}

import type { ServerKind } from '../model/model-server.ts'

export interface ModelFacts {
  /** Tokens of its context window; null if its server does not say. */
  window: number | null
  /** The page of the server that says so, or `clipped` if a prompt was cut off there; '' while unknown. */
  window_from: string
  /** Tokens of the model that make one of our estimated ones. */
  factor: number
  /** Turns from which the factor was learnt. */
  samples: number
  /** Kind of its server, with the evidence for that. */
  server: ServerKind
  evidence: string
  /** Null while untested. */
  enforces: boolean | null
}

export const UNKNOWN_MODEL: ModelFacts = {
  window: null,
  window_from: '',
  factor: 1,
  samples: 0,
  server: 'unknown',
  evidence: '',
  enforces: null,
}

const MIN_FACTOR = 0.4
const MAX_FACTOR = 2.5
/** The source of a window that was learnt from a prompt that was cut off. */
export const CLIPPED = 'clipped'
const NEWEST_WEIGHT = 0.3
/** A server that read less than this share has cut the prompt off. Before the first turn the estimate may be far off. */
const CLIPPED_SHARE = 0.7
const CLIPPED_SHARE_AT_FIRST = 0.4
/** No context window is smaller than this. A lower count leaves out what the server had cached. */
const MIN_WINDOW = 1_000

/**
 * Learns from a turn: `estimated` is our estimate of its prompt, `counted` what the server says it read, `output` the
 * tokens allowed for the reply. If the prompt fits into the window that the server reports, a low count only means that
 * part of it was cached, and teaches nothing. Nor does a prompt that was cut to fit that window.
 */
export function learnedFacts(
  facts: ModelFacts,
  estimated: number,
  counted: number,
  output: number,
): { facts: ModelFacts; clipped: boolean } {
  const ratio = counted / Math.max(1, estimated)
  if (wasCutToWindow(facts, estimated, counted)) return { facts, clipped: true }
  if (ratio / facts.factor < (facts.samples === 0 ? CLIPPED_SHARE_AT_FIRST : CLIPPED_SHARE)) {
    const clipped = counted >= MIN_WINDOW && !didFit(facts, estimated * facts.factor + output)
    return {
      facts: clipped ? { ...facts, window: counted + output, window_from: CLIPPED } : facts,
      clipped,
    }
  }
  const bounded = Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, ratio))
  const factor = facts.samples === 0 ? bounded : facts.factor * (1 - NEWEST_WEIGHT) + bounded * NEWEST_WEIGHT
  return {
    facts: { ...facts, factor: Number(factor.toFixed(4)), samples: facts.samples + 1 },
    clipped: false,
  }
}

/** Before the first turn the estimate errs upwards by up to a fifth or so. */
const CUT_SHARE = 0.9
const CUT_SHARE_AT_FIRST = 0.8

/** True if a prompt was too long for the window that the server reports, and less of it was read. */
function wasCutToWindow(
  { window, window_from, factor, samples }: ModelFacts,
  estimated: number,
  counted: number,
) {
  if (window === null || window_from === CLIPPED || counted > window) return false
  const expected = estimated * factor
  return expected > window && counted / expected < (samples === 0 ? CUT_SHARE_AT_FIRST : CUT_SHARE)
}

function didFit({ window, window_from }: ModelFacts, tokens: number): boolean {
  return window !== null && window_from !== CLIPPED && tokens <= window
}

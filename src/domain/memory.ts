import { LIMITS } from './limits.ts'
import { Text } from '../lib/text.ts'

/** A fact of a story in a sentence or two (specification 1.8). Typed by hand, it covers no passages. */
export interface Memory {
  id: number
  adventure_id: number
  text: string
  pinned: boolean
  forgotten: boolean
  /** It has a vector of the embedding model. */
  embedded: boolean
  use_count: number
  last_used_at: string | null
  /** Indexes of the first and the last action that it tells of; null when a player wrote it. */
  source_start: number | null
  source_end: number | null
  /** A passage that it tells of has changed since. */
  stale: boolean
  created_at: string
}

export const memoryText = () => Text(LIMITS.memory, { minLength: 1 })

/** Passages in one memory, and how many a story must have before the first is made. */
export const BLOCK = 6
export const FIRST = 12
/** Passages between two summaries. */
export const SUMMARY_EVERY = 15
const SUMMARY_WORDS = 250

/** Asks for one memory. The passages are quoted unless they are the last ones that the model has before its eyes. */
export function memoryTask(passages: readonly string[] | null): string {
  const which =
    passages === null
      ? `the last ${BLOCK} passages before the newest one`
      : `these passages:\n\n${passages.join('\n\n')}\n\n(end of the passages)`
  return `[Leave the story for a moment and make a note for later. In one or two plain sentences, in the past tense and in the third person, say what happened in ${which}. Give names, places, things, promises and injuries. Write nothing but the note: no heading, no block, no comment.]`
}

/** Asks for the summary anew. The player may have edited the current one, so it is built upon, not replaced. */
export function summaryTask(current: string, memories: readonly string[]): string {
  const so = current.trim() === '' ? 'There is no summary yet.' : `The summary so far:\n${current.trim()}`
  const since =
    memories.length === 0
      ? ''
      : `\n\nNotes on what came after it:\n${memories.map((one) => `- ${one}`).join('\n')}`
  return `[Leave the story for a moment and bring its summary up to date. ${so}${since}\n\nWrite the summary anew, with what has happened since, in at most ${SUMMARY_WORDS} words, in the past tense and in the third person. Keep what the summary so far says and shorten what is long ago. Write nothing but the summary.]`
}

/**
 * The memories to be forgotten so that no more than `capacity` are left: those that were not needed for longest. What is
 * pinned stays, and so do the newest few, which had no chance yet.
 */
export function overCapacity(
  memories: readonly Pick<
    Memory,
    'id' | 'pinned' | 'forgotten' | 'use_count' | 'last_used_at' | 'created_at'
  >[],
  capacity: number,
): number[] {
  const alive = memories.filter(({ forgotten }) => !forgotten)
  const tooMany = alive.length - capacity
  if (tooMany <= 0) return []
  const newborn = new Set(alive.slice(-Math.min(NEWBORN, Math.floor(capacity / 2))).map(({ id }) => id))
  return alive
    .filter(({ id, pinned }) => !pinned && !newborn.has(id))
    .sort(
      (one, other) =>
        lastUse(one).localeCompare(lastUse(other)) || one.use_count - other.use_count || one.id - other.id,
    )
    .slice(0, tooMany)
    .map(({ id }) => id)
}

const NEWBORN = 5

function lastUse({ last_used_at, created_at }: Pick<Memory, 'last_used_at' | 'created_at'>): string {
  return last_used_at ?? created_at
}

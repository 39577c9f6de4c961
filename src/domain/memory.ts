import { type Static, Type } from '@sinclair/typebox'
import { foldQuote } from '../lib/fold-text.ts'
import { nullable, Time } from '../lib/typebox.ts'
import { estimateTokens } from './prompt/tokens.ts'
import { readNote } from './recall/changes.ts'
import { languageOf } from './text/language.ts'
import { firstSentences, newSentences } from './text/sentence-spans.ts'

/** A fact from a story in a sentence or two. One that a player wrote has no source passages. */
export const Memory = Type.Object({
  id: Type.Integer(),
  adventure_id: Type.Integer(),
  text: Type.String(),
  no_longer: Type.String({
    description: 'What it says was so before and is so no longer; empty for nothing',
  }),
  pinned: Type.Boolean(),
  forgotten: Type.Boolean(),
  embedded: Type.Boolean({
    description: 'It has a vector. One that summarizes passages needs none: theirs find it',
  }),
  use_count: Type.Integer(),
  last_used_at: nullable(Type.String()),
  source_start: nullable(
    Type.Integer({
      description: 'Index of the first action that it summarizes; null if the player wrote it',
    }),
  ),
  source_end: nullable(Type.Integer({ description: 'Index of the last action that it summarizes' })),
  stale: Type.Boolean({ description: 'A passage that it summarizes has changed; it will be rewritten' }),
  created_at: Time,
})

export type Memory = Static<typeof Memory>

/** Passages in one memory, and passages that a story needs before its first memory. */
export const MEMORY_EVERY = 6
export const FIRST_MEMORY_AT = 12
/** Passages between two summaries. */
export const SUMMARY_EVERY = 15
const SUMMARY_WORDS = 250
const MIN_SUMMARY_WORDS = 60
/** Tokens of an English word, rounded up. */
export const TOKENS_PER_WORD = 1.8
/** The most sentences of a memory, and of what it says is no longer so. A small model that goes on is stopped there. */
const MEMORY_SENTENCES = 4
/** Two sentences with room, and without. A small model that rambles must come to an end before the next turn. */
const MEMORY_TOKENS = 160
const MIN_MEMORY_TOKENS = 60
/** Seconds in which a server may read the passages of a new memory. */
const READING_SECONDS = 6

export const ASIDE = '[Leave the story for a moment and'

const MEMORY_RULE =
  'Give names, places, things, promises and injuries: name who and what it is about. Where something that was so before has ended or changed, add a line that begins with “No longer:” and says in one sentence what was so before. Write nothing else: no heading, no block, no comment.'

/** The request for one memory: of passages that are quoted, or of a number of the last ones in the prompt before the newest. */
export function memoryTask(passages: readonly string[] | number, rule = MEMORY_RULE): string {
  const source =
    typeof passages === 'number'
      ? `the last ${passages} passages before the newest one`
      : `these passages:\n\n${passages.join('\n\n')}\n\n(end of the passages)`
  return `${ASIDE} make a note for later. In one or two plain sentences, in the past tense and in the third person, say what happened in ${source}. ${rule}]`
}

/** Rule for a model that has only copied the passages. With its first words given, a small one writes a note. */
export function ruleAgainstCopies(passages: readonly string[]): string {
  const opening = languageOf(passages.join('\n')) === 'en' ? ', which begin with “The hero”' : ''
  return `Do not repeat them: say it in one or two short sentences of your own${opening}. Write nothing else.`
}

/** True for a note without sentences besides those of the passages. */
export function saysNothingNew(reply: string, passages: readonly string[]): boolean {
  return newSentences(memoryFrom(reply).text, [passages.join('\n')]).length === 0
}

/** Letters of a sentence that two passages do not share by chance. */
const MIN_SENTENCE = 20

/** True for a note that repeats `later` passages: small models tend to retell the newest one. */
export function isAboutLater(reply: string, passages: readonly string[], later: readonly string[]): boolean {
  const told = foldQuote(later.join('\n'))
  return newSentences(memoryFrom(reply).text, [passages.join('\n')]).some(
    (sentence) => sentence.length >= MIN_SENTENCE && told.includes(sentence),
  )
}

/** Tokens of passages that a memory quotes at most: what a server reads in half of the `seconds` that it has. */
export function tokensToQuote(seconds: number, readingSpeed: number): number {
  return Math.min(READING_SECONDS, seconds / 2) * readingSpeed
}

/** Number of due passages that one memory quotes: what a server has time to read, and at least one. */
export function passagesToQuote(texts: readonly string[], tokens: number): number {
  let left = tokens
  const tooMany = texts.findIndex((text) => {
    left -= estimateTokens(text)
    return left < 0
  })
  return tooMany < 0 ? texts.length : Math.max(1, tooMany)
}

/** The most tokens of a memory: what a server writes in half of the `seconds` that it has. */
export function memoryTokens(seconds: number, writingSpeed: number): number {
  return Math.round(Math.min(MEMORY_TOKENS, Math.max(MIN_MEMORY_TOKENS, (seconds / 2) * writingSpeed)))
}

/** The most words of a summary: what a server writes in half of the `seconds` that it has. */
export function summaryWords(seconds: number, writingSpeed: number): number {
  const words = ((seconds / 2) * writingSpeed) / TOKENS_PER_WORD
  return Math.round(Math.min(SUMMARY_WORDS, Math.max(MIN_SUMMARY_WORDS, words)))
}

export function memoryFrom(reply: string): ReturnType<typeof readNote> {
  const { text, no_longer } = readNote(reply)
  return {
    text: firstSentences(text, MEMORY_SENTENCES),
    no_longer: firstSentences(no_longer, MEMORY_SENTENCES),
  }
}

export function isLongerThanMemory(reply: string): boolean {
  const [kept, written] = [memoryFrom(reply), readNote(reply)]
  return kept.text.length < written.text.length || kept.no_longer.length < written.no_longer.length
}

/** The request for a new summary. It extends the current one, which the player may have edited. */
export function summaryTask(current: string, memories: readonly string[], words: number): string {
  const summary =
    current.trim() === '' ? 'There is no summary yet.' : `The summary so far:\n${current.trim()}`
  const since =
    memories.length === 0
      ? ''
      : `\n\nNotes on what came after it:\n${memories.map((one) => `- ${one}`).join('\n')}`
  return `${ASIDE} bring its summary up to date. ${summary}${since}\n\nWrite the summary anew, with what has happened since, in at most ${words} words, in the past tense and in the third person. Keep what the summary so far says and shorten what is long ago. Write nothing but the summary.]`
}

/**
 * The ids of the memories to forget so that at most `capacity` remain: the least recently used. Pinned memories stay, and
 * so do the newest few, which have had no chance to be used.
 */
export function overCapacity(
  unforgotten: readonly Pick<Memory, 'id' | 'pinned' | 'use_count' | 'last_used_at' | 'created_at'>[],
  capacity: number,
): number[] {
  const excess = unforgotten.length - capacity
  if (excess <= 0) return []
  const newest = new Set(
    unforgotten.slice(-Math.min(PROTECTED, Math.floor(capacity / 2))).map(({ id }) => id),
  )
  return unforgotten
    .filter(({ id, pinned }) => !pinned && !newest.has(id))
    .sort(
      (one, other) =>
        lastUse(one).localeCompare(lastUse(other)) || one.use_count - other.use_count || one.id - other.id,
    )
    .slice(0, excess)
    .map(({ id }) => id)
}

/** New memories that are never forgotten. */
const PROTECTED = 5

function lastUse({ last_used_at, created_at }: Pick<Memory, 'last_used_at' | 'created_at'>): string {
  return last_used_at ?? created_at
}

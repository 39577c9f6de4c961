import { isBlank } from '../../lib/text.ts'
import { isPlayerLine } from '../action.ts'
import type { PromptPart, TurnNotes } from './notes.ts'
import { BEGIN_REQUEST, CONTINUE_REQUEST } from './phrases.ts'
import { estimateTokens, PER_MESSAGE } from './tokens.ts'

export interface StoryEntry {
  id: number
  index: number
  type: string
  /** A narration as the model wrote it, unless it had to be corrected. */
  text: string
  /** The notes around the player's lines that it replies to; null in rows without. */
  notes: TurnNotes | null
}

/** The start of a window, the summary before it, and the hash of the static parts at the front. */
export interface Epoch {
  /** The index of the first action that is included verbatim; null if none was chosen yet. */
  start: number | null
  /** The summary as of the last cut. */
  summary: string
  static_mark: string
}

export type EpochReason = 'kept' | 'begun' | 'full' | 'changed'

export interface Story {
  since(index: number): StoryEntry[]
  back(): Iterable<StoryEntry>
}

/** A cut leaves this share of the limit, so that the next cut is far away. */
export const WINDOW_SHARE = 0.5
export const MIN_ENTRIES = 4

/** Null if there are none. */
export function windowFrom(story: Story, start: number | null): StoryEntry[] | null {
  if (start === null) return null
  const entries = story.since(start).filter(({ text }) => !isBlank(text))
  return entries.length > 0 ? entries : null
}

/** The newest actions that fit into `budget` tokens, and at least the last few. */
export function windowWithin(story: Story, budget: number): StoryEntry[] {
  const entries: StoryEntry[] = []
  let used = 0
  for (const action of story.back()) {
    if (isBlank(action.text)) continue
    used += tokensOfEntries([action])
    if (used > budget && entries.length >= MIN_ENTRIES) break
    entries.push(action)
  }
  return entries.reverse()
}

/** A window without its oldest actions, so that it fits into `budget` tokens. It starts with the player's line if possible. */
export function newestWithin(window: readonly StoryEntry[], budget: number): StoryEntry[] {
  let cost = tokensOfEntries(window)
  let from = 0
  while (cost > budget && window.length - from > MIN_ENTRIES) {
    const action = window[from]
    if (action) cost -= tokensOfEntries([action])
    from++
  }
  const line = window.findIndex(({ type }, i) => i >= from && isPlayerLine(type))
  return window.slice(line === -1 || window.length - line < MIN_ENTRIES ? from : line)
}

function tokensOfEntries(actions: readonly StoryEntry[]): number {
  return actions.reduce(
    (sum, { text, notes }) =>
      sum +
      estimateTokens(text) +
      2 * PER_MESSAGE +
      [...(notes?.before ?? []), ...(notes?.after ?? [])].reduce(
        (all, note) => all + estimateTokens(note.text),
        0,
      ),
    0,
  )
}

/** A chat starts with the user and alternates: a fixed line fills in where the player said nothing. */
export function windowParts(window: readonly StoryEntry[]): { parts: PromptPart[]; waiting: string[] } {
  const parts: PromptPart[] = []
  let lines: string[] = []
  for (const { type, text, notes } of window) {
    if (isPlayerLine(type)) {
      lines.push(text)
      continue
    }
    const filler = type === 'start' ? BEGIN_REQUEST : CONTINUE_REQUEST
    parts.push(...turnParts(lines.length > 0 ? lines : [filler], notes))
    parts.push({ role: 'assistant', label: 'history', text })
    lines = []
  }
  return { parts, waiting: lines }
}

export function turnParts(
  lines: readonly string[],
  notes: Pick<TurnNotes, 'before' | 'after'> | null,
): PromptPart[] {
  return [
    ...(notes?.before ?? []).map((note): PromptPart => ({ role: 'user', ...note })),
    ...lines.map((text): PromptPart => ({ role: 'user', label: 'history', text })),
    ...(notes?.after ?? []).map((note): PromptPart => ({ role: 'user', ...note })),
  ]
}

import { isPlayerLine } from '../action.ts'
import { isBlank } from '../../lib/text.ts'
import type { Notes, Part } from './notes.ts'
import { GO_ON, OPENER } from './phrases.ts'
import { estimateTokens, PER_MESSAGE } from './tokens.ts'

/** An action as a prompt shows it. */
export interface Told {
  id: number
  index: number
  type: string
  /** A narration as it goes back into prompts: as the model wrote it, where nothing was put right in it. */
  text: string
  /** What stood around the words that it answers; null in rows without. */
  notes: Notes | null
}

/** Where a window begins, what stands before it, and a mark of what stands still in front of all. */
export interface Epoch {
  /** Index of the first action that is shown word for word; null when none was chosen yet. */
  start: number | null
  /** The summary as it was when the window was cut last. */
  summary: string
  static_mark: string
}

/** Why a window begins where it does. */
export type EpochReason = 'kept' | 'begun' | 'full' | 'changed'

/** The story as it can be read: forward from an index, and back from its end. Both as far as they are asked. */
export interface Story {
  since(index: number): Told[]
  back(): Iterable<Told>
}

/** A cut leaves this share of the room, so that the next cut is far away. */
export const KEEP = 0.5
/** What is always shown of a story. */
export const LEAST = 4

/** The actions from where the window begins; null when nothing of the story stands there any more. */
export function openedAt(story: Story, start: number | null): Told[] | null {
  if (start === null) return null
  const told = spoken(story.since(start))
  return told.length > 0 ? told : null
}

/** The newest actions that cost no more than `budget`, at least the last few. */
export function openedBack(story: Story, budget: number): Told[] {
  const told: Told[] = []
  let used = 0
  for (const action of story.back()) {
    if (isBlank(action.text)) continue
    used += costOf([action])
    if (used > budget && told.length >= LEAST) break
    told.push(action)
  }
  return told.reverse()
}

/** A window without its oldest actions, so that it costs no more than `budget`. It begins with the player's words. */
export function cutTo(window: readonly Told[], budget: number): Told[] {
  let cost = costOf(window)
  let from = 0
  while (cost > budget && window.length - from > LEAST) {
    const action = window[from]
    if (action) cost -= costOf([action])
    from++
  }
  const line = window.findIndex(({ type }, i) => i >= from && isPlayerLine(type))
  const answered = line === -1 || window.length - line < LEAST ? from : line
  return window.slice(answered)
}

/** Tokens of some actions with their notes, about. */
export function costOf(actions: readonly Told[]): number {
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

/**
 * The messages of a window, and the player's words that wait for an answer. A chat begins with its user and takes turns;
 * where the player said nothing, a fixed line stands for it.
 */
export function windowParts(window: readonly Told[]): { parts: Part[]; waiting: string[] } {
  const parts: Part[] = []
  let lines: string[] = []
  for (const { type, text, notes } of window) {
    if (isPlayerLine(type)) {
      lines.push(text)
      continue
    }
    const silence = type === 'start' ? OPENER : GO_ON
    parts.push(...turnParts(lines.length > 0 ? lines : [silence], notes))
    parts.push({ role: 'assistant', label: 'history', text })
    lines = []
  }
  return { parts, waiting: lines }
}

/** The player's side of one turn: notes, words, and what closes it. */
export function turnParts(lines: readonly string[], notes: Pick<Notes, 'before' | 'after'> | null): Part[] {
  return [
    ...(notes?.before ?? []).map((note): Part => ({ role: 'user', ...note })),
    ...lines.map((text): Part => ({ role: 'user', label: 'history', text })),
    ...(notes?.after ?? []).map((note): Part => ({ role: 'user', ...note })),
  ]
}

function spoken(actions: readonly Told[]): Told[] {
  return actions.filter(({ text }) => !isBlank(text))
}

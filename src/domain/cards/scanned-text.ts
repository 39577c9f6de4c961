import { isBlank } from '../../lib/text.ts'
import { isPlayerLine } from '../action.ts'
import type { Story, StoryEntry } from '../prompt/window.ts'

/** Newest actions that are searched for cards and characters, besides the player's lines after them. */
const SCANNED = 6

export interface ScannedText {
  /** Up to the newest passage. */
  story: string
  /** With the player's lines after it. */
  all: string
}

export function scannedText(entries: readonly Pick<StoryEntry, 'type' | 'text'>[]): ScannedText {
  const lines = entries.findLastIndex(({ type }) => !isPlayerLine(type)) + 1
  const story = entries.slice(Math.max(0, lines - SCANNED), lines)
  return { story: textOf(story), all: textOf([...story, ...entries.slice(lines)]) }
}

export function scannedEnd(story: Story): ScannedText {
  const newest: StoryEntry[] = []
  let passages = 0
  for (const entry of story.back()) {
    if (isBlank(entry.text)) continue
    if (passages > 0 || !isPlayerLine(entry.type)) passages++
    newest.push(entry)
    if (passages === SCANNED) break
  }
  return scannedText(newest.reverse())
}

function textOf(entries: readonly { text: string }[]): string {
  return entries.map(({ text }) => text).join('\n')
}

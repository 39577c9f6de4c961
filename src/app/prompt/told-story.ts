import type { Reader } from '../../db/database.ts'
import type { ActionPosition } from '../../db/tables/actions/position.ts'
import { storyBefore } from '../../db/tables/actions/prompt-story.ts'
import { findAnswers } from '../../db/tables/adventures.ts'
import { filledPassage } from '../../domain/prompt/filled-texts.ts'
import type { Story, StoryEntry } from '../../domain/prompt/window.ts'

/** The story before a position, or all of it, as the model is sent it: the opening has its placeholders filled. */
export function toldStory(reader: Reader, adventureId: number, before: ActionPosition | null): Story {
  const story = storyBefore(reader, adventureId, before)
  const filled = (entry: StoryEntry) => filledPassage(entry, () => findAnswers(reader, adventureId) ?? {})
  return {
    since: (index) => story.since(index).map(filled),
    *back() {
      for (const entry of story.back()) yield filled(entry)
    },
  }
}

/** The same story with a line that the player has not sent. */
export function withLine(story: Story, text: string): Story {
  const lineAfter = (last: StoryEntry | undefined): StoryEntry => ({
    id: 0,
    index: (last?.index ?? -1) + 1,
    type: 'do',
    text: `> ${text}`,
    notes: null,
  })
  return {
    since: (index) => {
      const entries = story.since(index)
      return [...entries, lineAfter(entries.at(-1))]
    },
    *back() {
      const entries = story.back()[Symbol.iterator]()
      const { value: last } = entries.next()
      yield lineAfter(last)
      if (last !== undefined) yield last
      for (let next = entries.next(); !next.done; next = entries.next()) yield next.value
    },
  }
}

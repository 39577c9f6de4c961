import type { Reader } from '../../db/database.ts'
import type { ActionPosition } from '../../db/tables/actions/position.ts'
import { storyBefore } from '../../db/tables/actions/prompt-story.ts'
import { findAnswers } from '../../db/tables/adventures.ts'
import { filledPassage } from '../../domain/prompt/filled-texts.ts'
import type { Story, StoryEntry } from '../../domain/prompt/window.ts'

/** The story before a position, or all of it, as the model is sent it: the opening has its placeholders filled. */
export function toldStory(reader: Reader, adventureId: number, before: ActionPosition | null): Story {
  const story = storyBefore(reader, adventureId, before)
  const told = (entry: StoryEntry) => filledPassage(entry, () => findAnswers(reader, adventureId) ?? {})
  return {
    since: (index) => story.since(index).map(told),
    *back() {
      for (const entry of story.back()) yield told(entry)
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
      const told = story.since(index)
      return [...told, lineAfter(told.at(-1))]
    },
    *back() {
      const told = story.back()[Symbol.iterator]()
      const { value: last } = told.next()
      yield lineAfter(last)
      if (last !== undefined) yield last
      for (let next = told.next(); !next.done; next = told.next()) yield next.value
    },
  }
}

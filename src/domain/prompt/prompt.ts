import { type Static, Type } from '@sinclair/typebox'
import { nullable, oneOf } from '../../lib/typebox.ts'
import type { Adventure } from '../adventure.ts'
import type { CardMatcher } from '../cards/card-triggers.ts'
import type { Message } from '../model/model-request.ts'
import type { RecalledText } from '../recall/memories.ts'
import { type RecalledPassage, type ToldPassage, whyTold } from '../recall/passage-notes.ts'
import type { Settings } from '../settings.ts'
import type { StoryCard } from '../story-card.ts'
import type { StoryMoment } from '../timing/due-cards.ts'
import type { TimingRecord } from '../timing/record.ts'
import type { Rules } from '../world/rules.ts'
import type { WorldState } from '../world/state.ts'
import type { TriggeredCard } from './lore-notes.ts'
import type { ModelFacts } from './model-facts.ts'
import type { PromptPart, TurnNote, TurnNotes } from './notes.ts'
import type { Epoch, EpochReason, Story } from './window.ts'

/** Estimates, unless the server has counted this prompt. */
export const PromptTokens = Type.Object({
  total: Type.Integer(),
  budget: Type.Integer({ description: 'The context size, or that of the model if it is smaller' }),
  limit: Type.Integer({ description: 'What is left for the prompt after the reply' }),
  window: nullable(Type.Integer({ description: 'The context size that the server reports' })),
  window_from: Type.String({ description: 'Where the server reports it' }),
  method: oneOf(['estimate', 'calibrated', 'exact']),
  plain: Type.Integer({ description: 'The uncalibrated estimate' }),
  fresh: Type.Integer({ description: 'Tokens that a caching server must process again' }),
})

/** Older versions did not store all of it. */
export const RecalledMemory = Type.Object({
  id: Type.Integer(),
  text: Type.String(),
  pinned: Type.Optional(Type.Boolean()),
  terms: Type.Optional(Type.Array(Type.String(), { description: 'The words that it shares with the line' })),
  via: Type.Optional(oneOf(['words', 'vector', 'both', 'pinned', 'change'])),
  ...whyTold,
})
export type RecalledMemory = Static<typeof RecalledMemory>

export interface Prompt {
  parts: PromptPart[]
  tokens: Static<typeof PromptTokens>
  cards: TriggeredCard[]
  memories: RecalledMemory[]
  /** Passages that the window no longer shows and the player's line speaks of. */
  passages: ToldPassage[]
  history: { included: number; total: number }
  notes: TurnNotes
  /** The first of these notes, which do not depend on the line: a server can read them before it is typed. */
  ahead: TurnNote[]
  /** The player's note about the new passage, which is among the notes; '' without one. */
  steering: string
  /** The name of the character whom the story mentioned last; '' for none. */
  character: string
  /** The state of timed cards after the new passage; null in a story without any. */
  timing: TimingRecord | null
  epoch: Epoch & { reason: EpochReason }
  shed: DroppedPart[]
}

export type DroppedPart =
  | 'example dialogue'
  | 'memories'
  | 'lore'
  | "author's note"
  | 'half the summary'
  | 'half the plot essentials'
  | 'older passages'

export interface PromptWorld {
  rules: Rules
  state: WorldState
}

/** Best first. */
export interface Recalled {
  memories: RecalledText[]
  passages: RecalledPassage[]
}

export interface PromptInput {
  settings: Settings
  adventure: Adventure
  cards: readonly StoryCard[]
  /** A matcher for the keys of these cards; made here if left out. */
  matcher?: CardMatcher
  story: Story
  epoch: Epoch
  /** Null if the story has no stats. */
  world: PromptWorld | null
  /** The outcome of the dice, in words for the model; '' or absent without a check. */
  roll?: string
  /** The player's note about the new passage; '' or absent without one. */
  steering?: string
  /** Null or absent in a story without timed cards. */
  timing?: StoryMoment | null
  facts: ModelFacts
  /** Estimated tokens to leave free, for a prompt that is cut before it has to be. */
  reserve?: number
  /** Finds what the player's line speaks of and the prompt does not show from an index on. */
  recall?: (endingBefore: number) => Recalled
  /** The notes of the turn that is retried; null for a new one. */
  retold: TurnNotes | null
}

/** A blank line joins adjacent parts of one role. */
export function messagesOf(parts: readonly Pick<PromptPart, 'role' | 'text'>[]): Message[] {
  const messages: Message[] = []
  for (const { role, text } of parts) {
    const last = messages.at(-1)
    if (last?.role === role) last.text += `\n\n${text}`
    else messages.push({ role, text })
  }
  return messages
}

import type { Adventure } from '../adventure.ts'
import type { CardMatcher } from '../cards/card-triggers.ts'
import type { Recalled } from '../recall/recall.ts'
import type { Settings } from '../settings.ts'
import type { StoryCard } from '../story-card.ts'
import type { Message } from '../model/model-request.ts'
import type { Rules } from '../world/rules.ts'
import type { WorldState } from '../world/state.ts'
import type { CalledCard } from './called.ts'
import type { ModelFacts } from './measure.ts'
import type { Notes, Part } from './notes.ts'
import type { Epoch, EpochReason, Story } from './window.ts'

/** A prompt with what is worth knowing about it. Tokens are estimates. */
export interface Prompt {
  parts: Part[]
  tokens: {
    total: number
    /** The smaller of the setting and the model's real window. */
    budget: number
    /** What is left of it for the prompt once the reply has its room. */
    limit: number
    /** The window that the server tells, and where; null when it does not. */
    window: number | null
    window_from: string
    /** Whether the numbers are our own, learnt from what the server counted before, or its count of this very prompt. */
    method: 'estimate' | 'calibrated' | 'exact'
    /** The total as it was estimated before that. */
    plain: number
    /** Tokens that a server which keeps what it has read must read anew. */
    fresh: number
  }
  cards: CalledCard[]
  memories: RecalledMemory[]
  history: { included: number; total: number }
  /** What this turn adds around the player's words. */
  notes: Notes
  epoch: Epoch & { reason: EpochReason }
  /** What had to be left out because even the least did not fit. */
  shed: Shed[]
}

/** A memory that bears on the newest turn, and why it was found. */
export interface RecalledMemory extends Pick<Recalled, 'id' | 'text' | 'pinned' | 'via' | 'terms'> {
  reason: 'told' | 'already told'
}

/** What is left out where not even the least fits. */
export type Shed =
  | 'memories'
  | 'lore'
  | "author's note"
  | 'half the summary'
  | 'half the plot essentials'
  | 'older passages'

/** What a prompt says of the world. */
export interface CountedWorld {
  rules: Rules
  state: WorldState
  /** What was refused in the last turn, in words for the model; '' when nothing was. */
  refusals: string
}

/** All that a prompt is made from. */
export interface PromptInput {
  settings: Settings
  adventure: Adventure
  cards: readonly StoryCard[]
  /** Looks for the keys of these cards; made anew when it is left out. */
  matcher?: CardMatcher
  story: Story
  epoch: Epoch
  /** What is counted in this story; null when nothing is. */
  world: CountedWorld | null
  facts: ModelFacts
  /** What is worth remembering of the passages that end before an index, the worthiest first; triggers weigh more. */
  recall?: (endingBefore: number, triggers: string[]) => Recalled[]
  /** The notes of the turn that is told anew; null for a new one. */
  retold: Notes | null
}

/** The messages of a prompt: neighbouring parts of one role are joined by a blank line. */
export function messagesOf(parts: readonly Pick<Part, 'role' | 'text'>[]): Message[] {
  const messages: Message[] = []
  for (const { role, text } of parts) {
    const last = messages.at(-1)
    if (last?.role === role) last.text += `\n\n${text}`
    else messages.push({ role, text })
  }
  return messages
}

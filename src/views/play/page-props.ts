import type { LiveTurn, TurnOutcome } from '../../app/runtime/live-stories.ts'
import type { ActionPage } from '../../domain/action.ts'
import type { Adventure } from '../../domain/adventure.ts'
import type { InterruptedReply } from '../../domain/interrupted-reply.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import type { ComposerText } from '../composer/composer.tsx'
import type { SuggestionsProps } from '../composer/suggestions.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import type { WorldProps } from '../panels/world-state.tsx'
import type { PanelName } from '../urls.ts'
import type { ChosenRewrite } from './passage/rewrite-form.tsx'
import type { StoryLook } from './story-look.ts'

export interface PlayProps {
  adventure: Adventure
  page: ActionPage
  /** Null if the page ends earlier. */
  end: StoryEnd | null
  practice: boolean
  look: StoryLook
  turn: LiveTurn | null
  /** Null if the player need not know. */
  outcome: TurnOutcome | null
  typed: ComposerText
  suggested: Omit<SuggestionsProps, 'adventureId'>
  /** The reason for a refusal. */
  notice?: Child
  did?: string
  form?: PassageForm | undefined
  panel?: { name: PanelName; content: Markup }
  /** A recap, for a reader who comes back after a day. */
  previously?: { text: string; played: string; now: Date }
  /** The passage shown with its tools; without one, the page opens at the end of the story. */
  asked?: number
}

export interface EndProps extends PlayProps {
  end: StoryEnd
}

export interface StoryEnd {
  /** Null for a story without stats. */
  world: WorldProps | null
  interrupted: InterruptedReply | null
  questions: readonly string[]
  /** Names from earlier stories; none where nothing is asked. */
  names: readonly string[]
  typedAnswers?: Answers
}

/** A passage being edited, or the choices in the form that rewrites a part of the newest one. */
export type PassageForm =
  | { kind: 'edit'; id: number; text?: string }
  | { kind: 'rewrite'; chosen: ChosenRewrite }

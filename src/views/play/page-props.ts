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

/** Everything that the page of a story shows. */
export interface PlayProps {
  adventure: Adventure
  page: ActionPage
  /** What follows the newest action; null if the page ends earlier. */
  end: StoryEnd | null
  practice: boolean
  look: StoryLook
  /** The running turn, whoever began it. */
  turn: LiveTurn | null
  /** How the last turn ended, if the player should know. */
  outcome: TurnOutcome | null
  typed: ComposerText
  suggested: Omit<SuggestionsProps, 'adventureId'>
  /** Why a form was refused. */
  notice?: Child
  /** The flash message. */
  did?: string
  /** The form in the place of a passage. */
  form?: PassageForm | undefined
  panel?: { name: PanelName; content: Markup }
  /** A recap, for a reader who comes back after a day. */
  previously?: { text: string; played: string; now: Date }
  /** Id of the passage that was asked for, with its tools; without one, the page opens at the end of the story. */
  asked?: number
}

/** The page that ends with the newest action. */
export interface EndProps extends PlayProps {
  end: StoryEnd
}

/** The end of a story, where it is played. */
export interface StoryEnd {
  /** The world state; null for a story without stats. */
  world: WorldProps | null
  /** The prose of an interrupted turn. */
  interrupted: InterruptedReply | null
  /** The questions that the story's texts still ask. */
  questions: readonly string[]
  /** What the player was called in earlier stories; none where nothing is asked. */
  names: readonly string[]
  /** Refused answers to these questions. */
  typedAnswers?: Answers
}

/** A passage being edited, or the choices in the form that rewrites a part of the newest one. */
export type PassageForm =
  | { kind: 'edit'; id: number; text?: string }
  | { kind: 'rewrite'; chosen: ChosenRewrite }

import type { ActionPage } from '../../domain/action.ts'
import type { Adventure } from '../../domain/adventure.ts'
import type { InterruptedReply } from '../../domain/interrupted-reply.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import type { ComposerText } from '../composer/composer.tsx'
import type { SuggestionsProps } from '../composer/suggestions.tsx'
import type { Child } from '../jsx/jsx-runtime.ts'
import type { WorldProps } from '../panels/world-state.tsx'
import type { PanelName } from '../urls.ts'
import type { ChosenRewrite } from './passage/rewrite-form.tsx'
import type { StoryLook } from './story-look.ts'

/** Everything that the page of a story shows. */
export interface PlayProps {
  adventure: Adventure
  page: ActionPage
  /** The world state; null for a story without stats. */
  world: WorldProps | null
  /** Whether the page ends with the newest action. */
  endsStory: boolean
  practice: boolean
  look: StoryLook
  /** The questions that the story's texts still ask. */
  questions?: readonly string[]
  /** What the player was called in earlier stories; none where nothing is asked. */
  names?: readonly string[]
  /** Refused answers to these questions. */
  typedAnswers?: Answers
  /** A turn of this story runs, in another tab or for another client. */
  running: boolean
  typed: ComposerText
  suggested: Omit<SuggestionsProps, 'adventureId'>
  notice?: Child
  /** The prose of an interrupted turn. */
  interrupted?: InterruptedReply | null
  /** The flash message. */
  did?: string
  /** The passage being edited. */
  editing?: { id: number; text?: string } | undefined
  /** The choices in the form that rewrites a part of the newest passage, if it is open. */
  rewriting?: ChosenRewrite | undefined
  panel?: Child
  /** The name of that panel. */
  panelName?: PanelName | undefined
  /** A recap, for a reader who comes back after a day. */
  previously?: { text: string; played: string; now: Date }
  /** Streamed content below the story, before the tools. */
  telling?: Child
  /** Id of the passage that was asked for, with its tools; without one, the page opens at the end of the story. */
  asked?: number
}

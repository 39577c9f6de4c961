import type { ActionPage } from '../../domain/action.ts'
import type { Adventure } from '../../domain/adventure.ts'
import type { InterruptedReply } from '../../domain/interrupted-reply.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import { Composer, type ComposerText } from '../composer/composer.tsx'
import type { SuggestionsProps } from '../composer/suggestions.tsx'
import { FlashMessage } from '../flash.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Page } from '../layout.tsx'
import { type WorldProps, WorldStatePanel } from '../panels/world-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { PracticeNote } from '../ui/practice-note.tsx'
import { type PanelName, passageUrl, storyEndUrl } from '../urls.ts'
import { Listening } from './listening.tsx'
import type { ChosenRewrite } from './passage/rewrite-form.tsx'
import { Questions } from './questions.tsx'
import { Story } from './story.tsx'
import { StoryBar } from './story-bar.tsx'
import type { StoryLook } from './story-look.ts'
import { ReloadStory, Status, Tools } from './turn-controls.tsx'

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
  /** The answers to them that were refused. */
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
  /** The newest passage is being rewritten in part: what is chosen. */
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

/** A story: its newest passages, and the controls to play on. */
export function PlayPage(props: PlayProps): Markup {
  const {
    adventure,
    page,
    world,
    endsStory,
    practice,
    questions = [],
    names = [],
    typedAnswers,
    running,
    typed,
    suggested,
    notice,
    did = '',
    look,
    telling,
    panel,
    panelName,
    asked,
  } = props
  const last = page.actions.at(-1)
  const newest = endsStory ? (last ?? null) : null
  return (
    <Page
      title={adventure.title}
      did={did}
      showsFlash
      place="/"
      refresh={running && !telling ? 2 : undefined}
      bar={
        <StoryBar
          adventure={adventure}
          language={look.language.language}
          panel={panelName}
          hasWorld={world !== null && endsStory}
        />
      }
      paintsAfter={telling ? undefined : 'said'}
    >
      <div id="play" class="play" x-data="reader">
        <div class="book">
          <div class="column">
            {endsStory || panel ? null : <FlashMessage sentence={did} />}
            {practice ? <PracticeNote /> : null}
            <Story {...props} />
            {telling}
            <Questions
              adventureId={adventure.id}
              questions={endsStory ? questions : []}
              names={names}
              typed={typedAnswers}
            />
            {endsStory && (page.has_more || page.actions.length > 1) ? (
              <div id="end" class={asked === undefined && !telling ? 'opens-here' : undefined} />
            ) : null}
            {endsStory ? (
              <div class="desk">
                <button type="button" id="newer" class="pill" hidden x-on:click="toNewest">
                  <Icon sign="down" /> More below
                </button>
                <Listening />
                <Status adventureId={adventure.id} running={running && !telling} did={panel ? '' : did} />
                <Composer
                  adventureId={adventure.id}
                  typed={typed}
                  checks={look.checks}
                  suggested={suggested}
                  notice={notice}
                />
                <Tools adventureId={adventure.id} newest={newest} />
                <ReloadStory adventureId={adventure.id} />
              </div>
            ) : (
              <>
                <p class="row later">
                  {last === undefined ? null : <a href={passageUrl(last)}>Show later passages</a>}
                  <a href={storyEndUrl(adventure.id)}>Back to the newest passage</a>
                </p>
                <Listening />
              </>
            )}
          </div>
          <div class="margin">
            <div id="panel">
              {panel ? <FlashMessage sentence={did} /> : null}
              {panel}
            </div>
            {world && endsStory ? <WorldStatePanel {...world} /> : null}
          </div>
        </div>
        <div id="said" class="unseen" aria-live="polite" />
      </div>
    </Page>
  )
}

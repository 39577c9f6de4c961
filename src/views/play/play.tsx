import type { ActionPage, ActionView } from '../../domain/action.ts'
import type { Adventure } from '../../domain/adventure.ts'
import type { InterruptedReply } from '../../domain/interrupted-reply.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import { Composer, type ComposerText } from '../composer/composer.tsx'
import type { SuggestionsProps } from '../composer/suggestions.tsx'
import { FlashMessage } from '../flash.tsx'
import { noticeForm } from '../form-attributes.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Page } from '../layout.tsx'
import { type WorldProps, WorldStatePanel } from '../panels/world-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { PracticeNote } from '../ui/practice-note.tsx'
import { type PanelName, passageUrl, storyEndUrl, storyUrl } from '../urls.ts'
import { Listening } from './listening.tsx'
import { Action, ActionEditor } from './passage/action.tsx'
import { Interrupted, Unanswered } from './passage/interrupted.tsx'
import { type ChosenRewrite, RewriteForm } from './passage/rewrite-form.tsx'
import { Previously } from './previously.tsx'
import { Questions } from './questions.tsx'
import { StoryBar } from './story-bar.tsx'
import type { StoryLook } from './story-look.ts'

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

/** Passages at the end of a story whose tools are all shown: mostly a line of the player and its narration. */
const WITH_TOOLS = 2

/** The passages of one page, with a link to earlier ones. Nothing in it is of Alpine, which need not search it. */
export function Story(props: PlayProps): Markup {
  const { adventure, page, endsStory, editing, interrupted, previously, asked, look, rewriting } = props
  const last = page.actions.at(-1)
  const newest = endsStory ? page.actions.slice(-WITH_TOOLS) : []
  return (
    <section id="story" aria-label="Story" x-ignore>
      {page.has_more && page.actions[0] ? (
        <Earlier adventureId={adventure.id} before={page.actions[0]} />
      ) : null}
      {page.actions.map((action) =>
        rewriting && endsStory && action === last ? (
          <RewriteForm action={action} chosen={rewriting} />
        ) : action.id === editing?.id ? (
          <ActionEditor action={action} {...(editing.text === undefined ? {} : { text: editing.text })} />
        ) : (
          <Action
            action={action}
            look={look}
            newest={endsStory && action === last}
            tools={newest.includes(action) || action.id === asked}
          />
        ),
      )}
      {interrupted && endsStory ? (
        <Interrupted
          adventureId={adventure.id}
          newest={last ?? null}
          interrupted={interrupted}
          language={look.language}
        />
      ) : null}
      {last?.waiting && !interrupted && !props.running && !props.telling ? <Unanswered /> : null}
      {previously ? <Previously {...previously} language={look.language.language} /> : null}
    </section>
  )
}

function Earlier({ adventureId, before }: { adventureId: number; before: ActionView }): Markup {
  const href = storyUrl(adventureId, { before: before.id })
  return (
    <nav id="earlier" aria-label="Earlier passages">
      <a href={href} hx-get={href} hx-select="#story > *" hx-target="#earlier" hx-swap="outerHTML">
        Show earlier passages
      </a>
    </nav>
  )
}

/** The buttons for the newest passage. Their hidden field says which passage that is. */
export function Tools({ adventureId, newest }: { adventureId: number; newest: ActionView | null }): Markup {
  const isOpening = newest === null || newest.type === 'start'
  return (
    <div id="tools" class="row">
      <input type="hidden" name="newest" value={String(newest?.id ?? 0)} form="composer" />
      <button
        type="submit"
        form="composer"
        name="go_on"
        value="1"
        title="Let the narrator continue; your text stays in the box"
      >
        <Icon sign="continue" /> <span class="name">Continue</span>
      </button>
      <button
        type="submit"
        form="composer"
        name="retry"
        value="1"
        disabled={isOpening}
        title="Generate the last passage again; the old version is kept"
      >
        <Icon sign="retry" /> <span class="name">Retry</span>
      </button>
      <form {...noticeForm(`${storyUrl(adventureId)}/undo`)}>
        <input type="hidden" name="newest" value={String(newest?.id ?? 0)} />
        <button
          type="submit"
          disabled={isOpening}
          title="Remove the last turn with all its versions permanently; your text comes back to the box"
        >
          <Icon sign="undo" /> <span class="name">Undo</span>
        </button>
      </form>
      <StopForm adventureId={adventureId} />
    </div>
  )
}

export function StopForm({ adventureId }: { adventureId: number }): Markup {
  return (
    <form
      class="stop"
      method="post"
      action={`${storyUrl(adventureId)}/stop`}
      hx-post={`${storyUrl(adventureId)}/stop`}
      hx-swap="none"
    >
      <button type="submit">
        <Icon sign="stop" /> Stop
      </button>
    </form>
  )
}

/** The status of a running turn. If another tab runs it, this page polls. */
export function Status({
  adventureId,
  running,
  did,
}: {
  adventureId: number
  running: boolean
  did: string
}): Markup {
  // Only the phase is a live region: the seconds are for reading, not announcing.
  if (!running)
    return (
      <p id="status">
        <span id="phase" role="status">
          {did}
        </span>
        <span id="waited" />
      </p>
    )
  return (
    <div id="status" {...reloading(adventureId)} hx-trigger="every 2s">
      <span id="phase" role="status">
        A turn of this story is still running, perhaps in another tab. This page updates when it is done.
      </span>
      <StopForm adventureId={adventureId} />
    </div>
  )
}

/** Reloads the end of the story when a stream broke off without saying how the turn ended. */
function ReloadStory({ adventureId }: { adventureId: number }): Markup {
  return <div id="look-again" {...reloading(adventureId)} hx-trigger="look-again" hidden />
}

function reloading(adventureId: number): Record<string, string> {
  return {
    'hx-get': storyUrl(adventureId),
    'hx-select': '#story',
    'hx-target': '#story',
    'hx-swap': 'outerHTML',
    'hx-select-oob': '#tools,#status,#notice,#world-state',
  }
}

import type { ActionPage, ActionView } from '../../domain/action.ts'
import type { Adventure } from '../../domain/adventure.ts'
import { DidNote } from '../did.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { Page } from '../layout.tsx'
import { Icon } from '../ui/icon.tsx'
import { WorldDrawer, type WorldProps } from '../panels/world-state.tsx'
import { PracticeNote } from '../ui/practice-note.tsx'
import { Action, ActionEditor, placeOf } from './action.tsx'
import { Composer, type Typed } from './composer.tsx'
import { Previously } from './previously.tsx'

export interface PlayProps {
  adventure: Adventure
  page: ActionPage
  /** What is counted; null where nothing is. */
  world: WorldProps | null
  /** Whether the page ends with the newest action. */
  endsStory: boolean
  practice: boolean
  /** A turn of this story runs, in another tab or for another client. */
  running: boolean
  typed: Typed
  notice?: Child
  /** What was done before. */
  did?: string
  /** The action that is open for new words. */
  editing?: { id: number; text?: string } | undefined
  panel?: Child
  /** Which panel that is. */
  panelName?: PanelName | undefined
  /** What had happened, for a reader who comes back after a day. */
  previously?: { text: string; ago: string }
  /** What streams in below the story; the tools come after it. */
  telling?: Child
}

/** What can lie beside a story, one at a time. */
export const PANELS = ['plot', 'memory', 'contents', 'reading', 'insights', 'attempts'] as const
export type PanelName = (typeof PANELS)[number]

/** A story: its newest passages, and what the player can do. */
export function PlayPage(props: PlayProps): Markup {
  const {
    adventure,
    page,
    world,
    endsStory,
    practice,
    running,
    typed,
    notice,
    did = '',
    telling,
    panel,
    panelName,
  } = props
  const last = page.actions.at(-1)
  const newest = endsStory ? (last ?? null) : null
  return (
    <Page title={`${did} ${adventure.title}`.trim()} place="/" refresh={running && !telling ? 2 : undefined}>
      <div id="play" class="play" x-data="reader">
        <header class="story-head">
          <h1>{adventure.title}</h1>
          {world && endsStory ? (
            <button type="button" class="narrow" popovertarget="world">
              World
            </button>
          ) : null}
          <button type="button" class="to-menu" popovertarget="story-menu">
            Menu
          </button>
          <nav id="story-menu" aria-label="This story" popover>
            <PanelLink adventureId={adventure.id} panel="plot" open={panelName}>
              Plot
            </PanelLink>
            <PanelLink adventureId={adventure.id} panel="memory" open={panelName}>
              Memory
            </PanelLink>
            <PanelLink adventureId={adventure.id} panel="contents" open={panelName}>
              Contents
            </PanelLink>
            <PanelLink adventureId={adventure.id} panel="reading" open={panelName}>
              Reading
            </PanelLink>
            <PanelLink adventureId={adventure.id} panel="insights" open={panelName}>
              Insights
            </PanelLink>
            <a href={`/search?adventure=${adventure.id}`}>Search</a>
          </nav>
        </header>
        <div class="book">
          <div class="column">
            {endsStory || panel ? null : <DidNote sentence={did} />}
            {practice ? <PracticeNote /> : null}
            <Story {...props} />
            {telling}
            {endsStory ? (
              <div class="desk">
                <button type="button" id="newer" class="pill" hidden x-on:click="toNewest">
                  New text below
                </button>
                <Status adventureId={adventure.id} running={running && !telling} did={panel ? '' : did} />
                <Composer adventureId={adventure.id} typed={typed} notice={notice} />
                <Tools adventureId={adventure.id} newest={newest} />
                <LookAgain adventureId={adventure.id} />
              </div>
            ) : (
              <p class="row later">
                {last === undefined ? null : <a href={placeOf(last)}>Show later passages</a>}
                <a href={`/adventures/${adventure.id}#tools`}>Back to the newest passage</a>
              </p>
            )}
          </div>
          <div class="margin">
            <div id="panel">
              {panel ? <DidNote sentence={did} /> : null}
              {panel}
            </div>
            {world && endsStory ? <WorldDrawer {...world} /> : null}
          </div>
        </div>
        <div id="said" class="unseen" aria-live="polite" />
      </div>
    </Page>
  )
}

function PanelLink({
  adventureId,
  panel,
  open,
  children,
}: {
  adventureId: number
  panel: PanelName
  open: PanelName | undefined
  children?: Child
}): Markup {
  const href = `/adventures/${adventureId}?panel=${panel}`
  return (
    <a
      href={`${href}#panel`}
      hx-get={href}
      hx-select="#panel"
      hx-target="#panel"
      hx-swap="outerHTML"
      aria-current={panel === open ? 'true' : undefined}
    >
      {children}
    </a>
  )
}

/** The passages of one page. Those before them are a link away. */
export function Story({ adventure, page, endsStory, editing, previously }: PlayProps): Markup {
  const last = page.actions.at(-1)
  return (
    <section id="story" aria-label="Story">
      {page.has_more && page.actions[0] ? (
        <Earlier adventureId={adventure.id} before={page.actions[0]} />
      ) : null}
      {page.actions.map((action) =>
        action.id === editing?.id ? (
          <ActionEditor action={action} {...(editing.text === undefined ? {} : { text: editing.text })} />
        ) : (
          <Action action={action} newest={endsStory && action === last} />
        ),
      )}
      {previously ? <Previously {...previously} /> : null}
    </section>
  )
}

function Earlier({ adventureId, before }: { adventureId: number; before: ActionView }): Markup {
  const href = `/adventures/${adventureId}?before=${before.id}`
  return (
    <nav id="earlier" aria-label="Earlier passages">
      <a href={href} hx-get={href} hx-select="#story > *" hx-target="#earlier" hx-swap="outerHTML">
        Show earlier passages
      </a>
    </nav>
  )
}

/** What can be done with the newest passage. It also tells the forms which one that is. */
export function Tools({ adventureId, newest }: { adventureId: number; newest: ActionView | null }): Markup {
  const canUndo = newest !== null && newest.type !== 'start'
  return (
    <div id="tools" class="row">
      <input type="hidden" name="newest" value={String(newest?.id ?? 0)} form="composer" />
      <button
        type="submit"
        form="composer"
        name="go_on"
        value="1"
        title="Let the narrator go on; your words stay in the field"
      >
        <Icon sign="continue" /> <span class="name">Continue</span>
      </button>
      <TurnForm adventureId={adventureId} deed="retry" newest={newest}>
        <button type="submit" title="Tell the last passage anew; the old attempt is kept">
          <Icon sign="retry" /> <span class="name">{newest?.waiting ? 'Answer' : 'Retry'}</span>
        </button>
      </TurnForm>
      <form
        method="post"
        action={`/adventures/${adventureId}/undo`}
        hx-post={`/adventures/${adventureId}/undo`}
        hx-target="#notice"
        hx-swap="innerHTML"
      >
        <input type="hidden" name="newest" value={String(newest?.id ?? 0)} />
        <button
          type="submit"
          disabled={!canUndo}
          title="Remove the last turn for good; your words come back to the field"
        >
          <Icon sign="undo" /> <span class="name">Undo</span>
        </button>
      </form>
      <StopForm adventureId={adventureId} />
    </div>
  )
}

/** A form that starts a turn; it stays in the page for as long as the turn streams. */
function TurnForm({
  adventureId,
  deed,
  newest,
  children,
}: {
  adventureId: number
  deed: string
  newest: ActionView | null
  children?: Child
}): Markup {
  return (
    <form
      id={`${deed}-form`}
      class="turn"
      method="post"
      action={`/adventures/${adventureId}/${deed}`}
      hx-post={`/adventures/${adventureId}/${deed}`}
      hx-target="#notice"
      hx-swap="innerHTML"
    >
      <input type="hidden" name="newest" value={String(newest?.id ?? 0)} />
      {children}
    </form>
  )
}

export function StopForm({ adventureId }: { adventureId: number }): Markup {
  return (
    <form
      class="stop"
      method="post"
      action={`/adventures/${adventureId}/stop`}
      hx-post={`/adventures/${adventureId}/stop`}
      hx-swap="none"
    >
      <button type="submit">
        <Icon sign="stop" /> Stop
      </button>
    </form>
  )
}

/** What a running turn is busy with. When another tab runs it, this one looks again. */
function Status({
  adventureId,
  running,
  did,
}: {
  adventureId: number
  running: boolean
  did: string
}): Markup {
  // What is counted every second is there to be read; only a new phase is said.
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
    <div id="status" {...lookingAgain(adventureId)} hx-trigger="every 2s">
      <span id="phase" role="status">
        A turn of this story is running: in another tab or program, or left by this one a moment ago. This
        page looks again until it has ended.
      </span>
      <StopForm adventureId={adventureId} />
    </div>
  )
}

/** Reads the end of the story again when a stream broke off without saying how it ended. */
function LookAgain({ adventureId }: { adventureId: number }): Markup {
  return <div id="look-again" {...lookingAgain(adventureId)} hx-trigger="look-again" hidden />
}

function lookingAgain(adventureId: number): Record<string, string> {
  return {
    'hx-get': `/adventures/${adventureId}`,
    'hx-select': '#story',
    'hx-target': '#story',
    'hx-swap': 'outerHTML',
    'hx-select-oob': '#tools,#status,#world-state',
  }
}

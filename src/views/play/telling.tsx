import type { TurnEvent } from '../../app/runtime/turn-events.ts'
import { type ActionView, isPlayerLine } from '../../domain/action.ts'
import type { InterruptedReply } from '../../domain/interrupted-reply.ts'
import type { ProseLanguage } from '../../domain/text/language.ts'
import { formatEvent } from '../../http/stream.ts'
import { Suggestions } from '../composer/suggestions.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { type WorldProps, WorldStateContent } from '../panels/world-state.tsx'
import { languageAttributes } from '../prose/prose.tsx'
import { proseFragments } from '../prose/streaming-prose.tsx'
import { formatNumber } from '../ui/format-number.ts'
import { fragment } from '../ui/fragment.tsx'
import type { PlayProps } from './page-props.ts'
import { Action } from './passage/action.tsx'
import { Interrupted } from './passage/interrupted.tsx'
import type { StoryLook } from './story-look.ts'
import { Tools } from './turn-controls.tsx'

/** The page as a stream starts, and how to read what is stored when it ends. */
export interface TurnScreen {
  adventureId: number
  look: StoryLook
  /** The newest action before the turn. */
  before: ActionView | null
  /** Whether the turn is a retry of that action. */
  retries: boolean
  /** Whether the dice are thrown again. */
  rerolls: boolean
  /** The stored newest action. */
  newest: () => ActionView | null
  /** The stored world state; null without stats. */
  world: () => WorldProps | null
  /** The suggestions about the end of the story. */
  suggested: () => PlayProps['suggested']
  /** The prose of the turn, if it was interrupted. */
  interrupted: () => InterruptedReply | null
}

/** What the page shows of a turn so far. */
interface StreamState {
  append: ReturnType<typeof proseFragments>
  phase: string
}

/** Turns the events of a turn into fragments for htmx (https://four.htmx.org/extensions/sse). */
export function turnFragments(screen: TurnScreen): (event: TurnEvent) => string {
  const state: StreamState = { append: proseFragments(screen.look.language.marks), phase: '' }
  let before = screen.before
  let opened = false
  return (event) => {
    if (event.type === 'kept') {
      const shown = formatEvent(keptPassage(screen, event.action))
      before = event.action
      return shown
    }
    // What the player typed, if anything, is the first event.
    const line = event.type === 'player' ? event.action : null
    const added = opened ? line && lateLine(line, screen.look) : begin({ ...screen, before }, line)
    opened = true
    return (added ? formatEvent(added) : '') + eventFrames(event, screen, state)
  }
}

// A kept reply that is a version of the newest passage is shown when the turn begins.
function keptPassage({ before, look }: TurnScreen, kept: ActionView): string {
  if (before?.id === kept.id) return ''
  const answered = before && isPlayerLine(before.type) ? { ...before, waiting: false } : null
  return (
    settled(answered, answered && <Action action={answered} look={look} tools />) +
    fragment('#story', 'beforeend', <Action action={kept} look={look} />)
  )
}

function begin({ before, retries, rerolls, look }: TurnScreen, line: ActionView | null): string {
  const quiet =
    fragment('#notice', 'innerHTML', null) +
    fragment('#interrupted', 'delete', null) +
    fragment('#suggestions', 'innerHTML', null) +
    (rerolls ? fragment('.line:not(:has(~ .line)) > .changes', 'delete', null) : '')
  if (before && retries)
    return (
      fragment(`#action-${before.id}`, 'outerHTML', <StreamingPassage language={look.language} />) + quiet
    )
  // Only the newest passage can be switched between versions.
  const settled =
    before?.type === 'ai'
      ? fragment(`#action-${before.id}`, 'outerHTML', <Action action={before} look={look} />)
      : ''
  const added = (
    <>
      {line ? <Action action={line} look={look} tools /> : null}
      <StreamingPassage language={look.language} />
    </>
  )
  return settled + (line ? withoutLine(line) : '') + fragment('#story', 'beforeend', added) + quiet
}

// A line that was waiting for a reply is already on the page.
function withoutLine({ id }: ActionView): string {
  return fragment(`#action-${id}`, 'delete', null)
}

/** A line with a roll waits until the changes of the passage before it are recorded. */
function lateLine(line: ActionView, look: StoryLook): string {
  return withoutLine(line) + fragment('#telling', 'beforebegin', <Action action={line} look={look} tools />)
}

function eventFrames(
  event: Exclude<TurnEvent, { type: 'kept' }>,
  screen: TurnScreen,
  state: StreamState,
): string {
  switch (event.type) {
    case 'player':
      // On the page since the beginning. The text is stored, so the box can be emptied.
      return formatEvent('', 'turn-stored')
    case 'status':
      return formatEvent(statusParts(event, state))
    case 'reasoning':
      return formatEvent(fragment('#thoughts', 'beforeend', event.text))
    case 'chunk':
      return state.append(event.text)
    case 'recast':
      state.append = proseFragments(screen.look.language.marks)
      return formatEvent(fragment('#told', 'innerHTML', null))
    case 'discarded':
      state.append = proseFragments(screen.look.language.marks)
      return formatEvent(fragment('#told', 'innerHTML', null) + fragment('#phase', 'innerHTML', event.detail))
    case 'told':
    case 'done':
      return (
        state.append('', true) +
        ended(
          screen,
          <Action action={event.action} look={screen.look} newest />,
          event.notice ? <p>{event.notice}</p> : null,
        )
      )
    case 'error':
      return ended(
        screen,
        null,
        <Failure event={event} retries={screen.retries} interrupted={screen.interrupted() !== null} />,
      )
  }
}

/** Why a turn failed, and a button that tries again, unless the interrupted reply has one. */
export function Failure({
  event: { detail, retryable, player_action_id },
  retries,
  interrupted,
}: {
  event: Extract<TurnEvent, { type: 'error' }>
  retries: boolean
  interrupted: boolean
}): Markup {
  const isRetry = retries || player_action_id !== null
  return (
    <>
      <p>{detail}</p>
      {retryable && !interrupted ? (
        <button type="submit" form="composer" name={isRetry ? 'retry' : 'go_on'} value="1">
          Retry
        </button>
      ) : null}
    </>
  )
}

// A failed turn shows the story as stored; a retried passage comes back.
function ended(screen: TurnScreen, passage: Child, notice: Child): string {
  const newest = screen.newest()
  const asItIs = newest && passage === null ? <Action action={newest} look={screen.look} newest /> : null
  const story =
    screen.retries || passage !== null
      ? fragment('#telling', 'outerHTML', passage ?? asItIs)
      : fragment('#telling', 'delete', null) + settled(newest, asItIs)
  const regions =
    story +
    (passage === null ? interruptedFragment(screen, newest) : '') +
    fragment('#phase', 'innerHTML', null) +
    fragment('#waited', 'innerHTML', null) +
    fragment('#notice', 'innerHTML', notice) +
    fragment('#tools', 'outerHTML', <Tools adventureId={screen.adventureId} newest={newest} />) +
    fragment(
      '#suggestions',
      'outerHTML',
      <Suggestions adventureId={screen.adventureId} {...screen.suggested()} />,
    ) +
    worldFragment(screen.world())
  // Sent first, so that the page knows how the turn ended when it shows it.
  return formatEvent(passage === null ? 'failed' : 'told', 'turn-ended') + formatEvent(regions)
}

function interruptedFragment(
  { adventureId, interrupted, look }: TurnScreen,
  newest: ActionView | null,
): string {
  const reply = interrupted()
  const shown = reply && (
    <Interrupted adventureId={adventureId} newest={newest} interrupted={reply} language={look.language} />
  )
  return shown ? fragment('#story', 'beforeend', shown) : ''
}

function settled(newest: ActionView | null, shown: Child): string {
  return newest ? fragment(`#action-${newest.id}`, 'outerHTML', shown) : ''
}

/** The passage while it streams. */
function StreamingPassage({ language }: { language: ProseLanguage }): Markup {
  return (
    <article
      id="telling"
      class="narration telling"
      tabindex="-1"
      aria-busy="true"
      aria-labelledby="telling-heading"
    >
      <h2 id="telling-heading" class="unseen">
        Narrator, writing now
      </h2>
      <details class="reasoning">
        <summary>The narrator is thinking</summary>
        <p id="thoughts" />
      </details>
      <div id="told" class="prose streaming" {...languageAttributes(language.language)} />
    </article>
  )
}

type Status = Extract<TurnEvent, { type: 'status' }>

/** The phase of a turn, how long it has taken, and the timeout. */
export function statusWords(event: Status): string {
  return PHASES[event.phase] + waitedWords(event)
}

// Screen readers announce a new phase, but not the seconds.
function statusParts(event: Status, state: StreamState): string {
  const isNews = event.phase !== state.phase
  state.phase = event.phase
  const waited = fragment('#waited', 'innerHTML', waitedWords(event))
  return isNews ? fragment('#phase', 'innerHTML', PHASES[event.phase]) + waited : waited
}

function waitedWords({ phase, seconds, allowed, read, total }: Status): string {
  if (phase === 'writing') return ''
  if (read !== undefined && total !== undefined)
    return ` ${formatNumber(read)} of ${formatNumber(total)} tokens, ${seconds} s.`
  // The timeout counts silence, and thinking is not silent.
  return phase === 'thinking' ? ` ${seconds} s.` : ` ${seconds} s (timeout: ${allowed} s).`
}

const PHASES = {
  waiting: 'Waiting for the model:',
  loading: 'Loading the model:',
  gone: 'The model server does not answer. Trying again:',
  reading: 'Processing the prompt:',
  thinking: 'The model is thinking:',
  writing: 'The narrator is writing.',
  recording: 'Updating stats and memories:',
}

/** The updated world state; '' without stats. */
export function worldFragment(world: WorldProps | null): string {
  return world ? fragment('#world-state', 'outerHTML', <WorldStateContent {...world} />) : ''
}

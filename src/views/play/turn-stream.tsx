import type { TurnEvent } from '../../app/turn-events.ts'
import type { ActionView } from '../../domain/action.ts'
import { frame } from '../../http/stream.ts'
import { amount } from '../ui/format-number.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { WorldInside, type WorldProps } from '../panels/world-state.tsx'
import { Action } from './action.tsx'
import { part } from '../ui/fragment.tsx'
import { Tools } from './play.tsx'
import { toldFragments } from './streaming-prose.tsx'

/** The story as a stream begins: what the page shows, and what an ended turn puts back. */
export interface Scene {
  adventureId: number
  /** The newest action before the turn. */
  before: ActionView | null
  /** Whether the turn tells that action anew. */
  retries: boolean
  /** The end of the story as it is stored now. */
  newest: () => ActionView | null
  /** The numbers as they are stored now; null where nothing is counted. */
  world: () => WorldProps | null
}

/** What of a turn is on the page already. */
interface Told {
  /** Tells on. */
  add: (text: string) => string
  /** What it is said to be busy with. */
  phase: string
}

/** Shows the events of a turn as fragments that htmx puts in their places (https://four.htmx.org/extensions/sse). */
export function turnFragments(scene: Scene): (event: TurnEvent) => string {
  const began = begin(scene)
  const told: Told = { add: toldFragments(), phase: '' }
  let opened = false
  return (event) => {
    const opening = opened ? '' : frame(began)
    opened = true
    return opening + shown(event, scene, told)
  }
}

function begin({ before, retries }: Scene): string {
  const quiet = part('#notice', 'innerHTML', null)
  if (before && retries) return part(`#action-${before.id}`, 'outerHTML', <Telling />) + quiet
  // What ends the story no longer, cannot be switched any longer.
  const settled =
    before?.type === 'ai' ? part(`#action-${before.id}`, 'outerHTML', <Action action={before} />) : ''
  return settled + part('#story', 'beforeend', <Telling />) + quiet
}

function shown(event: TurnEvent, scene: Scene, told: Told): string {
  switch (event.type) {
    case 'player':
      // The words are stored: the field may be emptied. A line that waited is on the page already.
      return (
        frame('', 'turn-stored') +
        frame(
          part(`#action-${event.action.id}`, 'delete', null) +
            part('#telling', 'beforebegin', <Action action={event.action} />),
        )
      )
    case 'status':
      return frame(statusParts(event, told))
    case 'reasoning':
      return frame(part('#thoughts', 'beforeend', event.text))
    case 'chunk':
      return told.add(event.text)
    case 'recast':
      told.add = toldFragments()
      return frame(part('#told', 'innerHTML', <p />))
    case 'done':
      return ended(
        scene,
        <Action action={event.action} newest />,
        event.notice ? <p>{event.notice}</p> : null,
      )
    case 'error':
      return ended(scene, null, event.detail)
  }
}

// A turn that failed leaves the story as it is stored: a retried passage comes back in its place.
function ended(scene: Scene, told: Child, notice: Child): string {
  const newest = scene.newest()
  const asItIs = newest && told === null ? <Action action={newest} newest /> : null
  const story =
    scene.retries || told !== null
      ? part('#telling', 'outerHTML', told ?? asItIs)
      : part('#telling', 'delete', null) + settled(newest, asItIs)
  const regions =
    story +
    part('#phase', 'innerHTML', null) +
    part('#waited', 'innerHTML', null) +
    part('#notice', 'innerHTML', notice) +
    part('#tools', 'outerHTML', <Tools adventureId={scene.adventureId} newest={newest} />) +
    worldPart(scene.world())
  // First, for the form that began the turn may go with the tools, and is told nothing then.
  return frame(told === null ? 'failed' : 'told', 'turn-ended') + frame(regions)
}

function settled(newest: ActionView | null, shown: Child): string {
  return newest ? part(`#action-${newest.id}`, 'outerHTML', shown) : ''
}

/** The passage that is being told. */
export function Telling(): Markup {
  return (
    <article
      id="telling"
      class="narration telling"
      tabindex="-1"
      aria-busy="true"
      aria-labelledby="telling-heading"
    >
      <h2 id="telling-heading" class="unseen">
        Narrator, telling now
      </h2>
      <details class="reasoning">
        <summary>The narrator is thinking</summary>
        <p id="thoughts" />
      </details>
      <div id="told" class="prose streaming">
        <p />
      </div>
    </article>
  )
}

type Status = Extract<TurnEvent, { type: 'status' }>

/** What a turn is busy with, how long already, and how long it may take. */
export function statusWords(event: Status): string {
  return PHASES[event.phase] + waitedWords(event)
}

// A new phase is said aloud; the seconds are there for who looks.
function statusParts(event: Status, told: Told): string {
  const isNews = event.phase !== told.phase
  told.phase = event.phase
  const waited = part('#waited', 'innerHTML', waitedWords(event))
  return isNews ? part('#phase', 'innerHTML', PHASES[event.phase]) + waited : waited
}

function waitedWords({ phase, seconds, allowed, read, total }: Status): string {
  if (phase === 'writing') return ''
  if (read !== undefined && total !== undefined)
    return ` ${amount(read)} of ${amount(total)} tokens, ${seconds} s.`
  // What thinks is not silent: the allowance is for silence.
  return phase === 'thinking' ? ` ${seconds} s.` : ` ${seconds} s, of ${allowed} s allowed.`
}

const PHASES = {
  waiting: 'Waiting for the model to answer:',
  loading: 'The model is loading:',
  reading: 'The model is reading the story:',
  thinking: 'The model is thinking:',
  writing: 'The narrator is writing.',
  recording: 'Recording what changed:',
}

/** The numbers anew; nothing where nothing is counted. */
export function worldPart(world: WorldProps | null): string {
  return world ? part('#world-state', 'outerHTML', <WorldInside {...world} />) : ''
}

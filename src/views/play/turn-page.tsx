import type { TurnEvent } from '../../app/runtime/turn-events.ts'
import { type ActionView, isPlayerLine } from '../../domain/action.ts'
import type { StreamFormat } from '../../http/stream.ts'
import { type Child, type Markup, render } from '../jsx/jsx-runtime.ts'
import { Notice, STREAM_POSITION, splitAtStream } from '../layout.tsx'
import { GrowingProse } from '../prose/growing-prose.tsx'
import { languageAttributes } from '../prose/prose.tsx'
import type { EndProps, PlayProps } from './page-props.ts'
import { Action } from './passage/action.tsx'
import { Interrupted } from './passage/interrupted.tsx'
import { PlayPage } from './play.tsx'
import { StopForm } from './turn-controls.tsx'
import { Failure, statusWords } from './turn-stream.tsx'

/** A turn for a browser without script: one document that grows as the text arrives. */
export interface TurnPage {
  form: StreamFormat
  show: (event: TurnEvent) => string
}

/** A passage of which there will be another version, and what is shown in its place if that fails. */
export interface Retried {
  action: ActionView
  comesBack: Child
}

/** Lays out the growing document. The tools follow when the turn has ended; `after` gives the page as it is then. */
export function turnPage(before: EndProps, retried: Retried | null, after: () => EndProps): TurnPage {
  const { props, waiting } = endOf(before, retried?.action ?? null)
  const [head] = splitAtStream(PlayPage({ ...props, telling: opened(props, waiting) }))
  let region: 'waiting' | 'thinking' | 'telling' = 'waiting'
  let heading = ''
  let line: ActionView | null = null
  const { language, marks } = before.look.language
  const { dir, lang } = languageAttributes(language)
  let prose = new GrowingProse(marks)
  const within = (wanted: typeof region, open: string): string => {
    if (region === wanted) return ''
    const closed = region === 'waiting' ? '' : `${prose.end()}</div>`
    if (region === 'telling') prose = new GrowingProse(marks)
    region = wanted
    return closed + open
  }
  const show = (event: TurnEvent): string => {
    switch (event.type) {
      case 'kept':
        return render(<Action action={event.action} look={before.look} tools />)
      case 'player':
        line = event.action
        return before.page.actions.some(({ id }) => id === event.action.id)
          ? ''
          : render(<Action action={event.action} look={before.look} tools />)
      case 'status': {
        const isNews = event.phase !== heading && event.phase !== 'writing' && region !== 'telling'
        heading = event.phase
        return isNews ? within('waiting', '') + render(<p class="phase">{statusWords(event)}</p>) : ''
      }
      case 'reasoning':
        return within('thinking', '<div class="thoughts">') + render(event.text)
      case 'chunk':
        return (
          within('telling', `<div class="prose streaming" dir="${dir}" lang="${lang}">`) +
          prose.add(event.text)
        )
      case 'recast':
        return within('waiting', '')
      case 'discarded':
        return within('waiting', '') + render(<p class="phase">{event.detail}</p>)
      case 'told':
      case 'done':
        return (
          within('waiting', '') +
          render(<Action action={ownRoll(event.action, line, before)} look={before.look} newest />) +
          render(event.notice ? <Notice>{event.notice}</Notice> : null)
        )
      case 'error':
        return (
          within('waiting', '') +
          render(retried?.comesBack ?? null) +
          render(<TurnFailure event={event} retries={retried?.comesBack != null} page={after()} />)
        )
    }
  }
  const tail = () => splitAtStream(PlayPage({ ...after(), telling: STREAM_POSITION }))[1]
  return {
    form: { contentType: 'text/html; charset=utf-8', head, heartbeat: '<!-- still telling -->', tail },
    show,
  }
}

/** Removes the roll from the passage if an earlier line shows it. */
function ownRoll(action: ActionView, line: ActionView | null, { page }: PlayProps): ActionView {
  const newest = page.actions.at(-1)
  return line && newest?.waiting && newest.roll && newest.id !== line.id ? withoutRoll(action) : action
}

export function withoutRoll({ roll: _, ...action }: ActionView): ActionView {
  return action
}

/** Passages above the growing one: few, so that it is visible without scrolling. */
const ABOVE = 2

// During a retry the old version is left out; it comes back if the retry fails. A line without a reply is shown with it.
function endOf(props: EndProps, retried: ActionView | null): { props: EndProps; waiting: ActionView | null } {
  const actions = props.page.actions.filter(({ id }) => id !== retried?.id)
  const shown = actions.slice(-ABOVE)
  const last = shown.at(-1)
  const waiting = last && isPlayerLine(last.type) ? last : null
  const has_more = props.page.has_more || shown.length < actions.length
  const page = { ...props.page, actions: waiting ? shown.slice(0, -1) : shown, has_more }
  return { props: { ...props, end: { ...props.end, interrupted: null }, page }, waiting }
}

/** Why the turn failed, and its prose so far. */
function TurnFailure({
  event,
  retries,
  page: {
    adventure,
    page,
    end: { interrupted },
    look,
  },
}: {
  event: Parameters<typeof Failure>[0]['event']
  retries: boolean
  page: EndProps
}): Markup {
  return (
    <>
      <Notice>
        <Failure event={event} retries={retries} interrupted={interrupted !== null} />
      </Notice>
      {interrupted ? (
        <Interrupted
          adventureId={adventure.id}
          newest={page.actions.at(-1) ?? null}
          interrupted={interrupted}
          language={look.language}
        />
      ) : null}
    </>
  )
}

function opened({ adventure, look }: PlayProps, waiting: ActionView | null): Child {
  return (
    <>
      <span id="now" class="opens-here" />
      <StopForm adventureId={adventure.id} />
      {waiting ? <Action action={waiting} look={look} tools /> : null}
      {STREAM_POSITION}
    </>
  )
}

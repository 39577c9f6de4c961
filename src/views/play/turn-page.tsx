import type { TurnEvent } from '../../app/turn-events.ts'
import type { ActionView } from '../../domain/action.ts'
import type { Form } from '../../http/stream.ts'
import { type Child, render } from '../jsx/jsx-runtime.ts'
import { CUT, cutInTwo, Notice } from '../layout.tsx'
import { Action } from './action.tsx'
import { Paragraphs, type Piece } from './paragraphs.ts'
import { PlayPage, type PlayProps, StopForm } from './play.tsx'
import { statusWords } from './turn-stream.tsx'

/** How a turn is shown to a browser without script: one document that grows as it is told. */
export interface TurnPage {
  form: Form
  show: (event: TurnEvent) => string
}

/**
 * Lays out the growing document. Its head is sent at once, its tools when the turn has ended. `after` gives the page
 * as it is then.
 */
export function turnPage(before: PlayProps, retried: ActionView | null, after: () => PlayProps): TurnPage {
  const [head] = cutInTwo(PlayPage({ ...endOf(before, retried), telling: opened(before.adventure.id) }))
  let region: 'waiting' | 'thinking' | 'telling' = 'waiting'
  let heading = ''
  const paragraphs = new Paragraphs()
  const within = (wanted: typeof region, open: string): string => {
    if (region === wanted) return ''
    const closed = region === 'waiting' ? '' : '</div>'
    region = wanted
    return closed + open
  }
  const show = (event: TurnEvent): string => {
    switch (event.type) {
      case 'player':
        return before.page.actions.some(({ id }) => id === event.action.id)
          ? ''
          : render(<Action action={event.action} />)
      case 'status': {
        const isNews = event.phase !== heading && event.phase !== 'writing' && region !== 'telling'
        heading = event.phase
        return isNews ? within('waiting', '') + render(<p class="phase">{statusWords(event)}</p>) : ''
      }
      case 'reasoning':
        return within('thinking', '<div class="thoughts">') + render(event.text)
      case 'chunk':
        return (
          within('telling', '<div class="prose streaming"><p>') +
          paragraphs.add(event.text).map(toldHtml).join('')
        )
      case 'recast':
        return within('waiting', '')
      case 'done':
        return (
          within('waiting', '') +
          render(<Action action={event.action} newest />) +
          render(event.notice ? <Notice>{event.notice}</Notice> : null)
        )
      case 'error':
        return (
          within('waiting', '') +
          render(retried ? <Action action={retried} newest /> : null) +
          render(<Notice>{event.detail}</Notice>)
        )
    }
  }
  const tail = () => cutInTwo(PlayPage({ ...after(), telling: CUT }))[1]
  return {
    form: { contentType: 'text/html; charset=utf-8', head, beat: '<!-- still telling -->', tail },
    show,
  }
}

function toldHtml({ text, opens }: Piece): string {
  return (opens ? '<p>' : '') + render(text)
}

/** Passages that stand above the growing one: few, so that it is in sight without scrolling. */
const ABOVE = 2

// The old attempt comes off the page while a new one is told, and comes back if that fails.
function endOf(props: PlayProps, retried: ActionView | null): PlayProps {
  const actions = props.page.actions.filter(({ id }) => id !== retried?.id)
  const shown = actions.slice(-ABOVE)
  return {
    ...props,
    page: { ...props.page, actions: shown, has_more: props.page.has_more || shown.length < actions.length },
  }
}

function opened(adventureId: number): Child {
  return (
    <>
      <StopForm adventureId={adventureId} />
      {CUT}
    </>
  )
}

import type { App } from '../../app/app.ts'
import type { LiveTurn } from '../../app/runtime/live-stories.ts'
import type { ActionView } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { formatEvent } from '../../http/stream.ts'
import { Suggestions } from '../composer/suggestions.tsx'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { WorldStateContent } from '../panels/world-state.tsx'
import { idFrom } from '../respond.tsx'
import { fragment } from '../ui/fragment.tsx'
import type { EndProps, PlayProps } from './page-props.ts'
import { Action } from './passage/action.tsx'
import { NewText } from './play.tsx'
import { playProps, untilProps } from './play-props.ts'
import { AfterStory, Story, showsTools } from './story.tsx'
import { missedSince, storyStateId } from './story-state.ts'
import { OutcomeNotice, Telling } from './telling.tsx'
import { Tools } from './turn-controls.tsx'

/** Milliseconds in which changes are collected: one act is often several writes. */
const COLLECTED = 30

/**
 * The events of the page of a story: what differs from what it shows, as fragments for htmx
 * (https://four.htmx.org/extensions/sse). A page that has missed something gets the end of the story as it is. `from` is
 * the state that it was made with; `until` is the last action of a page of earlier passages.
 */
export async function* watchStory(
  app: App,
  id: number,
  { from, until }: { from: string; until: string | undefined },
  left: AbortSignal,
): AsyncGenerator<string> {
  let news = Promise.withResolvers<void>()
  let isStale = true
  let collecting: Timer | undefined
  const page = new WatchedPage(from)
  const bringUpToDate = () => {
    isStale = true
    news.resolve()
  }
  using _ = app.live.watch(id, (what) => {
    // A turn is shown from its beginning, however fast it is.
    if (until === undefined && page.turn !== app.live.find(id)) bringUpToDate()
    else if (what === 'turn') news.resolve()
    else collecting ??= setTimeout(bringUpToDate, COLLECTED)
  })
  left.addEventListener('abort', () => news.resolve())
  while (!left.aborted) {
    news = Promise.withResolvers<void>()
    if (isStale) {
      isStale = false
      clearTimeout(collecting)
      collecting = undefined
      const props = findProps(app, id, until)
      if (props === null) return yield formatEvent('gone', 'closed')
      yield page.update(props)
    }
    yield page.more()
    await news.promise
  }
}

function findProps(app: App, id: number, until: string | undefined): PlayProps | null {
  try {
    return until === undefined ? playProps(app, id) : { ...untilProps(app, id, idFrom(until)), turn: null }
  } catch (error) {
    if (error instanceof StoryError && error.code === 'not_found') return null
    throw error
  }
}

/** What a page shows: the passages by id, what follows them, and fragments of the other regions. */
interface Screen {
  passages: Map<number, Passage>
  after: Markup
  regions: string[]
}

interface Passage {
  action: ActionView
  shown: Markup
  /** With all its tools, which a reader may have opened; null if it has them anyway. */
  withTools: (() => Markup) | null
}

function screenOf(props: PlayProps, isNew: boolean): Screen {
  const { adventure, page, end, look } = props
  const newest = page.actions.at(-1) ?? null
  const passages = page.actions.map((action): [number, Passage] => {
    const tools = showsTools(props, action)
    const shown = <Action action={action} look={look} newest={action === newest} tools={tools} />
    const withTools = tools ? null : () => <Action action={action} look={look} tools />
    return [action.id, { action, shown, withTools }]
  })
  return {
    passages: new Map(passages),
    after: <AfterStory {...props} />,
    regions: end
      ? endRegions({ ...props, end })
      : [fragment('#new-text', 'outerHTML', <NewText adventureId={adventure.id} isShown={isNew} />)],
  }
}

function endRegions(props: EndProps): string[] {
  const { adventure, page, end, suggested } = props
  return [
    fragment('#notice', 'innerHTML', <OutcomeNotice {...props} />),
    fragment(
      '#tools',
      'outerHTML',
      <Tools adventureId={adventure.id} newest={page.actions.at(-1) ?? null} />,
    ),
    fragment('#suggestions', 'outerHTML', <Suggestions adventureId={adventure.id} {...suggested} />),
    // The form that edits the values stays until it is sent.
    end.world
      ? fragment('#world-state:not(:has(form))', 'outerHTML', <WorldStateContent {...end.world} />)
      : '',
    end.questions.length === 0 ? fragment('#asks', 'delete', null) : '',
  ]
}

/** The status line while no turn is running. */
function idleStatus(words: string): string {
  return fragment('#phase', 'innerHTML', words) + fragment('#waited', 'innerHTML', null)
}

/** The page of one reader, as far as it is known. */
class WatchedPage {
  private screen: Screen | null = null
  private telling: Telling | null = null
  /** How many actions the story had. */
  private total = 0

  /** `from` is the state that it shows. */
  constructor(private readonly from: string) {}

  /** The running turn that it shows. */
  get turn(): LiveTurn | null {
    return this.telling?.turn ?? null
  }

  /** The events that bring it up to date. */
  update(props: PlayProps): string {
    const { turn, look } = props
    const [before, was] = [this.screen, this.telling]
    this.total ||= props.page.total
    this.screen = screenOf(props, props.page.total > this.total)
    if (was?.turn !== turn) this.telling = turn && new Telling(turn, look.language)
    const begun = was?.turn === turn ? null : (this.telling?.passage() ?? null)
    const ended = was !== null && was.turn !== turn
    const state = storyStateId(props)
    const outcome = props.outcome?.error ? 'failed' : 'told'
    // Sent first, so that the page knows how the turn ended when it shows it.
    const end = ended ? was.more(true) + formatEvent(outcome, 'turn-ended') : ''
    const change = { isTelling: was !== null, ended, begun, retried: turn?.retried }
    const [passages, rest] =
      before === null
        ? [
            '',
            state === this.from
              ? fragment('#telling', 'outerHTML', begun)
              : wholeStory(props, this.screen, begun, this.from),
          ]
        : storyChanges(before, this.screen, change)
    const act = before && !turn && !ended ? actOf(before, this.screen) : ''
    return (
      (passages && formatEvent(passages)) +
      end +
      formatEvent(rest + (ended && !turn ? idleStatus('') : ''), '', state) +
      (passages + rest === '' ? '' : formatEvent(act, 'story-changed'))
    )
  }

  /** The events that add what a running turn has written since. */
  more(): string {
    return this.telling?.more() ?? ''
  }
}

function wholeStory(props: PlayProps, { regions }: Screen, begun: Child, from: string): string {
  return (
    fragment('#story', 'outerHTML', <Story {...props} telling={begun} />) +
    regions.join('') +
    (props.turn ? '' : idleStatus(missedSince(from, props)))
  )
}

/** A change between turns, for the pages that did not make it; '' if it needs no words. */
function actOf(before: Screen, now: Screen): string {
  for (const [id, { action: old }] of before.passages) {
    const action = now.passages.get(id)?.action
    if (action === undefined && id >= (now.passages.keys().next().value ?? 0))
      return 'A turn was undone on another page.'
    if (action && action.variant_index !== old.variant_index)
      return 'Another version was chosen on another page.'
    if (action && action.text !== old.text) return 'A passage was edited on another page.'
  }
  return ''
}

interface TellingChange {
  /** The page shows a passage that is being written. */
  isTelling: boolean
  /** It is written now, or its turn has failed. */
  ended: boolean
  /** The one that is being written from now on. */
  begun: Markup | null
  /** The id of the passage that it replaces. */
  retried: number | null | undefined
}

/** The fragments for what differs. A passage with an open form stays as it is. */
function storyChanges(
  before: Screen,
  now: Screen,
  { isTelling, ended, begun, retried }: TellingChange,
): [passages: string, rest: string] {
  const old = before.passages
  const [first = 0] = now.passages.keys()
  const [oldest = 0] = old.keys()
  const gone = [...old.keys()].filter((id) => id >= first && !now.passages.has(id))
  const added = [...now.passages].filter(([id]) => id >= oldest && !old.has(id)).map(([, one]) => one)
  // The new passage takes the place of the one that was being written.
  const told = ended && added.at(-1)?.action.type === 'ai' ? added.pop() : undefined
  const isRetold = begun !== null && gone.includes(retried ?? 0)
  const isAfterNew = before.after.html !== now.after.html || added.length > 0 || begun !== null
  const passages = [
    ...(isAfterNew ? [fragment('#interrupted', 'delete', null)] : []),
    ...gone.map((id) =>
      id !== retried
        ? fragment(`#action-${id}:not(.editing)`, 'delete', null)
        : fragment(`#action-${id}`, isRetold ? 'outerHTML' : 'delete', isRetold ? begun : null),
    ),
    ...[...now.passages.values()].map((one) => changedPassage(old.get(one.action.id), one)),
    ...added.map(({ shown }) =>
      fragment(isTelling ? '#telling' : '#story', isTelling ? 'beforebegin' : 'beforeend', shown),
    ),
  ]
  const rest = [
    ended ? fragment('#telling', told ? 'outerHTML' : 'delete', told?.shown) : '',
    begun && !isRetold ? fragment('#story', 'beforeend', begun) : '',
    isAfterNew && now.after.html !== '' ? fragment('#story', 'beforeend', now.after) : '',
    ...now.regions.filter((region, i) => region !== before.regions[i]),
  ]
  // The page scrolls to a line before the reply takes its place.
  return [passages.join(''), rest.join('')]
}

function changedPassage(old: Passage | undefined, { action, shown, withTools }: Passage): string {
  if (old === undefined || old.shown.html === shown.html) return ''
  const isOther = old.action.text !== action.text || old.action.variant_index !== action.variant_index
  const target = `#action-${action.id}:not(.editing)`
  const opened = ':has(.more form)'
  const mayBeOpened = withTools !== null && old.withTools !== null
  return (
    fragment(mayBeOpened ? `${target}:not(${opened})` : target, 'outerHTML', shown) +
    (mayBeOpened ? fragment(target + opened, 'outerHTML', withTools()) : '') +
    (isOther ? fragment(`#action-${action.id} > .elsewhere`, 'innerHTML', 'Changed elsewhere.') : '')
  )
}

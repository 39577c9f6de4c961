import type { App } from '../../app/app.ts'
import type { LiveTurn } from '../../app/runtime/live-stories.ts'
import { StoryError } from '../../domain/errors.ts'
import { formatEvent } from '../../http/stream.ts'
import { Suggestions } from '../composer/suggestions.tsx'
import { WorldStateContent } from '../panels/world-state.tsx'
import { idFrom } from '../respond.tsx'
import { fragment } from '../ui/fragment.tsx'
import type { EndProps, PlayProps } from './page-props.ts'
import { NewText } from './play.tsx'
import { playProps, untilProps } from './play-props.ts'
import { type Part, type Parts, partsOf, Story } from './story.tsx'
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

/** The parts of the story, and fragments of the other regions. */
interface Screen {
  parts: Parts
  regions: string[]
}

function screenOf(props: PlayProps, telling: Telling | null, isNew: boolean): Screen {
  const newText = <NewText adventureId={props.adventure.id} isShown={isNew} />
  const regions = props.end
    ? endRegions({ ...props, end: props.end })
    : [fragment('#new-text', 'outerHTML', newText)]
  return { parts: partsOf(props, telling), regions }
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

function idleStatus(words: string): string {
  return fragment('#phase', 'innerHTML', words) + fragment('#waited', 'innerHTML', null)
}

class WatchedPage {
  private screen: Screen | null = null
  private telling: Telling | null = null
  private total = 0

  /** `state` is the one that the page shows. */
  constructor(private state: string) {}

  get turn(): LiveTurn | null {
    return this.telling?.turn ?? null
  }

  update(props: PlayProps): string {
    const { turn, look } = props
    const [before, was] = [this.screen, this.turn]
    const ended = was !== null && was !== turn
    const end = (ended && this.telling?.moreProse()) || ''
    this.total ||= props.page.total
    if (was !== turn) this.telling = turn && new Telling(turn, look.language)
    this.screen = screenOf(props, this.telling, props.page.total > this.total)
    const from = this.state
    this.state = storyStateId(props)
    if (before === null) return formatEvent(this.joined(props, this.screen, from), '', this.state)
    const { passages, rest } = storyChanges(before, this.screen)
    const outcome = props.outcome?.error ? 'failed' : 'told'
    const act = turn || ended ? '' : actOf(before, this.screen)
    return (
      (passages && formatEvent(passages)) +
      // Sent first: the page scrolls to the end of the text, and knows how the turn ended when it shows it.
      (end && formatEvent(end)) +
      (ended ? formatEvent(outcome, 'turn-ended') : '') +
      formatEvent(rest + (ended && !turn ? idleStatus('') : ''), '', this.state) +
      (this.state === from ? '' : formatEvent(act, 'story-changed'))
    )
  }

  /** The first event of a stream: the end of the story, or the running turn alone if the page missed nothing. */
  private joined(props: PlayProps, { parts, regions }: Screen, from: string): string {
    const telling = this.telling?.shown
    if (from === this.state) return telling ? fragment('#telling', 'outerHTML', telling) : ''
    return (
      fragment('#story', 'outerHTML', <Story {...props} parts={parts} />) +
      regions.join('') +
      (props.turn ? '' : idleStatus(missedSince(from, props)))
    )
  }

  more(): string {
    const added = this.telling?.more() ?? ''
    return added && formatEvent(added)
  }
}

/** A change between turns, for the pages that did not make it; '' if it needs no words. */
function actOf(before: Screen, now: Screen): string {
  const gone = missingIn(now, before)
  for (const [id, { action: old }] of before.parts) {
    const action = now.parts.get(id)?.action
    if (old && gone.includes(id)) return 'A turn was undone on another page.'
    if (!old || !action) continue
    if (action.variant_index !== old.variant_index) return 'Another version was chosen on another page.'
    if (action.text !== old.text) return 'A passage was edited on another page.'
  }
  return ''
}

/** The ids of parts that another screen does not have. Passages before its first one are only further back there. */
function missingIn(other: Screen, { parts }: Screen): string[] {
  const [first] = other.parts.values()
  const isMissing = (id: string, { action }: Part) =>
    !other.parts.has(id) && (action === null || action.id >= (first?.action?.id ?? 0))
  return [...parts].flatMap(([id, part]) => (isMissing(id, part) ? [id] : []))
}

/**
 * The fragments for what differs, in two messages: the page scrolls to a line before the reply takes its place. The last new
 * part replaces what is written no longer, or the passage that is being written replaces its last version.
 */
function storyChanges(before: Screen, now: Screen): { passages: string; rest: string } {
  const gone = missingIn(now, before)
  const added = missingIn(before, now)
  const last = added.pop()
  const isReplaced = last === 'telling' || (last !== undefined && !gone.at(-1)?.startsWith('action'))
  const replaced = isReplaced ? gone.pop() : undefined
  const end = ['telling', 'interrupted'].find((id) => before.parts.has(id))
  const insert = (ids: readonly string[]) => {
    const shown = ids.map((id) => now.parts.get(id)?.shown)
    if (ids.length === 0) return ''
    return end ? fragment(`#${end}`, 'beforebegin', shown) : fragment('#story', 'beforeend', shown)
  }
  const passages =
    gone.map((id) => fragment(`#${id}:not(.editing)`, 'delete', null)).join('') +
    [...now.parts].map(([id, part]) => changedPart(id, before.parts.get(id), part)).join('') +
    insert(added)
  const reply =
    last && replaced
      ? fragment(`#${replaced}`, 'outerHTML', now.parts.get(last)?.shown)
      : insert(last ? [last] : [])
  const regions = now.regions.filter((region, i) => region !== before.regions[i])
  return { passages, rest: reply + regions.join('') }
}

/** A part that is shown already and has changed. A passage with an open form stays as it is. */
function changedPart(id: string, old: Part | undefined, { shown, action, withTools }: Part): string {
  if (old === undefined || old.shown.html === shown.html) return ''
  const isOther = old.action?.text !== action?.text || old.action?.variant_index !== action?.variant_index
  const place = `#${id}:not(.editing)`
  const opened = ':has(.more form)'
  const mayBeOpened = old.withTools !== null && withTools !== null
  return (
    fragment(mayBeOpened ? `${place}:not(${opened})` : place, 'outerHTML', shown) +
    (mayBeOpened ? fragment(place + opened, 'outerHTML', withTools()) : '') +
    (isOther ? fragment(`#${id} > .elsewhere`, 'innerHTML', 'Changed elsewhere.') : '')
  )
}

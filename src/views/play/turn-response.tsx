import type { App } from '../../app/app.ts'
import type { TurnEvent, TurnEvents } from '../../app/runtime/turn-events.ts'
import { listNewest } from '../../db/tables/actions/list.ts'
import { type ActionView, type ComposerType, isPlayerLine } from '../../domain/action.ts'
import { retriesNewest } from '../../domain/interrupted-reply.ts'
import { isTypedLine } from '../../domain/text/player-line.ts'
import { EVENT_STREAM, streamResponse } from '../../http/stream.ts'
import { isBlank } from '../../lib/text.ts'
import type { ComposerText } from '../composer/composer.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { type FormFields, formResponse, idFrom, isFragment, seeOther } from '../respond.tsx'
import { storyEndUrl } from '../urls.ts'
import type { EndProps } from './page-props.ts'
import { Action } from './passage/action.tsx'
import { type ChosenRewrite, RewriteForm } from './passage/rewrite-form.tsx'
import { PlayPage } from './play.tsx'
import { newestView, playProps, storyLook, suggestedFor, worldProps } from './play-props.ts'
import { staleResponse, storyResponse } from './story-response.tsx'
import { type Retried, type TurnPage, turnPage, withoutRoll } from './turn-page.tsx'
import { type TurnScreen, turnFragments } from './turn-stream.tsx'

/** A sent form of the composer: what was typed, and whether it asks for another version. */
interface TurnForm {
  id: number
  request: Request
  fields: FormFields
  typed: ComposerText & { type: ComposerType }
  retries: boolean
  /** What is chosen of the newest passage, to be rewritten. */
  rewriting: ChosenRewrite | undefined
}

/** Runs a turn and streams it: fragments for htmx, a growing page without script. */
export function turnResponse(
  app: App,
  form: TurnForm,
  prepare: () => Promise<void>,
  open: (hangUp: AbortSignal) => TurnEvents,
): Promise<Response> {
  const { id, request, fields, typed, retries, rewriting } = form
  const openPage = (hangUp: AbortSignal) => untilTold(open(hangUp))
  return formResponse(
    request,
    async () => {
      // A form that was sent twice is one line. The second request takes over if the browser gave up the first.
      if (lineSentTwice(app, form)) await app.locks.freed(id)
      const twice = lineSentTwice(app, form)
      if (twice === 'answered')
        return isFragment(request) ? storyResponse(app, id, {}) : seeOther(request, storyEndUrl(id))
      const stale = twice ? null : staleResponse(app, id, request, fields)
      if (stale) return stale
      await prepare()
      const before = newestView(app, id)
      const interrupted = app.interruptedReply(id)
      const isRetold = retries && retriesNewest(before, interrupted)
      if (isFragment(request)) {
        const show = turnFragments(turnScreen(app, form, before, isRetold))
        return streamResponse(request, EVENT_STREAM, openPage, show)
      }
      const isReplaced = isRetold || (!retries && interrupted?.retry === true)
      const comesBack = isRetold && before ? retriedAgain(app, before, rewriting) : null
      const page = growingPage(app, form, isReplaced && before ? { action: before, comesBack } : null)
      return streamResponse(request, page.form, openPage, page.show)
    },
    (notice) =>
      PlayPage({
        ...playProps(app, id),
        notice,
        typed,
        form: rewriting && { kind: 'rewrite', chosen: rewriting },
      }),
  )
}

function turnScreen(
  app: App,
  { id, fields }: TurnForm,
  before: ActionView | null,
  retries: boolean,
): TurnScreen {
  return {
    adventureId: id,
    look: storyLook(app, id),
    before,
    retries,
    rerolls: fields.again !== undefined,
    newest: () => newestView(app, id),
    world: () => worldProps(app, id),
    suggested: () => suggestedFor(app, id),
    interrupted: () => app.interruptedReply(id),
  }
}

function growingPage(app: App, { id, fields }: TurnForm, retried: Retried | null): TurnPage {
  const shown = playProps(app, id)
  const rerolls = fields.again !== undefined
  return turnPage(rerolls ? withoutRolls(shown) : shown, retried, () => playProps(app, id))
}

/** The page while the dice are thrown again. */
function withoutRolls(props: EndProps): EndProps {
  return { ...props, page: { ...props.page, actions: props.page.actions.map(withoutRoll) } }
}

/** What is shown again if a retry fails: the passage, or the form with the sentences that were chosen. */
function retriedAgain(app: App, action: ActionView, rewriting: ChosenRewrite | undefined): Markup {
  if (rewriting) return <RewriteForm action={action} chosen={rewriting} />
  return <Action action={action} look={storyLook(app, action.adventure_id)} newest />
}

/** Whether a form sends a line that was stored since its page was made, and whether the line has its reply. */
function lineSentTwice(
  app: App,
  { id, fields: { newest, go_on }, typed, retries }: TurnForm,
): 'waiting' | 'answered' | null {
  if (newest === undefined || go_on || retries || isBlank(typed.text)) return null
  const [last, ...before] = listNewest(app.reader, id, 4)
  const isAnswered = last?.type === 'ai'
  const [line, seen, earlier] = isAnswered ? before : [last, ...before]
  if (!line || !isPlayerLine(line.type)) return null
  if (!isTypedLine(line.text, typed.type === 'try' ? 'do' : typed.type, typed.text)) return null
  // An interrupted reply may have been kept before the line.
  const ends = seen?.cut === 'stopped' ? [seen, earlier] : [seen]
  if (!ends.some((end) => idFrom(newest) === (end?.id ?? 0))) return null
  return isAnswered ? 'answered' : 'waiting'
}

// The player can go on once the text is stored. The page gets the changes from its recording mark.
async function* untilTold(events: TurnEvents): AsyncGenerator<TurnEvent> {
  for await (const event of events) {
    yield event
    if (event.type === 'told') return
  }
}

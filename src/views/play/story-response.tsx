import type { App } from '../../app/app.ts'
import type { UndoneTurn } from '../../app/turn/undo-turn.ts'
import { getAction } from '../../db/tables/actions/list.ts'
import { actionView } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { isBlank } from '../../lib/text.ts'
import { ActionTypes, ComposerField, Steering } from '../composer/composer.tsx'
import { type Flash, sentenceOf } from '../flash.tsx'
import { type FormFields, formResponse, htmlResponse, idFrom, isFragment, seeOther } from '../respond.tsx'
import { fragment } from '../ui/fragment.tsx'
import { storyEndUrl } from '../urls.ts'
import { Action } from './passage/action.tsx'
import { ActionEditor } from './passage/action-editor.tsx'
import { NOTHING_CHOSEN, RewriteForm } from './passage/rewrite-form.tsx'
import { PlayPage } from './play.tsx'
import { newestView, playProps, storyLook } from './play-props.ts'

/** A refusal shows the page with the reason. */
export function atStory(
  app: App,
  id: number,
  request: Request,
  handle: () => Response | Promise<Response>,
): Promise<Response> {
  return formResponse(request, handle, (notice) => PlayPage({ ...playProps(app, id), notice }))
}

/** With script, `own` concerns only the page that sent the form; all pages see the rest by their streams. */
export function actedResponse(app: App, id: number, request: Request, did?: Flash, own = ''): Response {
  if (!isFragment(request)) return seeOther(request, storyEndUrl(id), did)
  const shown = (did ? saidFragment(app, id, sentenceOf(did)) : '') + own
  return shown === '' ? new Response(null, { status: 204 }) : htmlResponse(shown)
}

/** Throws changed_elsewhere if the form was made for another newest passage. */
export function assertNewest(app: App, id: number, { newest }: FormFields): void {
  if (newest === undefined || idFrom(newest) === (newestView(app, id)?.id ?? 0)) return
  throw new StoryError(
    'changed_elsewhere',
    'The story has changed since this page was loaded. Nothing was sent; this is the current story.',
  )
}

/** After this many undos in a row, a branch is offered instead, because undone turns cannot be restored. */
const FEW_UNDONE = 3

/** The removed words go into the text box, if that is empty, or are quoted. */
export function undoneResponse(
  app: App,
  id: number,
  request: Request,
  { typed, in_a_row }: UndoneTurn,
  undoneId: number,
): Response {
  const flash = in_a_row >= FEW_UNDONE ? 'undoneOften' : typed?.text ? 'undone' : 'undoneReply'
  const quoted = typed?.text ? ` You had typed: “${typed.text}”` : ''
  const own =
    fragment('#play:has(#words:not(:placeholder-shown)) #phase', 'beforeend', quoted) +
    composerFragments(app, id) +
    // Its form, too, if it was open.
    fragment(`#action-${undoneId}`, 'delete', null)
  return actedResponse(app, id, request, flash, own)
}

/** Replaces the text box and the note, if they are empty. */
function composerFragments(app: App, id: number): string {
  const { typed, look } = playProps(app, id)
  const empty = '#words:placeholder-shown'
  return (
    fragment(
      `#composer:has(${empty}) .modes`,
      'outerHTML',
      <ActionTypes typed={typed} checks={look.checks} />,
    ) +
    fragment(empty, 'outerHTML', <ComposerField adventureId={id} typed={typed} />) +
    fragment('#steer:has(#steering:placeholder-shown)', 'outerHTML', <Steering steering={typed.steering} />)
  )
}

/** One passage for htmx, with all its tools or as a form. Throws not_found. */
export function passageResponse(
  app: App,
  id: number,
  actionId: number,
  { form, did }: { form?: 'edit' | 'rewrite' | undefined; did?: Flash } = {},
): Response {
  const newest = newestView(app, id)
  const isNewest = newest?.id === actionId
  const action = isNewest ? newest : actionView(getAction(app.reader, id, actionId), false)
  const shown =
    form === 'edit' ? (
      <ActionEditor action={action} />
    ) : form === 'rewrite' && isNewest && action.type === 'ai' ? (
      <RewriteForm action={action} chosen={NOTHING_CHOSEN} />
    ) : (
      <Action action={action} look={storyLook(app, id)} newest={isNewest} tools />
    )
  return htmlResponse(shown.html + (did ? saidFragment(app, id, sentenceOf(did)) : ''))
}

/** Empty while a running turn uses the status line. */
function saidFragment(app: App, id: number, did: string): string {
  return app.live.find(id) ? '' : fragment('#phase', 'innerHTML', did)
}

/**
 * Suggestions, which pages get by their streams. Without script: the story with them, or with the chosen one in the text box.
 * Suggestions that the page requested by itself fail silently.
 */
export function suggestionsResponse(
  app: App,
  id: number,
  request: Request,
  fields: FormFields,
): Promise<Response> {
  const { type, text = '', steering = '', suggestion, automatic } = fields
  const typed = { type: type ?? 'do', text, steering }
  return formResponse(
    request,
    async () => {
      const asked = suggestion === undefined ? app.suggest(id, request.signal) : null
      await (automatic === undefined ? asked : asked?.catch(() => {}))
      if (isFragment(request)) return new Response(null, { status: 204 })
      const both = [text, suggestion ?? ''].filter((part) => !isBlank(part)).join('\n')
      await app.saveDraft(id, { type: 'do', text: both, steering })
      return seeOther(request, storyEndUrl(id))
    },
    (notice) => PlayPage({ ...playProps(app, id), notice, typed }),
  )
}

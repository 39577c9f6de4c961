import type { App } from '../../app/app.ts'
import type { UndoneTurn } from '../../app/turn/undo-turn.ts'
import { getAction } from '../../db/tables/actions/list.ts'
import { findFirst } from '../../db/tables/actions/position.ts'
import { type ActionView, actionView, isPlayerLine } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { statusOf } from '../../http/problem.ts'
import { isBlank } from '../../lib/text.ts'
import { ActionTypes, ComposerField, Steering } from '../composer/composer.tsx'
import { Suggestions } from '../composer/suggestions.tsx'
import { BRANCH_INSTEAD, type Flash, sentenceOf } from '../flash.tsx'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { type FormFields, formResponse, htmlResponse, idFrom, isFragment, seeOther } from '../respond.tsx'
import { fragment } from '../ui/fragment.tsx'
import { storyEndUrl } from '../urls.ts'
import { Action } from './passage/action.tsx'
import { ActionEditor } from './passage/action-editor.tsx'
import { NOTHING_CHOSEN, RewriteForm } from './passage/rewrite-form.tsx'
import { PlayPage } from './play.tsx'
import { newestView, playProps, showingProps, storyLook, suggestedFor, worldProps } from './play-props.ts'
import { Story } from './story.tsx'
import { Status, Tools } from './turn-controls.tsx'
import { worldFragment } from './turn-stream.tsx'

/** When the changes of the newest passage are recorded: the passage and the world state with them. */
export async function recordedResponse(app: App, id: number): Promise<Response> {
  await app.recordings.ended(id)
  return recordingResponse(app, id)
}

/** The newest passage and the world state, which ask for the changes again while they are being recorded. */
export function recordingResponse(app: App, id: number): Response {
  const {
    page,
    end: { world },
    look,
  } = playProps(app, id)
  const passage = page.actions.findLast(({ type }) => !isPlayerLine(type))
  if (!passage) return htmlResponse(worldFragment(world))
  const shown = <Action action={passage} look={look} newest={passage === page.actions.at(-1)} tools />
  return htmlResponse(
    fragment(`#action-${passage.id}:not(.editing)`, 'outerHTML', shown) + worldFragment(world),
  )
}

/** Answers a form of the play page; a refusal shows the page with the reason. */
export function atStory(
  app: App,
  id: number,
  request: Request,
  handle: () => Response | Promise<Response>,
): Promise<Response> {
  return formResponse(request, handle, (notice) => PlayPage({ ...playProps(app, id), notice }))
}

/** If the form was made for another newest passage, shows the current story; nothing is written. */
export function staleResponse(app: App, id: number, request: Request, fields: FormFields): Response | null {
  const { newest } = fields
  if (newest === undefined || idFrom(newest) === (newestView(app, id)?.id ?? 0)) return null
  const fault = new StoryError(
    'changed_elsewhere',
    'The story has changed since this page was loaded. Nothing was sent; this is the current story.',
  )
  if (isFragment(request)) return storyResponse(app, id, { notice: fault.message }, statusOf(fault))
  throw fault
}

/** Keeps or discards the interrupted reply, as `settle` does; if it is gone, shows the current story. */
export function interruptedResponse(
  app: App,
  id: number,
  request: Request,
  fields: FormFields,
  settle: { run: (id: number) => unknown; did: Flash },
): Response {
  const stale = staleResponse(app, id, request, fields)
  if (stale) return stale
  try {
    settle.run(id)
  } catch (error) {
    if (!(error instanceof StoryError && error.code === 'not_found' && isFragment(request))) throw error
    return storyResponse(app, id, { notice: error.message }, statusOf(error))
  }
  return isFragment(request)
    ? storyResponse(app, id, { did: sentenceOf(settle.did), spends: settle.did === 'kept' })
    : seeOther(request, storyEndUrl(id), settle.did)
}

/** The story after an undo, for htmx. `versions` counts those of the passage that is gone. */
export function undoneResponse(app: App, id: number, { typed, in_a_row }: UndoneTurn, versions: number) {
  const undone = versions > 1 ? `Turn undone, with the ${versions} versions of its passage.` : 'Turn undone.'
  return storyResponse(app, id, {
    did: in_a_row < FEW_UNDONE ? undone : `${undone} ${BRANCH_INSTEAD}`,
    quoted: typed?.text ? ` You had typed: “${typed.text}”` : '',
  })
}

/** After this many undos in a row, a branch is offered instead, because undone turns cannot be restored. */
export const FEW_UNDONE = 3

/**
 * The current story for htmx: passages, tools, world state, and the returned text if the box is empty. `quoted` is said if
 * it is not; `spends` says that the player's note was used.
 */
export function storyResponse(
  app: App,
  id: number,
  {
    notice = '',
    did = '',
    quoted = '',
    spends = false,
  }: { notice?: string; did?: string; quoted?: string; spends?: boolean },
  status = 200,
): Response {
  const props = playProps(app, id)
  const { typed } = props
  const empty = '#words:placeholder-shown'
  return htmlResponse(
    fragment('#story', 'outerHTML', <Story {...props} />) +
      fragment('#notice', 'innerHTML', notice === '' ? null : <p>{notice}</p>) +
      fragment('#suggestions', 'outerHTML', <Suggestions adventureId={id} {...props.suggested} />) +
      (props.running
        ? fragment('#status', 'outerHTML', <Status adventureId={id} running did="" />)
        : fragment('#phase', 'innerHTML', did)) +
      fragment('#play:has(#words:not(:placeholder-shown)) #phase', 'beforeend', quoted) +
      fragment('#tools', 'outerHTML', <Tools adventureId={id} newest={props.page.actions.at(-1) ?? null} />) +
      worldFragment(props.end.world) +
      fragment(
        `#composer:has(${empty}) .modes`,
        'outerHTML',
        <ActionTypes typed={typed} checks={props.look.checks} />,
      ) +
      fragment(empty, 'outerHTML', <ComposerField adventureId={id} typed={typed} />) +
      fragment(
        spends ? '#steer' : '#steer:has(#steering:placeholder-shown)',
        'outerHTML',
        <Steering steering={typed.steering} />,
      ),
    status,
  )
}

/** One passage for htmx, with all its tools or as an edit form. Throws not_found. */
export function passageResponse(app: App, id: number, actionId: number, form?: 'edit' | 'rewrite'): Response {
  const { page, end, look } = showingProps(app, id, actionId)
  const newest = end ? page.actions.at(-1) : undefined
  const [action] = page.actions.filter((one) => one.id === actionId)
  if (action === undefined) throw new StoryError('not_found', 'There is no such passage.')
  const shown =
    form === 'edit' ? (
      <ActionEditor action={action} />
    ) : form === 'rewrite' && action === newest && action.type === 'ai' ? (
      <RewriteForm action={action} chosen={NOTHING_CHOSEN} />
    ) : (
      <Action action={action} look={look} newest={action === newest} tools />
    )
  return htmlResponse(shown)
}

export function editedResponse(app: App, id: number, edited: ActionView): Response {
  const newest = newestView(app, id)
  const shown = actionView(getAction(app.reader, id, edited.id), newest?.id === edited.id)
  const passage = <Action action={shown} look={storyLook(app, id)} newest={newest?.id === edited.id} tools />
  return htmlResponse(passage.html + saidFragment(app, id, 'Saved.'))
}

/** Says what was done, unless a running turn uses the status line. */
function saidFragment(app: App, id: number, did: string): string {
  return app.locks.isTaken(id) ? '' : fragment('#phase', 'innerHTML', did)
}

/** The story after its questions were answered, for htmx: the opening and the world have the answers in them. */
export function answeredResponse(app: App, id: number): Response {
  const first = findFirst(app.reader, id)
  const newest = newestView(app, id)?.id
  const opening = first && actionView(getAction(app.reader, id, first.id), first.id === newest)
  const shown = opening && (
    <Action action={opening} look={storyLook(app, id)} newest={opening.id === newest} tools />
  )
  return htmlResponse(
    fragment('#asks', 'delete', null) +
      (opening ? fragment(`#action-${opening.id}:not(.editing)`, 'outerHTML', shown) : '') +
      fragment('#notice', 'innerHTML', null) +
      saidFragment(app, id, 'Saved.') +
      worldFragment(worldProps(app, id)),
  )
}

/**
 * Suggestions for htmx. Without script: the story with suggestions, or with the chosen one added to the text box.
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
      if (isFragment(request)) return htmlResponse(suggestionsMarkup(app, id))
      const both = [text, suggestion ?? ''].filter((part) => !isBlank(part)).join('\n')
      await app.saveDraft(id, { type: 'do', text: both })
      await app.saveSteering(id, steering)
      return seeOther(request, storyEndUrl(id))
    },
    (notice) => PlayPage({ ...playProps(app, id), notice, typed }),
  )
}

function suggestionsMarkup(app: App, id: number): Markup {
  const { suggestions } = suggestedFor(app, id)
  return <Suggestions adventureId={id} suggestions={suggestions} automatic={false} />
}

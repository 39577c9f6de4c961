import { saveDraft } from '../../app/adventures.ts'
import type { Deps } from '../../app/deps.ts'
import { playTurn, retryTurn, stopTurn } from '../../app/play-turn.ts'
import { editAction, switchVariant } from '../../app/turn/edit-action.ts'
import type { TurnEvents } from '../../app/turn-events.ts'
import { undoTurn } from '../../app/undo-turn.ts'
import { getAction } from '../../db/actions.ts'
import { type ActionView, actionView, type TurnType } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { lengthOf } from '../../lib/text.ts'
import { formRoutes } from '../../http/form.ts'
import { statusOf } from '../../http/problem.ts'
import { EVENTS, streamAnswer } from '../../http/stream.ts'
import { type Fields, fieldsOf, formAnswer, htmlAnswer, idFrom, isFragment, seeOther } from '../respond.tsx'
import { Action, placeOf } from './action.tsx'
import { Modes, Words } from './composer.tsx'
import { part } from '../ui/fragment.tsx'
import { PlayPage, Story, Tools } from './play.tsx'
import { editingProps, newestView, playProps, worldProps } from './play-props.ts'
import { turnPage } from './turn-page.tsx'
import { turnFragments, worldPart } from './turn-stream.tsx'

/** The forms with which a story is played: plain forms answer with pages, htmx gets fragments. */
export const turnForms = (deps: Deps) =>
  formRoutes('/adventures/:id')
    .post('/turns', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      const typed = { type: turnType(fields.type), text: fields.text ?? '' }
      const type = fields.go_on ? 'continue' : typed.type
      return answerTurn(deps, id, request, fields, typed, false, (hangUp) => {
        if (lengthOf(typed.text) > LIMITS.line)
          throw new StoryError(
            'invalid',
            `One turn may have ${LIMITS.line} characters. Shorten your words, or send them in two.`,
          )
        // What is kept with the turn is no draft any more; what is not stays one.
        saveDraft(deps, id, typed)
        return playTurn(deps, id, { type, text: typed.text }, hangUp)
      })
    })
    .post('/retry', ({ params, body, request }) => {
      const id = idFrom(params.id)
      return answerTurn(deps, id, request, fieldsOf(body), null, true, (hangUp) =>
        retryTurn(deps, id, hangUp),
      )
    })
    .post('/stop', ({ params, request }) =>
      atStory(deps, idFrom(params.id), request, async (id) => {
        stopTurn(deps, id)
        await deps.locks.freed(id)
        return isFragment(request) ? new Response(null, { status: 204 }) : seeOther(request, endOf(id))
      }),
    )
    .post('/undo', ({ params, body, request }) =>
      atStory(deps, idFrom(params.id), request, (id) => {
        const stale = staleAnswer(deps, id, request, fieldsOf(body))
        if (stale) return stale
        const { typed } = undoTurn(deps, id)
        return isFragment(request)
          ? storyAnswer(deps, id, { did: undoneWords(typed?.text ?? '') })
          : seeOther(request, endOf(id), 'undone')
      }),
    )
    .post('/variant', ({ params, body, request }) =>
      atStory(deps, idFrom(params.id), request, (id) => {
        const { action, index } = fieldsOf(body)
        const switched = switchVariant(deps, id, idFrom(action), idFrom(index))
        return isFragment(request)
          ? htmlAnswer(
              part(`#action-${switched.id}`, 'outerHTML', <Action action={switched} newest />) +
                worldPart(worldProps(deps, id)),
            )
          : seeOther(request, endOf(id), 'switched')
      }),
    )
    .post('/edit', ({ params, body, request }) => {
      const id = idFrom(params.id)
      const { action = '', text = '', variant_index } = fieldsOf(body)
      const editing = { id: idFrom(action), text }
      return formAnswer(
        request,
        () => {
          if (lengthOf(text) > LIMITS.line)
            throw new StoryError('invalid', `A passage may have ${LIMITS.line} characters.`)
          const seen = variant_index === undefined ? {} : { variant_index: idFrom(variant_index) }
          const edited = editAction(deps, id, editing.id, { text, ...seen })
          return isFragment(request)
            ? editedAnswer(deps, id, edited)
            : seeOther(request, placeOf(edited), 'saved')
        },
        (notice) => PlayPage({ ...editingProps(deps, id, editing), notice }),
      )
    })
    .post('/draft', ({ params, body, request }) =>
      atStory(deps, idFrom(params.id), request, (id) => {
        const { type, text = '' } = fieldsOf(body)
        saveDraft(deps, id, { type: turnType(type), text: [...text].slice(0, LIMITS.line).join('') })
        return new Response(null, { status: 204 })
      }),
    )

function answerTurn(
  deps: Deps,
  id: number,
  request: Request,
  fields: Fields,
  typed: { type: TurnType; text: string } | null,
  retries: boolean,
  open: (hangUp: AbortSignal) => TurnEvents,
): Promise<Response> {
  return formAnswer(
    request,
    () => {
      const stale = staleAnswer(deps, id, request, fields)
      if (stale) return stale
      const before = newestView(deps, id)
      const isRetold = retries && before?.type === 'ai'
      if (isFragment(request)) {
        const scene = {
          adventureId: id,
          before,
          retries: isRetold,
          newest: () => newestView(deps, id),
          world: () => worldProps(deps, id),
        }
        return streamAnswer(request, EVENTS, open, turnFragments(scene))
      }
      const page = turnPage(playProps(deps, id), isRetold ? before : null, () => playProps(deps, id))
      return streamAnswer(request, page.form, open, page.show)
    },
    (notice) => PlayPage({ ...playProps(deps, id), notice, ...(typed ? { typed } : {}) }),
  )
}

function atStory(
  deps: Deps,
  id: number,
  request: Request,
  deed: (id: number) => Response | Promise<Response>,
): Promise<Response> {
  return formAnswer(
    request,
    () => deed(id),
    (notice) => PlayPage({ ...playProps(deps, id), notice }),
  )
}

/** A form that was made for another end of the story writes nothing and shows the story as it is. */
function staleAnswer(deps: Deps, id: number, request: Request, fields: Fields): Response | null {
  const { newest } = fields
  if (newest === undefined || idFrom(newest) === (newestView(deps, id)?.id ?? 0)) return null
  const fault = new StoryError(
    'changed_elsewhere',
    'The story has changed since this page was shown. Here it is as it is now; nothing was sent.',
  )
  if (isFragment(request)) return storyAnswer(deps, id, { notice: fault.message }, statusOf(fault))
  throw fault
}

// Its field may hold other words meanwhile; those of the turn must not be lost by that.
function undoneWords(typed: string): string {
  return typed === '' ? 'The last turn is gone.' : `The last turn is gone. You had typed for it: “${typed}”`
}

/** The story as it is, for htmx: its passages, its tools, and words that came back into an empty field. */
function storyAnswer(
  deps: Deps,
  id: number,
  { notice = '', did = '' }: { notice?: string; did?: string },
  status = 200,
): Response {
  const props = playProps(deps, id)
  const { typed } = props
  const empty = '#words:placeholder-shown'
  return htmlAnswer(
    part('#story', 'outerHTML', <Story {...props} />) +
      part('#notice', 'innerHTML', notice === '' ? null : <p>{notice}</p>) +
      (did === '' ? '' : part('#phase', 'innerHTML', did)) +
      part('#tools', 'outerHTML', <Tools adventureId={id} newest={props.page.actions.at(-1) ?? null} />) +
      worldPart(props.world) +
      part(`#composer:has(${empty}) .modes`, 'outerHTML', <Modes typed={typed} />) +
      part(empty, 'outerHTML', <Words adventureId={id} typed={typed} />),
    status,
  )
}

function editedAnswer(deps: Deps, id: number, edited: ActionView): Response {
  const newest = newestView(deps, id)
  const shown = actionView(getAction(deps.library.reader, id, edited.id), newest?.id === edited.id)
  return htmlAnswer((<Action action={shown} newest={newest?.id === edited.id} />).html)
}

function turnType(type = ''): TurnType {
  return type === 'say' || type === 'story' ? type : 'do'
}

function endOf(id: number): string {
  return `/adventures/${id}#tools`
}

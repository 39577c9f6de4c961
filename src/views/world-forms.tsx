import { Elysia } from 'elysia'
import type { Deps } from '../app/deps.ts'
import { changeWorld } from '../app/world-state.ts'
import type { Verdict } from '../domain/world/referee.ts'
import { REFUSED } from '../domain/world/refusals.ts'
import { Action } from './action.tsx'
import { fieldsOf, formAnswer, htmlAnswer, idFrom, isFragment, pageAnswer, seeOther } from './answer.tsx'
import { PlayPage } from './play.tsx'
import { newestView, playProps, worldProps } from './play-props.ts'
import { part, worldPart } from './turn-stream.tsx'
import { touchedIn } from './world.tsx'

/** The form with which a player sets the numbers by hand. */
export const worldForms = (deps: Deps) =>
  new Elysia({ prefix: '/adventures/:id', detail: { hide: true } }).post(
    '/world',
    ({ params, body, request }) => {
      const id = idFrom(params.id)
      const fields = fieldsOf(body)
      const editing = (notice: string) => {
        const props = playProps(deps, id)
        return PlayPage({
          ...props,
          notice,
          world: props.world && { ...props.world, editing: true, typed: fields },
        })
      }
      return formAnswer(
        request,
        () => {
          const { report } = changeWorld(deps, id, touchedIn(fields))
          const refused = refusedWords(report.verdicts)
          if (refused === '')
            return isFragment(request)
              ? changedAnswer(deps, id)
              : seeOther(request, `/adventures/${id}#world`)
          return isFragment(request)
            ? htmlAnswer(changed(deps, id) + part('#notice', 'innerHTML', <p>{refused}</p>))
            : pageAnswer(editing(refused), 422)
        },
        editing,
      )
    },
  )

function changedAnswer(deps: Deps, id: number): Response {
  return htmlAnswer(changed(deps, id) + part('#notice', 'innerHTML', null))
}

function changed(deps: Deps, id: number): string {
  const newest = newestView(deps, id)
  const chips = newest ? part(`#action-${newest.id}`, 'outerHTML', <Action action={newest} newest />) : ''
  return chips + worldPart(worldProps(deps, id))
}

/** What was not set, for the player; '' when all was. */
function refusedWords(verdicts: readonly Verdict[]): string {
  const refused = verdicts.flatMap((one) =>
    one.verdict === 'refused' ? [`${one.path}: ${REFUSED[one.reason]}`] : [],
  )
  return refused.length === 0 ? '' : `Not set: ${refused.join('; ')}. Everything else was.`
}

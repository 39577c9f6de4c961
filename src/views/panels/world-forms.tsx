import type { Deps } from '../../app/deps.ts'
import { changeWorld } from '../../app/world-state.ts'
import type { Verdict } from '../../domain/world/referee.ts'
import { REFUSED } from '../../domain/world/prompt/refusal-note.ts'
import type { Rules } from '../../domain/world/rules.ts'
import { formRoutes } from '../../http/form.ts'
import { fieldsOf, formAnswer, htmlAnswer, idFrom, isFragment, pageAnswer, seeOther } from '../respond.tsx'
import { Action } from '../play/action.tsx'
import { part } from '../ui/fragment.tsx'
import { PlayPage } from '../play/play.tsx'
import { newestView, playProps, worldProps } from '../play/play-props.ts'
import { worldPart } from '../play/turn-stream.tsx'
import { touchedIn } from './world-state.tsx'

/** The form with which a player sets the numbers by hand. */
export const worldForms = (deps: Deps) =>
  formRoutes('/adventures/:id').post('/world', ({ params, body, request }) => {
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
        const { refused, told } = outcomeWords(report.verdicts, worldProps(deps, id)?.rules)
        if (refused === '' && told === '')
          return isFragment(request)
            ? changedAnswer(deps, id)
            : seeOther(request, `/adventures/${id}#tools`, 'set')
        if (!isFragment(request)) return pageAnswer(editing(refused || told), refused === '' ? 200 : 422)
        // What was refused stays in its field, to be mended there.
        const form = refused === '' ? changed(deps, id) : chips(deps, id)
        return htmlAnswer(form + part('#notice', 'innerHTML', <p>{[refused, told].join(' ').trim()}</p>))
      },
      editing,
    )
  })

function changedAnswer(deps: Deps, id: number): Response {
  return htmlAnswer(changed(deps, id) + part('#notice', 'innerHTML', null))
}

function changed(deps: Deps, id: number): string {
  return chips(deps, id) + worldPart(worldProps(deps, id))
}

function chips(deps: Deps, id: number): string {
  const newest = newestView(deps, id)
  return newest ? part(`#action-${newest.id}`, 'outerHTML', <Action action={newest} newest />) : ''
}

/** What was not set, and what was set otherwise than asked, for the player; '' when all went as asked. */
function outcomeWords(
  verdicts: readonly Verdict[],
  rules: Rules | undefined,
): { refused: string; told: string } {
  const named = [...(rules?.stats ?? []), ...(rules?.flags ?? []), ...(rules?.milestones ?? [])]
  const nameOf = (path: string) => named.find((one) => one.path === path)?.label ?? path
  const refused = verdicts.flatMap((one) =>
    one.verdict === 'refused' ? [`${nameOf(one.path)}: ${REFUSED[one.reason]}`] : [],
  )
  const told = verdicts.flatMap((one) =>
    one.verdict === 'manual' && one.reason
      ? [`${nameOf(one.path)} is ${String(one.new)} now: ${one.reason}.`]
      : [],
  )
  return {
    refused: refused.length === 0 ? '' : `Not set: ${refused.join('; ')}. Everything else was.`,
    told: told.join(' '),
  }
}

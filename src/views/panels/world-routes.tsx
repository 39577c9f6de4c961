import type { App } from '../../app/app.ts'
import { reasonWords } from '../../domain/world/change-words.ts'
import type { Verdict } from '../../domain/world/referee.ts'
import { REFUSAL_WORDS } from '../../domain/world/refusal-words.ts'
import type { Rules } from '../../domain/world/rules.ts'
import { formRoutes } from '../form-routes.ts'
import { Action } from '../play/passage/action.tsx'
import { PlayPage } from '../play/play.tsx'
import { newestView, playProps, storyLook, worldProps } from '../play/play-props.ts'
import { worldFragment } from '../play/turn-stream.tsx'
import { formResponse, htmlResponse, isFragment, pageResponse, seeOther } from '../respond.tsx'
import { fragment } from '../ui/fragment.tsx'
import { changedValues } from '../ui/state-fields.tsx'
import { storyEndUrl } from '../urls.ts'

/** The form with which a player edits the world state. */
export const worldRoutes = (app: App) =>
  formRoutes('/adventures/:id').post('/world', ({ id, fields, request }) => {
    const editing = (notice: string) => {
      const props = playProps(app, id)
      const { end } = props
      return PlayPage({
        ...props,
        notice,
        end: { ...end, world: end.world && { ...end.world, editing: true, typed: fields } },
      })
    }
    return formResponse(
      request,
      () => {
        const { report } = app.changeWorldState(id, changedValues(fields))
        const { refused, adjusted } = outcomeWords(report.verdicts, worldProps(app, id)?.rules)
        if (refused === '' && adjusted === '')
          return isFragment(request) ? changedResponse(app, id) : seeOther(request, storyEndUrl(id), 'set')
        if (!isFragment(request))
          return pageResponse(editing(refused || adjusted), refused === '' ? 200 : 422)
        // Refused values stay in their fields, to be corrected there.
        const form = refused === '' ? changed(app, id) : chips(app, id)
        return htmlResponse(
          form + fragment('#notice', 'innerHTML', <p>{[refused, adjusted].join(' ').trim()}</p>),
        )
      },
      editing,
    )
  })

function changedResponse(app: App, id: number): Response {
  return htmlResponse(changed(app, id) + fragment('#notice', 'innerHTML', null))
}

function changed(app: App, id: number): string {
  return chips(app, id) + worldFragment(worldProps(app, id))
}

function chips(app: App, id: number): string {
  const newest = newestView(app, id)
  return newest
    ? fragment(
        `#action-${newest.id}`,
        'outerHTML',
        <Action action={newest} look={storyLook(app, id)} newest />,
      )
    : ''
}

/** Which values were refused and which were adjusted, for the player; '' for none. */
function outcomeWords(
  verdicts: readonly Verdict[],
  rules: Rules | undefined,
): { refused: string; adjusted: string } {
  const named = [...(rules?.stats ?? []), ...(rules?.flags ?? []), ...(rules?.milestones ?? [])]
  const nameOf = (path: string) => named.find((one) => one.path === path)?.label ?? path
  const refused = verdicts.flatMap((one) =>
    one.verdict === 'refused' ? [`${nameOf(one.path)}: ${REFUSAL_WORDS[one.reason]}`] : [],
  )
  const adjusted = verdicts.flatMap((one) =>
    one.verdict === 'manual' && one.reason
      ? [`${nameOf(one.path)} is ${String(one.new)} now: ${reasonWords(one.reason)}.`]
      : [],
  )
  return {
    refused: refused.length === 0 ? '' : `Not saved: ${refused.join('; ')}. Everything else was saved.`,
    adjusted: adjusted.join(' '),
  }
}

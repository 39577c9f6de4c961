import type { App } from '../../app/app.ts'
import { StoryError } from '../../domain/errors.ts'
import { reasonWords } from '../../domain/world/change-words.ts'
import type { Verdict } from '../../domain/world/referee.ts'
import { REFUSAL_WORDS } from '../../domain/world/refusal-words.ts'
import type { Rules } from '../../domain/world/rules.ts'
import { capitalized } from '../../lib/text.ts'
import { formRoutes } from '../form-routes.ts'
import { PlayPage } from '../play/play.tsx'
import { playProps, worldProps } from '../play/play-props.ts'
import { formResponse, htmlResponse, isFragment, pageResponse, seeOther } from '../respond.tsx'
import { fragment } from '../ui/fragment.tsx'
import { changedValues } from '../ui/state-fields.tsx'
import { storyEndUrl } from '../urls.ts'
import { WorldStateContent } from './world-state.tsx'

export const worldRoutes = (app: App) =>
  formRoutes('/adventures/:id').post('/world', ({ id, fields, request }) => {
    const editing = (notice: string) => {
      const props = playProps(app, id)
      const { end } = props
      const world = end.world && { ...end.world, editing: true, typed: fields, notice }
      return PlayPage({ ...props, notice: world ? undefined : notice, end: { ...end, world } })
    }
    return formResponse(
      request,
      () => {
        const { report } = app.changeWorldState(id, changedValues(fields))
        const { refused, adjusted } = outcomeWords(report.verdicts, worldProps(app, id)?.rules)
        const notice = [refused, adjusted].join(' ').trim()
        // Refused values stay in their fields, to be corrected there.
        if (refused !== '') throw new StoryError('invalid', notice)
        if (!isFragment(request))
          return notice === '' ? seeOther(request, storyEndUrl(id), 'set') : pageResponse(editing(notice))
        const world = worldProps(app, id)
        return htmlResponse(
          fragment('#notice', 'innerHTML', null) +
            fragment('#world-said', 'innerHTML', notice) +
            fragment('#world-state', 'outerHTML', world && <WorldStateContent {...world} />),
        )
      },
      editing,
    )
  })

/** Names the values that were refused and those that were adjusted; '' for none. */
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
      ? [`${capitalized(nameOf(one.path))} is now ${String(one.new)}: ${reasonWords(one.reason)}.`]
      : [],
  )
  return {
    refused: refused.length === 0 ? '' : `Not saved: ${refused.join('; ')}. Everything else was saved.`,
    adjusted: adjusted.join(' '),
  }
}

import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { App } from '../../app/app.ts'
import { cardFields } from '../../domain/story-card.ts'
import { validated } from '../../domain/validation.ts'
import { formRoutes } from '../../http/form.ts'
import type { Flash } from '../flash.tsx'
import { PlayPage } from '../play/play.tsx'
import { memoryProps } from '../play/play-props.ts'
import { fieldsOf, formResponse, idFrom, seePanel } from '../respond.tsx'
import { panelUrl } from '../urls.ts'

/** The forms of the memory panel. */
export const memoryRoutes = (app: App) => new Elysia().use(proposalRoutes(app)).use(bankRoutes(app))

const proposalRoutes = (app: App) =>
  formRoutes('/adventures/:id/card-proposals').post('/:proposal', ({ params, body, request }) =>
    atPanel(app, idFrom(params.id), request, (id) => {
      const proposal = idFrom(params.proposal)
      const fields = fieldsOf(body)
      if (fields.do === 'decline') {
        app.declineProposal(id, proposal)
        return 'declined'
      }
      app.acceptProposal(id, proposal, validated(edited(), fields))
      return 'accepted'
    }),
  )

const edited = () => Type.Partial(Type.Pick(cardFields(), ['name', 'keys', 'entry']))

const bankRoutes = (app: App) =>
  formRoutes('/adventures/:id/memories')
    .post('', ({ params, body, request }) =>
      atPanel(app, idFrom(params.id), request, (id) => {
        app.createMemory(id, fieldsOf(body).text ?? '')
        return 'added'
      }),
    )
    .post('/again', ({ params, request }) =>
      atPanel(app, idFrom(params.id), request, (id) => {
        app.rememberNow(id)
        return undefined
      }),
    )
    .post('/:memory', ({ params, body, request }) =>
      atPanel(app, idFrom(params.id), request, (id) => {
        const memory = idFrom(params.memory)
        const { text, no_longer, do: change } = fieldsOf(body)
        if (change === 'delete') {
          app.removeMemory(id, memory)
          return 'deleted'
        }
        app.changeMemory(id, memory, { text, no_longer, ...CHANGES[change ?? ''] })
        return 'saved'
      }),
    )

const CHANGES: Record<string, { pinned?: boolean; forgotten?: boolean }> = {
  pin: { pinned: true },
  unpin: { pinned: false },
  forget: { forgotten: true },
  restore: { forgotten: false },
}

function atPanel(
  app: App,
  id: number,
  request: Request,
  handle: (id: number) => Flash | undefined,
): Promise<Response> {
  return formResponse(
    request,
    () => {
      const did = handle(id)
      return seePanel(panelUrl(id, 'memory'), did)
    },
    (notice) => PlayPage({ ...memoryProps(app, id), notice }),
  )
}

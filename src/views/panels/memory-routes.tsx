import type { App } from '../../app/app.ts'
import { formRoutes } from '../../http/form.ts'
import type { Flash } from '../flash.tsx'
import { PlayPage } from '../play/play.tsx'
import { memoryProps } from '../play/play-props.ts'
import { fieldsOf, formResponse, idFrom, seePanel } from '../respond.tsx'
import { panelUrl } from '../urls.ts'

/** The forms of the memory panel. */
export const memoryRoutes = (app: App) =>
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

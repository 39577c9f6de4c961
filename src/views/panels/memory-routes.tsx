import type { Deps } from '../../app/deps.ts'
import { changeMemory, createMemory, rememberNow, removeMemory } from '../../app/memory/memories.ts'
import { formRoutes } from '../../http/form.ts'
import { fieldsOf, formAnswer, idFrom, seeOther } from '../respond.tsx'
import type { Did } from '../did.tsx'
import { PlayPage } from '../play/play.tsx'
import { memoryProps } from '../play/play-props.ts'

/** The forms with which a player looks after what is remembered. */
export const memoryForms = (deps: Deps) =>
  formRoutes('/adventures/:id/memories')
    .post('', ({ params, body, request }) =>
      atPanel(deps, idFrom(params.id), request, (id) => {
        createMemory(deps, id, fieldsOf(body).text ?? '')
        return 'added'
      }),
    )
    .post('/again', ({ params, request }) =>
      atPanel(deps, idFrom(params.id), request, (id) => {
        rememberNow(deps, id)
        return undefined
      }),
    )
    .post('/:memory', ({ params, body, request }) =>
      atPanel(deps, idFrom(params.id), request, (id) => {
        const memory = idFrom(params.memory)
        const { text, do: deed } = fieldsOf(body)
        if (deed === 'delete') {
          removeMemory(deps, id, memory)
          return 'deleted'
        }
        changeMemory(deps, id, memory, { text, ...CHANGES[deed ?? ''] })
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
  deps: Deps,
  id: number,
  request: Request,
  deed: (id: number) => Did | undefined,
): Promise<Response> {
  return formAnswer(
    request,
    () => {
      const did = deed(id)
      return seeOther(request, `/adventures/${id}?panel=memory#panel`, did)
    },
    (notice) => PlayPage({ ...memoryProps(deps, id), notice }),
  )
}

import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { cardFields } from '../../domain/story-card.ts'
import { validated } from '../../domain/validation.ts'
import type { Flash } from '../flash.tsx'
import { formRoutes } from '../form-routes.ts'
import { PlayPage } from '../play/play.tsx'
import { memoryPanel, playProps } from '../play/play-props.ts'
import { formResponse, idFrom, seePanel } from '../respond.tsx'
import { panelUrl } from '../urls.ts'
import { MEMORY_SWITCHES } from './memory.tsx'

export const memoryRoutes = (app: App) =>
  formRoutes('/adventures/:id')
    .post('/card-proposals/:proposal', ({ id, fields, params, request }) =>
      atPanel(app, id, request, () => {
        const proposal = idFrom(params.proposal)
        if (fields.do === 'decline') {
          app.declineProposal(id, proposal)
          return 'declined'
        }
        app.acceptProposal(id, proposal, validated(edited(), fields))
        return 'accepted'
      }),
    )
    .post('/memories', ({ id, fields, request }) =>
      atPanel(app, id, request, () => {
        app.createMemory(id, fields.text ?? '')
        return 'added'
      }),
    )
    .post('/memories/switches', ({ id, fields, request }) =>
      atPanel(app, id, request, () => {
        // An unchecked box is not sent.
        const switches = MEMORY_SWITCHES.map(([name]) => [name, fields[name] === '1'])
        app.updateAdventureFields(id, Object.fromEntries(switches))
        return 'saved'
      }),
    )
    .post('/memories/again', ({ id, request }) =>
      atPanel(app, id, request, () => {
        app.rememberNow(id)
        return undefined
      }),
    )
    .post('/memories/:memory', ({ id, fields, params, request }) =>
      atPanel(app, id, request, () => {
        const memory = idFrom(params.memory)
        const { text, no_longer, do: change } = fields
        if (change === 'delete') {
          app.removeMemory(id, memory)
          return 'deleted'
        }
        app.changeMemory(id, memory, { text, no_longer, ...CHANGES[change ?? ''] })
        return 'saved'
      }),
    )

const edited = () => Type.Partial(Type.Pick(cardFields(), ['name', 'keys', 'entry']))

const CHANGES: Record<string, { pinned?: boolean; forgotten?: boolean }> = {
  pin: { pinned: true },
  unpin: { pinned: false },
  forget: { forgotten: true },
  restore: { forgotten: false },
}

function atPanel(app: App, id: number, request: Request, handle: () => Flash | undefined): Promise<Response> {
  return formResponse(
    request,
    () => seePanel(panelUrl(id, 'memory'), handle()),
    (notice) => {
      const panel = { name: 'memory' as const, content: memoryPanel(app, id) }
      return PlayPage({ ...playProps(app, id), panel, notice })
    },
  )
}

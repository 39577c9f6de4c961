import { Type } from '@sinclair/typebox'
import { newAdventure } from '../../app/adventure/adventures.ts'
import type { App } from '../../app/app.ts'
import { listAdventures } from '../../db/tables/adventure-list.ts'
import { AdventureListItem, AdventureView, adventureFields, SHELVES } from '../../domain/adventure.ts'
import { fieldsUnchanged } from '../../domain/edit-conflict.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { oneOf } from '../../lib/typebox.ts'
import { idParams, wasFields } from '../request-params.ts'
import { created, ERRORS, noContent, ok } from '../responses.ts'

const changes = () =>
  Type.Composite([Type.Partial(adventureFields()), wasFields(AdventureView)], {
    examples: [{ authors_note: 'Slow, and full of weather.' }],
  })

export const adventuresApi = (app: App) => {
  const { reader } = app
  return jsonRoutes('/api/adventures', 'Adventures')
    .get('', () => listAdventures(reader), {
      response: ok(Type.Array(AdventureListItem)),
      detail: { summary: 'List adventures, last played first' },
    })
    .post('', ({ body }) => app.adventureView(app.createAdventure(body)), {
      ...jsonBody(newAdventure()),
      ...created(AdventureView, 'not_found', 'changed_elsewhere', ...ERRORS.body, ...ERRORS.save),
      detail: { summary: 'Start an adventure' },
    })
    .get('/:id', ({ params }) => app.adventureView(params.id), {
      params: idParams(),
      response: ok(AdventureView, ...ERRORS.find),
      detail: { summary: 'Get an adventure with its newest actions' },
    })
    .put('/:id/shelf', ({ params, body }) => app.shelveAdventures([params.id], body.shelf), {
      params: idParams(),
      ...jsonBody(Type.Object({ shelf: oneOf(SHELVES) }, { examples: [{ shelf: 'pinned' }] })),
      ...noContent('Pin an adventure, archive it, or return it to the list', ...ERRORS.edit),
    })
    .patch(
      '/:id',
      ({ params, body: { was, ...changed } }) => {
        app.updateAdventureFields(params.id, changed, fieldsUnchanged(was))
        return app.adventureView(params.id)
      },
      {
        params: idParams(),
        ...jsonBody(changes()),
        response: ok(AdventureView, 'changed_elsewhere', ...ERRORS.edit),
        detail: { summary: 'Change some fields of an adventure' },
      },
    )
    .delete('/:id', ({ params }) => app.removeAdventures([params.id]).removed, {
      params: idParams(),
      ...noContent(
        'Delete an adventure and everything that belongs to it',
        'turn_in_progress',
        ...ERRORS.change,
      ),
    })
}

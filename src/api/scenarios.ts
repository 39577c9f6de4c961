import { Type } from '@sinclair/typebox'
import type { App } from '../app/app.ts'
import { storedPicture } from '../app/scenario/covers.ts'
import { scenarioView } from '../app/scenario/scenarios.ts'
import { findPicture, getScenario, listScenarios, pictureHash } from '../db/tables/scenarios.ts'
import { fieldsUnchanged } from '../domain/edit-conflict.ts'
import { StoryError } from '../domain/errors.ts'
import { ScenarioListItem, ScenarioView, scenarioFields } from '../domain/scenario.ts'
import { jsonBody, jsonRoutes } from '../http/body.ts'
import { SANDBOX } from '../http/headers.ts'
import { idParams, wasFields } from './request-params.ts'
import { BINARY, content, created, ERRORS, noContent, ok } from './responses.ts'

const example = {
  title: 'The Lamp Road',
  prompt: 'Dusk falls, and the first lamp is out.',
  tags: 'quiet, mystery',
  stat_schema: {
    player: { courage: { initial: 5, min: 0, max: 10, max_delta_per_turn: 2 } },
    flags: { lamp_lit: { initial: false } },
  },
}

const newScenario = () => Type.Partial(scenarioFields(), { examples: [example] })

const changes = () =>
  Type.Composite([Type.Partial(scenarioFields()), wasFields(ScenarioView)], {
    examples: [{ prompt: 'Dusk falls, and the last lamp is out.' }],
  })

export const scenariosApi = (app: App) => {
  const { reader } = app
  return jsonRoutes('/api/scenarios', 'Scenarios')
    .get('', () => listScenarios(reader), {
      response: ok(Type.Array(ScenarioListItem)),
      detail: { summary: 'List scenarios, last edited first' },
    })
    .post('', async ({ body }) => scenarioView(reader, await app.createScenario(body)), {
      ...jsonBody(newScenario()),
      ...created(ScenarioView, 'image_refused', ...ERRORS.body, ...ERRORS.save),
      detail: { summary: 'Create a scenario' },
    })
    .get('/:id', ({ params }) => scenarioView(reader, getScenario(reader, params.id)), {
      params: idParams(),
      response: ok(ScenarioView, ...ERRORS.find),
      detail: { summary: 'Get a scenario with its cards and questions' },
    })
    .patch(
      '/:id',
      async ({ params, body: { was, ...changed } }) =>
        scenarioView(reader, await app.changeScenario(params.id, changed, fieldsUnchanged(was))),
      {
        params: idParams(),
        ...jsonBody(changes()),
        response: ok(ScenarioView, 'image_refused', 'changed_elsewhere', ...ERRORS.edit),
        detail: { summary: 'Change some fields of a scenario' },
      },
    )
    .post(
      '/:id/duplicate',
      ({ params }) => scenarioView(reader, getScenario(reader, app.duplicateScenario(params.id))),
      {
        params: idParams(),
        ...created(ScenarioView, ...ERRORS.change),
        detail: { summary: 'Duplicate a scenario with its cards and picture' },
      },
    )
    .delete('/:id', ({ params }) => app.removeScenario(params.id), {
      params: idParams(),
      ...noContent('Delete a scenario; its stories continue without it', ...ERRORS.change),
    })
    .get('/:id/image', ({ params, request }) => picture(app, params.id, request), {
      params: idParams(),
      detail: {
        summary: 'Get the cover of a scenario',
        responses: content('The picture', { 'image/webp': BINARY, 'image/*': BINARY }, ...ERRORS.find),
      },
    })
    .head('/:id/image', ({ params, request }) => picture(app, params.id, request), {
      params: idParams(),
      detail: { hide: true },
    })
}

function picture({ reader }: App, id: number, request: Request): Response {
  const found = findPicture(reader, id)
  const stored = found && storedPicture(found.image)
  if (!found || !stored) throw new StoryError('not_found', 'This scenario has no picture.')
  const hash = pictureHash(found.image)
  const etag = `"${hash}"`
  const isVersioned = new URL(request.url).searchParams.get('v') === hash
  const headers = {
    'Content-Type': stored.type,
    'Cache-Control': isVersioned ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    ETag: etag,
    'Content-Security-Policy': SANDBOX,
  }
  const known = request.headers.get('if-none-match')
  if (known === '*' || known?.includes(etag)) return new Response(null, { status: 304, headers })
  return new Response(stored.bytes, { headers })
}

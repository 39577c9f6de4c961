import { Type } from '@sinclair/typebox'
import type { Deps } from '../app/deps.ts'
import { duplicateScenario } from '../app/scenario/duplicate-scenario.ts'
import { storedPicture } from '../app/scenario/covers.ts'
import { changeScenario, createScenario, removeScenario } from '../app/scenarios.ts'
import { findPicture, getScenario, listScenarios, pictureHash } from '../db/tables/scenarios.ts'
import { seenFrom } from '../domain/changed-elsewhere.ts'
import { StoryError } from '../domain/errors.ts'
import { type Scenario, scenarioFields } from '../domain/scenario.ts'
import { jsonRoutes, sent } from '../http/body.ts'
import { SANDBOX } from '../http/headers.ts'
import { idParams, scenarioListItem, scenarioOut, wasFields } from './shapes.ts'
import { scenarioShown } from './shown.ts'

const example = {
  title: 'The Lamp Road',
  prompt: 'Dusk falls, and the first lamp is out.',
  tags: 'quiet, mystery',
}
const body = () => Type.Partial(scenarioFields(), { examples: [example] })
const change = () =>
  Type.Composite([Type.Partial(scenarioFields()), wasFields()], {
    examples: [{ prompt: 'Dusk falls, and the last lamp is out.' }],
  })

/** Scenarios: what stories begin from. */
export const scenariosApi = (deps: Deps) => {
  const { reader } = deps.library
  const shown = (scenario: Scenario) => scenarioShown(reader, scenario)
  return jsonRoutes('/api/scenarios', 'Scenarios')
    .get('', () => listScenarios(reader), {
      response: Type.Array(scenarioListItem()),
      detail: { summary: 'List scenarios, the one edited last first' },
    })
    .post(
      '',
      async ({ body, set }) => {
        set.status = 201
        return shown(await createScenario(deps, body))
      },
      { ...sent(body()), response: { 201: scenarioOut() }, detail: { summary: 'Make a scenario' } },
    )
    .get('/:id', ({ params }) => shown(getScenario(reader, params.id)), {
      params: idParams(),
      response: scenarioOut(),
      detail: { summary: 'Read a scenario with its cards and questions' },
    })
    .patch(
      '/:id',
      async ({ params, body: { was, ...changed } }) =>
        shown(await changeScenario(deps, params.id, changed, seenFrom(was))),
      {
        params: idParams(),
        ...sent(change()),
        response: scenarioOut(),
        detail: { summary: 'Change the given fields of a scenario' },
      },
    )
    .post(
      '/:id/duplicate',
      ({ params, set }) => {
        set.status = 201
        return shown(getScenario(reader, duplicateScenario(deps, params.id)))
      },
      {
        params: idParams(),
        response: { 201: scenarioOut() },
        detail: { summary: 'Copy a scenario with its cards and picture' },
      },
    )
    .delete(
      '/:id',
      ({ params, set }) => {
        removeScenario(deps, params.id)
        set.status = 204
      },
      { params: idParams(), detail: { summary: 'Delete a scenario; its stories go on' } },
    )
    .get('/:id/image', ({ params, request }) => picture(deps, params.id, request), {
      params: idParams(),
      detail: { summary: 'The cover of a scenario' },
    })
    .head('/:id/image', ({ params, request }) => picture(deps, params.id, request), {
      params: idParams(),
      detail: { hide: true },
    })
}

function picture(deps: Deps, id: number, request: Request): Response {
  const kept = findPicture(deps.library.reader, id)
  const stored = kept && storedPicture(kept.image)
  if (!kept || !stored) throw new StoryError('not_found', 'This scenario has no picture.')
  const hash = pictureHash(kept.image)
  const etag = `"${hash}"`
  const isNamed = new URL(request.url).searchParams.get('v') === hash
  const headers = {
    'Content-Type': stored.type,
    'Cache-Control': isNamed ? 'private, max-age=31536000, immutable' : 'private, no-cache',
    ETag: etag,
    'Content-Security-Policy': SANDBOX,
  }
  const known = request.headers.get('if-none-match')
  if (known === '*' || known?.includes(etag)) return new Response(null, { status: 304, headers })
  return new Response(stored.bytes, { headers })
}

import { Type } from '@sinclair/typebox'
import { branchesOf, newBranch } from '../../app/adventure/branches.ts'
import type { App } from '../../app/app.ts'
import { AdventureView } from '../../domain/adventure.ts'
import { branchFields, StoryBranch } from '../../domain/family/branch.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { idParams } from '../request-params.ts'
import { created, ERRORS, ok } from '../responses.ts'

export const branchesApi = (app: App) => {
  const { reader } = app
  return jsonRoutes('/api/adventures/:id/family', 'Branches')
    .get('', ({ params }) => branchesOf(reader, params.id), {
      params: idParams(),
      response: ok(Type.Array(StoryBranch), ...ERRORS.find),
      detail: { summary: 'List the branches of a story, the oldest first' },
    })
    .post('', async ({ params, body }) => app.adventureView(await app.branchAdventure(params.id, body)), {
      params: idParams(),
      ...jsonBody(newBranch()),
      ...created(AdventureView, 'no_such_variant', 'turn_in_progress', ...ERRORS.edit),
      detail: {
        summary: 'Branch a story from an action',
        description:
          'Makes a new adventure with the same beginning. World state, memories, summary and bookmarks are as they were there.',
      },
    })
    .patch('', ({ params, body }) => app.changeBranch(params.id, body), {
      params: idParams(),
      ...jsonBody(branchFields()),
      response: ok(Type.Array(StoryBranch), ...ERRORS.edit),
      detail: { summary: 'Name or color this branch, or make it the main one' },
    })
}

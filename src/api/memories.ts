import { Type } from '@sinclair/typebox'
import type { Deps } from '../app/deps.ts'
import { changeMemory, createMemory, memoriesOf, removeMemory } from '../app/memory/memories.ts'
import { LIMITS } from '../domain/limits.ts'
import { Text } from '../lib/text.ts'
import { jsonRoutes, sent } from '../http/body.ts'
import { idParams, memoryOut, memoryParams } from './shapes.ts'

/** What a story is remembered by. */
export const memoriesApi = (deps: Deps) =>
  jsonRoutes('/api/adventures/:id/memories', 'Memories')
    .get('', ({ params }) => memoriesOf(deps.library.reader, params.id), {
      params: idParams(),
      response: Type.Array(memoryOut()),
      detail: { summary: 'The memories of a story, the oldest first' },
    })
    .post(
      '',
      ({ params, body, set }) => {
        set.status = 201
        return createMemory(deps, params.id, body.text)
      },
      {
        params: idParams(),
        ...sent(
          Type.Object({ text: Text(LIMITS.memory) }, { examples: [{ text: 'Brisa stole the first key.' }] }),
        ),
        response: { 201: memoryOut() },
        detail: { summary: 'Keep a memory of your own' },
      },
    )
    .patch('/:memory', ({ params, body }) => changeMemory(deps, params.id, params.memory, body), {
      params: memoryParams(),
      ...sent(
        Type.Partial(
          Type.Object({ text: Text(LIMITS.memory), pinned: Type.Boolean(), forgotten: Type.Boolean() }),
          { examples: [{ pinned: true }] },
        ),
      ),
      response: memoryOut(),
      detail: { summary: 'Rewrite, pin, forget or restore a memory' },
    })
    .delete(
      '/:memory',
      ({ params, set }) => {
        removeMemory(deps, params.id, params.memory)
        set.status = 204
      },
      { params: memoryParams(), detail: { summary: 'Delete a memory' } },
    )

import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { memoriesOf } from '../../app/memory/memories.ts'
import { LIMITS } from '../../domain/limits.ts'
import { Memory } from '../../domain/memory.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { Text } from '../../lib/text.ts'
import { idParams, memoryParams } from '../request-params.ts'
import { created, ERRORS, noContent, ok } from '../responses.ts'

const newMemory = () =>
  Type.Object({ text: Text(LIMITS.memory) }, { examples: [{ text: 'Brisa stole the first key.' }] })

const changes = () =>
  Type.Partial(
    Type.Object({
      text: Text(LIMITS.memory),
      no_longer: Text(LIMITS.memory),
      pinned: Type.Boolean(),
      forgotten: Type.Boolean(),
    }),
    {
      examples: [{ pinned: true }],
    },
  )

export const memoriesApi = (app: App) =>
  jsonRoutes('/api/adventures/:id/memories', 'Memories')
    .get('', ({ params }) => memoriesOf(app.reader, params.id), {
      params: idParams(),
      response: ok(Type.Array(Memory), ...ERRORS.find),
      detail: { summary: 'List the memories of a story, oldest first' },
    })
    .post('', ({ params, body }) => app.createMemory(params.id, body.text), {
      params: idParams(),
      ...jsonBody(newMemory()),
      ...created(Memory, ...ERRORS.edit),
      detail: { summary: 'Add a memory of your own' },
    })
    .patch('/:memory', ({ params, body }) => app.changeMemory(params.id, params.memory, body), {
      params: memoryParams(),
      ...jsonBody(changes()),
      response: ok(Memory, ...ERRORS.edit),
      detail: { summary: 'Edit, pin, forget or restore a memory' },
    })
    .delete('/:memory', ({ params }) => app.removeMemory(params.id, params.memory), {
      params: memoryParams(),
      ...noContent('Delete a memory', ...ERRORS.change),
    })

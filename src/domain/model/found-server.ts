import { type Static, Type } from '@sinclair/typebox'
import { nullable } from '../../lib/typebox.ts'
import type { ServerKind } from './server-kind.ts'

/** `context_length` in tokens: as loaded, if the server says so, else its maximum. */
export const ModelInfo = Type.Object({ id: Type.String(), context_length: nullable(Type.Integer()) })
export type ModelInfo = Static<typeof ModelInfo>

export const FoundServer = Type.Object({
  url: Type.String({ description: 'The address to save; empty if the server is not ready yet' }),
  server: Type.Unsafe<ServerKind>(Type.String()),
  name: Type.String(),
  evidence: Type.Array(Type.String()),
  models: Type.Array(Type.String()),
  windows: Type.Record(Type.String(), Type.Integer(), {
    description: 'The tokens of context of its models, where the server tells them',
  }),
  advice: Type.String({ description: 'What to do first; empty if it is ready to use' }),
})
export type FoundServer = Static<typeof FoundServer>

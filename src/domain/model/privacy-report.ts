import { type Static, Type } from '@sinclair/typebox'
import { DateTime, nullable } from '../../lib/typebox.ts'

const LoggedRequest = Type.Object({
  host: Type.String({ description: 'As in the saved endpoint, with its port' }),
  address: Type.String({ description: 'The IP address that was connected to' }),
  path: Type.String(),
  times: Type.Integer(),
  last: DateTime,
})
export type LoggedRequest = Static<typeof LoggedRequest>

const lookUp = (description: string) =>
  nullable(
    Type.Object(
      {
        at: DateTime,
        addresses: Type.Array(Type.Object({ address: Type.String(), class: Type.String() })),
      },
      { description },
    ),
  )

export const PrivacyReport = Type.Object({
  checked: lookUp('The last lookup of the model server’s name; null if there was none'),
  embedding_server: Type.String({
    description: 'The address of an embedding server of its own; empty if there is none',
  }),
  embedding_checked: lookUp('The last lookup of the embedding server’s name; null if there was none'),
  sent: Type.Array(Type.Object({ ...LoggedRequest.properties, class: Type.String() }), {
    description: 'Every request since the start, newest first',
  }),
})
export type PrivacyReport = Static<typeof PrivacyReport>

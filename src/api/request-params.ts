import { type TObject, Type } from '@sinclair/typebox'
import { t } from 'elysia'

// Shapes of requests. Each is a function, because the framework changes the objects that it is given.

const pathId = () =>
  t
    .Transform(Type.String({ pattern: '^[0-9]{1,15}$' }))
    .Decode(Number)
    .Encode(String)

export const idParams = () => Type.Object({ id: pathId() })
export const memoryParams = () => Type.Object({ id: pathId(), memory: pathId() })
export const proposalParams = () => Type.Object({ id: pathId(), proposal: pathId() })
export const actionParams = () => Type.Object({ id: pathId(), action: pathId() })

export const ownerQuery = () =>
  Type.Object({
    scenario_id: Type.Optional(t.Integer()),
    adventure_id: Type.Optional(t.Integer()),
  })

export const owner = () =>
  Type.Object({
    scenario_id: Type.Optional(Type.Integer()),
    adventure_id: Type.Optional(Type.Integer()),
  })

/** Optimistic locking: a change is refused, with both texts, if a field in `was` has changed since. */
export const wasFields = ({ properties }: Pick<TObject, 'properties'>) =>
  Type.Object({
    was: Type.Optional(
      Type.Partial(
        Type.Object(Object.fromEntries(Object.keys(properties).map((name) => [name, Type.Unknown()]))),
        { description: 'The fields as you read them' },
      ),
    ),
  })

/** Page size. Out-of-range numbers count as the nearest allowed one, as in the earlier release. */
export const pageLimit = (usual: number, most: number) =>
  Type.Optional(
    t.Integer({
      description: `${usual} by default. Less than 1 counts as 1, and more than ${most} as ${most}`,
    }),
  )

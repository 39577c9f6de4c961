import { type Static, Type } from '@sinclair/typebox'

export const Bookmark = Type.Object({
  action_id: Type.Integer(),
  index: Type.Integer({ description: 'Index of the passage' }),
  name: Type.String({ description: 'Empty if the reader gave it no name' }),
  text: Type.String({ description: 'The beginning of the passage' }),
})

export type Bookmark = Static<typeof Bookmark>

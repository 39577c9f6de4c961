import { type Static, Type } from '@sinclair/typebox'

/** What a turn had told when it broke off (docs/rules.md 4.16). It is no part of the story. */
export const InterruptedReply = Type.Object({
  text: Type.String({ description: 'The prose so far' }),
  retry: Type.Boolean({ description: 'It would be another attempt at the newest narration' }),
})

export type InterruptedReply = Static<typeof InterruptedReply>

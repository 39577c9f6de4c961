import { type Static, Type } from '@sinclair/typebox'
import type { ActionType } from './action.ts'

/** Not part of the story. */
export const InterruptedReply = Type.Object({
  text: Type.String({ description: 'The prose so far' }),
  retry: Type.Boolean({ description: 'It would be another variant of the newest narration' }),
  reason: Type.String({ description: 'Why the turn ended, in a sentence; empty where it is not known' }),
  unsaved: Type.Optional(
    Type.Literal(true, {
      description:
        'The library could not be written: it is in memory only until it is kept, or there is room for it',
    }),
  ),
})

export type InterruptedReply = Static<typeof InterruptedReply>

/** True if a retry makes another version of the newest action, and not a reply after it. */
export function retriesNewest(
  newest: { type: ActionType } | null,
  interrupted: InterruptedReply | null,
): boolean {
  return newest?.type === 'ai' && interrupted?.retry !== false
}

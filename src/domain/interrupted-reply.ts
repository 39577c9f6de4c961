import { type Static, Type } from '@sinclair/typebox'
import type { ActionType } from './action.ts'

/** What a turn had told when it broke off (docs/rules.md 4.16). It is no part of the story. */
export const InterruptedReply = Type.Object({
  text: Type.String({ description: 'The prose so far' }),
  retry: Type.Boolean({ description: 'It would be another attempt at the newest narration' }),
})

export type InterruptedReply = Static<typeof InterruptedReply>

/** Whether a retry makes another version of the newest action. An interrupted reply that would be a new one is told anew instead. */
export function retriesNewest(
  newest: { type: ActionType } | null,
  interrupted: InterruptedReply | null,
): boolean {
  return newest?.type === 'ai' && interrupted?.retry !== false
}

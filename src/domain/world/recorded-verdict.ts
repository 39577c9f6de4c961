import { Type } from '@sinclair/typebox'
import { oneOf } from '../../lib/typebox.ts'
import type { Verdict } from './referee.ts'

/** A verdict as the API document describes it: looser than the type, as old records are. */
export const RecordedVerdict = Type.Unsafe<Verdict>(
  Type.Object({
    verdict: oneOf(['applied', 'corrected', 'limited', 'manual', 'rolled', 'refused']),
    path: Type.String(),
    asked: Type.Unknown({ description: 'What was proposed: a change to a number, otherwise a new value' }),
    given: Type.Optional(Type.Unknown({ description: 'What was granted, in the same terms' })),
    old: Type.Optional(Type.Unknown()),
    new: Type.Optional(Type.Unknown()),
    reason: Type.Optional(Type.String()),
    because: Type.Optional(Type.String({ description: 'The sentence of the passage that tells the change' })),
  }),
)

import { type Static, Type } from '@sinclair/typebox'
import { StoryError } from '../../domain/errors.ts'
import { printError } from '../../lib/print.ts'

export const FailedTest = Type.Object({
  ok: Type.Literal(false),
  detail: Type.String(),
  code: Type.String(),
  advice: Type.Optional(Type.String()),
})

export type FailedTest = Static<typeof FailedTest>

/** Logs an unexpected error. */
export function failedTest(error: unknown): FailedTest {
  if (error instanceof StoryError) return { ok: false, detail: error.message, code: error.code }
  printError('The connection test failed', error)
  return {
    ok: false,
    detail: 'The connection test itself failed. Inglenook’s log says why.',
    code: 'internal',
  }
}

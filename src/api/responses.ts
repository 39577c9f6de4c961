import { Kind, type TSchema, Type } from '@sinclair/typebox'
import type { Context } from 'elysia'
import { type ErrorCode, statusOfCode } from '../domain/errors.ts'
import { PROBLEM_REF, type Problem } from '../http/problem.ts'
import { documented } from '../lib/typebox.ts'

/** Errors of every route: refusals of the guard, and internal errors. */
const ANY: readonly ErrorCode[] = ['host_not_allowed', 'origin_not_allowed', 'internal']
const FIND: readonly ErrorCode[] = ['not_found', 'invalid']
const BODY: readonly ErrorCode[] = ['malformed_body', 'too_large', 'json_required', 'invalid']
const SAVE: readonly ErrorCode[] = ['library_busy', 'library_moved', 'library_damaged', 'storage_full']

export const ERRORS = {
  find: FIND,
  body: BODY,
  save: SAVE,
  change: [...FIND, ...SAVE],
  edit: [...FIND, ...BODY, ...SAVE],
}

export const ok = <S extends TSchema>(shape: S, ...codes: ErrorCode[]) => ({
  200: documented(shape),
  ...errorShapes(codes),
})

export const created = <S extends TSchema>(shape: S, ...codes: ErrorCode[]) => ({
  beforeHandle: setStatus(201),
  response: { 201: documented(shape), ...errorShapes(codes) },
})

const setStatus =
  (status: number) =>
  ({ set }: Pick<Context, 'set'>) => {
    set.status = status
  }

// Errors are thrown, so the framework never checks them against these shapes.
function errorShapes(codes: readonly ErrorCode[]): object {
  return perStatus(codes, (description) =>
    Type.Unsafe<Problem>({ [Kind]: 'Documented', $ref: PROBLEM_REF, description }),
  )
}

// The framework can document nothing but JSON in `response`. What follows goes into `detail.responses` instead.

export const noContent = (summary: string, ...codes: ErrorCode[]) => ({
  beforeHandle: setStatus(204),
  detail: { summary, responses: { 204: { description: 'Done' }, ...errorResponses(codes) } },
})

export const content = (
  description: string,
  types: Record<string, { type?: 'string' | 'object'; format?: 'binary' } | { type: 'array'; items: object }>,
  ...codes: ErrorCode[]
) => ({
  200: { description, content: mapValues(types, (schema) => ({ schema })) },
  ...errorResponses(codes),
})

/** Server-sent events, for which OpenAPI 3.1 has no shape. */
export const EVENTS = { 'text/event-stream': {} } as const

export const BINARY = { type: 'string', format: 'binary' } as const

function errorResponses(codes: readonly ErrorCode[]) {
  return perStatus(codes, (description) => ({
    description,
    content: { 'application/json': { schema: { $ref: PROBLEM_REF } } },
  }))
}

function perStatus<T>(codes: readonly ErrorCode[], make: (description: string) => T): Record<number, T> {
  const byStatus = Map.groupBy(new Set([...codes, ...ANY]), statusOfCode)
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, make(group.join(', '))]))
}

function mapValues<T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

import { sizeOfJson } from '../domain/json-size.ts'

/** Levels of nesting that an answer may have: more than any server's, fewer than any stack. */
const DEEPEST = 100

/** What a JSON text says, or undefined when it is not one, or too deep to be meant. */
export function parseJson(text: string): unknown {
  try {
    return sizeOfJson(text).depth > DEEPEST ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A field of a JSON value of any shape, or undefined. Never one that every object inherits. */
export function field(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}

/** A text that says something, or null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** A list, or an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A whole number that is not negative, or null. */
export function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

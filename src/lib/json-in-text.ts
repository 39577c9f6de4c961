import { jsonrepair } from 'jsonrepair'
import { parseJson } from './json.ts'

/** Maximum characters read: repairing hostile text takes quadratic time. */
const MAX_LENGTH = 20_000

/**
 * JSON in a model's answer, repaired if needed, complete values only if cut off; undefined if there is none. Never
 * throws.
 */
export function jsonIn(text: string): unknown {
  const start = text.search(/[{[]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1
  if (start < 0 || end <= start) return undefined
  const written = text.slice(start, Math.min(end, start + MAX_LENGTH))
  try {
    return parseJson(written) ?? parseJson(jsonrepair(written.replace(/:\s*\+(?=\d)/g, ':')))
  } catch {
    return undefined
  }
}

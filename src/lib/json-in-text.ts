import { jsonrepair } from 'jsonrepair'
import { parseJson } from './json.ts'

/** Characters that are read: mending takes time that grows with the square of a hostile text. */
const MAX_LENGTH = 20_000

/** The JSON in the answer of a model, mended where needed; of JSON that breaks off, what is whole. Undefined if there is none. Never throws. */
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

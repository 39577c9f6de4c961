import { zlib } from '../../../lib/bytes.ts'
import { parseObjectColumn } from '../../column-values.ts'

/** [] for a prompt of the earlier release; null if it cannot be read. */
export function textHashesOfPrompt(blob: unknown): string[] | null {
  if (!(blob instanceof Uint8Array)) return null
  try {
    const prompt = parseObjectColumn(zlib().inflateSync(blob).toString())
    if (Array.isArray(prompt?.parts)) return prompt.parts.map((part) => String(part?.[2]))
    return Array.isArray(prompt?.sections) ? [] : null
  } catch {
    return null
  }
}

export function textHashesOfNotes(json: string): string[] {
  const notes = parseObjectColumn(json)
  return [notes?.before, notes?.after].flatMap((list) =>
    Array.isArray(list) ? list.map((note) => String(note?.[1])) : [],
  )
}

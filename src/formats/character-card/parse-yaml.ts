import { StoryError } from '../../domain/errors.ts'
import { isObject } from '../../lib/objects.ts'
import { importRefused } from '../shared/import-refused.ts'
import { parseJsonFile } from '../shared/json-file.ts'

/** Bytes of a character in YAML: far more than any has. */
const MAX_LENGTH = 1024 * 1024

/**
 * The value of a text that is a character in YAML, as oobabooga’s text-generation-webui keeps it; null for any other text.
 * Throws import_refused for one that is broken or too large.
 */
export function parseCharacterYaml(text: string): Record<string, unknown> | null {
  const isCharacter = /^(name|char_name):/m.test(text) && /^(context|greeting|char_persona):/m.test(text)
  if (!isCharacter) return null
  const value = text.length > MAX_LENGTH ? undefined : jsonOf(text)
  if (isObject(value)) return value
  throw importRefused('This looks like a character in YAML, but it is broken or too large.')
}

/** The first key of the text, after comments. */
const FIRST_KEY = /^(?:[ \t]*(?:#[^\n]*|---[ \t]*)?\n)*["']?[\p{L}_][^:\n]{0,80}:(?:[ \t]*\n|[ \t])/u

/** True if a text is YAML that has more than lines of a name and some words, as a dialogue has. */
export function isOtherYaml(text: string): boolean {
  if (text.length > MAX_LENGTH || !FIRST_KEY.test(text)) return false
  const value = jsonOf(text)
  return isObject(value) && Object.values(value).some((inner) => typeof inner === 'object' && inner !== null)
}

// Aliases can make a value that holds itself, or far more than the file.
function jsonOf(yaml: string): unknown {
  try {
    const value = Bun.YAML.parse(yaml)
    return isLonger(value, 2 * MAX_LENGTH) ? undefined : parseJsonFile(JSON.stringify(value))
  } catch (error) {
    if (error instanceof StoryError) throw error
    return undefined
  }
}

/** Counts characters, and looks no further than it has to. */
function isLonger(value: unknown, most: number): boolean {
  const open = [value]
  let left = most
  while (left >= 0 && open.length > 0) {
    const one = open.pop()
    left -= typeof one === 'string' ? one.length : 1
    if (typeof one !== 'object' || one === null) continue
    for (const [key, inner] of Object.entries(one)) {
      left -= key.length
      open.push(inner)
    }
  }
  return left < 0
}

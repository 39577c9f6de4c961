import { MAX_JSON_DEPTH, readJson } from '../../lib/json.ts'
import { MAX_VALUES } from '../import-limits.ts'
import { importRefused } from './import-refused.ts'

/** Decodes UTF-8, without the byte order mark. Throws import_refused. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw importRefused(
      'This file is neither UTF-8 text nor any other file that Inglenook can read. If it is text, save it as UTF-8 and import it again.',
    )
  }
}

/** The value of a JSON text; undefined when it is not JSON. Throws import_refused for one that is too deep or too large. */
export function parseJsonFile(text: string): unknown {
  const result = readJson(text, { values: MAX_VALUES })
  if ('value' in result) return result.value
  if (result.error === 'too_deep')
    throw importRefused(`This file cannot be read: it is nested deeper than ${MAX_JSON_DEPTH} levels.`)
  if (result.error === 'too_many_values')
    throw importRefused('This file cannot be read: it holds more values than any story.')
  return undefined
}

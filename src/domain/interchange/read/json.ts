import { sizeOfJson } from '../../json-size.ts'
import { refused } from '../../../formats/shared/import-refused.ts'

/** Levels of nesting that a file may have: more than any format needs, fewer than any stack. */
const DEEPEST = 100
/** Values in one file: ten thousand passages with all their attempts and states have fewer. */
const MOST_VALUES = 2_000_000

/** The text of a file in UTF-8, without its byte order mark. Throws import_refused. */
export function textFrom(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused('This file is no text in UTF-8 and no picture with a character in it.')
  }
}

/** The value that a text is; undefined when it is no JSON. Throws import_refused for what is too deep or too much. */
export function jsonFrom(text: string): unknown {
  const { depth, values } = sizeOfJson(text)
  if (depth > DEEPEST) throw refused(`This file is nested deeper than ${DEEPEST} levels. It is not read.`)
  if (values > MOST_VALUES) throw refused('This file holds more values than any story has. It is not read.')
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

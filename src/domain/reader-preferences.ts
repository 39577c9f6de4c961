import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { parseJson } from '../lib/json.ts'
import { oneOf } from '../lib/typebox.ts'

export const readerPreferenceFields = () =>
  Type.Object({
    theme: oneOf(['system', 'light', 'sepia', 'dark', 'contrast']),
    typeface: oneOf(['serif', 'sans', 'dyslexia']),
    /** Font size in percent of the default. */
    size: Type.Integer({ minimum: 80, maximum: 200 }),
    /** Line width in characters. */
    measure: Type.Integer({ minimum: 45, maximum: 90 }),
    /** Line height in percent of the font size. */
    leading: Type.Integer({ minimum: 120, maximum: 220 }),
    paragraphs: oneOf(['spaced', 'indented']),
    justify: Type.Boolean(),
    /** Show prose with the quotation marks and dashes of its language. */
    typography: Type.Boolean(),
    /** Show a reply once it is complete instead of streaming it. */
    whole_replies: Type.Boolean(),
    /** Suggest what to do next after every passage. */
    suggest: Type.Boolean(),
    /** Announce new text to screen readers, sentence by sentence. */
    announce: Type.Boolean(),
    shortcuts: Type.Boolean(),
  })

/** None of it affects the story. */
export type ReaderPreferences = Static<ReturnType<typeof readerPreferenceFields>>

export const DEFAULT_PREFERENCES: ReaderPreferences = {
  theme: 'system',
  typeface: 'serif',
  size: 100,
  measure: 66,
  leading: 165,
  paragraphs: 'spaced',
  justify: false,
  typography: true,
  whole_replies: false,
  suggest: false,
  announce: true,
  shortcuts: true,
}

/** Reads stored preferences, each a JSON value. What is missing, unknown or out of range gets its default. */
export function readerPreferencesFrom(stored: readonly { name: string; value: string }[]): ReaderPreferences {
  const fields = readerPreferenceFields().properties
  const valid = stored
    .map(({ name, value }): [string, unknown] => [name, parseJson(value)])
    .filter(([name, value]) => isField(name) && Value.Check(fields[name], value))
  return { ...DEFAULT_PREFERENCES, ...Object.fromEntries(valid) }
}

function isField(name: string): name is keyof ReaderPreferences {
  return Object.hasOwn(DEFAULT_PREFERENCES, name)
}

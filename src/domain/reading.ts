import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** The fields of the reader's settings with their bounds, for what is sent. */
export const readingFields = () =>
  Type.Object({
    /** `system` is light or dark as the system is. */
    theme: Type.Union([
      Type.Literal('system'),
      Type.Literal('light'),
      Type.Literal('sepia'),
      Type.Literal('dark'),
      Type.Literal('contrast'),
    ]),
    typeface: Type.Union([Type.Literal('serif'), Type.Literal('sans'), Type.Literal('dyslexia')]),
    /** The size of the prose, in hundredths of the usual one. */
    size: Type.Integer({ minimum: 80, maximum: 200 }),
    /** The length of a line of prose, in characters. */
    measure: Type.Integer({ minimum: 45, maximum: 90 }),
    /** The height of a line, in hundredths of the size. */
    leading: Type.Integer({ minimum: 120, maximum: 220 }),
    justify: Type.Boolean(),
    /** A reply is shown when it is finished, not while it is told. */
    whole_replies: Type.Boolean(),
    /** What is told is read out by a screen reader, sentence by sentence. */
    announce: Type.Boolean(),
    /** Single keys are shortcuts outside fields. */
    shortcuts: Type.Boolean(),
  })

/** How the player likes to read. It changes nothing of what is told. */
export type Reading = Static<ReturnType<typeof readingFields>>

export const USUAL_READING: Reading = {
  theme: 'system',
  typeface: 'serif',
  size: 100,
  measure: 66,
  leading: 165,
  justify: false,
  whole_replies: false,
  announce: true,
  shortcuts: true,
}

/** The choices that were kept, each as JSON; for what is missing, unknown or out of bounds, the usual one. */
export function readingFrom(kept: readonly { name: string; value: string }[]): Reading {
  const fields = readingFields().properties
  const fitting = kept
    .map(({ name, value }): [string, unknown] => [name, parsed(value)])
    .filter(([name, value]) => isField(name) && Value.Check(fields[name], value))
  return { ...USUAL_READING, ...Object.fromEntries(fitting) }
}

function isField(name: string): name is keyof Reading {
  return Object.hasOwn(USUAL_READING, name)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

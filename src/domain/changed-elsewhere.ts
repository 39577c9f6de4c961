import { type Clash, StoryError } from './errors.ts'
import { markOf } from '../lib/hash.ts'

/** Marks of fields as a page showed them, by the name of the field. A field without one is written as it is sent. */
export type Seen = Readonly<Record<string, string | undefined>>

/** The mark of a field's value. A form gives line ends back in its own way, so they count for nothing. */
export function seenMark(value: unknown): string {
  return markOf(textOf(value))
}

/** The marks of values as a program read them. */
export function seenFrom(was: Readonly<Record<string, unknown>> = {}): Seen {
  return Object.fromEntries(Object.entries(was).map(([field, value]) => [field, seenMark(value)]))
}

/**
 * What is left to write of some fields: those that nobody has touched, and those that say what is stored already, are
 * left out. Two pages that change different fields do not disturb each other. Throws changed_elsewhere with both texts
 * of each field that was changed here and elsewhere; then nothing may be written.
 */
export function unlessChanged<Fields extends object>(
  stored: Fields,
  sent: Partial<Fields>,
  seen: Seen,
): Partial<Fields> {
  const touched = Object.entries(sent).filter(([field, value]) => {
    const mark = seenMark(value)
    return mark !== seen[field] && mark !== seenMark(stored[field as keyof Fields])
  })
  const clashes = touched
    .map(
      ([field, value]): Clash => ({
        field,
        stored: textOf(stored[field as keyof Fields]),
        sent: textOf(value),
      }),
    )
    .filter(({ field, stored }) => seen[field] !== undefined && seen[field] !== seenMark(stored))
  if (clashes.length > 0) throw changedElsewhere(clashes)
  return Object.fromEntries(touched) as Partial<Fields>
}

function changedElsewhere(clashes: Clash[]): StoryError {
  const names = clashes.map(({ field }) => field.replaceAll('_', ' ')).join(', ')
  return new StoryError(
    'changed_elsewhere',
    `Changed in another place since this page was shown: ${names}. Nothing was written; compare the two and choose.`,
    { clashes },
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : (JSON.stringify(value) ?? '')
}

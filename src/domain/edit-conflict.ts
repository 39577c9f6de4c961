import { hashOf } from '../lib/hash.ts'
import { type Conflict, StoryError } from './errors.ts'

/** Hashes of fields as a page showed them, by field name. A field without one is written without a check. */
export type SeenVersions = Readonly<Record<string, string | undefined>>

/** The hash of a field's value. Ignores kinds of line endings, because forms change them. */
export function versionOf(value: unknown): string {
  return hashOf(textOf(value))
}

/** The hashes of values as a client read them. */
export function versionsOf(was: Readonly<Record<string, unknown>> = {}): SeenVersions {
  return Object.fromEntries(Object.entries(was).map(([field, value]) => [field, versionOf(value)]))
}

/**
 * The fields to write: those that were edited and differ from what is stored. Two pages that edit different fields do not
 * conflict. If a field was changed both here and elsewhere, throws changed_elsewhere with both texts, and nothing may be
 * written.
 */
export function checkedForConflicts<Fields extends object>(
  stored: Fields,
  sent: Partial<Fields>,
  seen: SeenVersions,
): Partial<Fields> {
  const edited = Object.entries(sent).filter(([field, value]) => {
    const version = versionOf(value)
    return version !== seen[field] && version !== versionOf(stored[field as keyof Fields])
  })
  const conflicts = edited
    .map(
      ([field, value]): Conflict => ({
        field,
        stored: textOf(stored[field as keyof Fields]),
        sent: textOf(value),
      }),
    )
    .filter(({ field, stored }) => seen[field] !== undefined && seen[field] !== versionOf(stored))
  if (conflicts.length > 0) throw changedElsewhere(conflicts)
  return Object.fromEntries(edited) as Partial<Fields>
}

function changedElsewhere(conflicts: Conflict[]): StoryError {
  const names = conflicts.map(({ field }) => field.replaceAll('_', ' ')).join(', ')
  return new StoryError(
    'changed_elsewhere',
    `Changed elsewhere since this page was loaded: ${names}. Nothing was saved. Compare the two versions and choose one.`,
    { clashes: conflicts },
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : (JSON.stringify(value) ?? '')
}

import { hashOf } from '../lib/hash.ts'
import { ownValue } from '../lib/objects.ts'
import { type Conflict, StoryError } from './errors.ts'

/**
 * Picks the fields to write from those that were sent: those that differ from what is stored. Throws changed_elsewhere with
 * both texts if their editor has not seen what is stored; nothing may be written then.
 */
export type ConflictCheck = <Fields extends object>(stored: Fields, sent: Partial<Fields>) => Partial<Fields>

/** The version of some stored fields. Ignores kinds of line endings, because forms change them. */
export function versionOf(stored: object, names: readonly string[]): string {
  return hashOf(JSON.stringify(names.map((name) => textIn(stored, name))))
}

/** The check of a form, whose fields have one version. Without a version everything is written. */
export const formUnchanged =
  (names: readonly string[], version: string | undefined): ConflictCheck =>
  (stored, sent) => {
    const changed = changedFields(stored, sent)
    if (changed.length > 0 && version !== undefined && version !== versionOf(stored, names))
      throw changedElsewhere(stored, sent, changed)
    return picked(sent, changed)
  }

/** The check of a program, by the fields as it `was` reading them. It may send back those that it did not change. */
export const fieldsUnchanged =
  (was: object = {}): ConflictCheck =>
  (stored, sent) => {
    const isRead = (name: string) => Object.hasOwn(was, name)
    const changed = changedFields(stored, sent).filter(
      (name) => !isRead(name) || textIn(was, name) !== textIn(sent, name),
    )
    const conflicts = changed.filter((name) => isRead(name) && textIn(was, name) !== textIn(stored, name))
    if (conflicts.length > 0) throw changedElsewhere(stored, sent, conflicts)
    return picked(sent, changed)
  }

function changedFields(stored: object, sent: object): string[] {
  return Object.keys(sent).filter((name) => textIn(sent, name) !== textIn(stored, name))
}

function picked<Fields extends object>(sent: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => names.includes(name))) as Fields
}

function changedElsewhere(stored: object, sent: object, names: readonly string[]): StoryError {
  const clashes = names.map(
    (field): Conflict => ({ field, stored: textIn(stored, field), sent: textIn(sent, field) }),
  )
  return new StoryError(
    'changed_elsewhere',
    `Changed elsewhere since this page was loaded: ${names.join(', ').replaceAll('_', ' ')}. Nothing was saved. Compare the two versions and choose one.`,
    { clashes },
  )
}

/** The value of a field as text, with one kind of line endings. */
function textIn(fields: object, name: string): string {
  const value = ownValue(fields as Record<string, unknown>, name)
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : (JSON.stringify(value) ?? '')
}

import { isObject, objectIn, ownValue, setOwn } from '../../lib/objects.ts'
import { reconcile } from '../world/reconcile.ts'
import { type StatSchema, sectionOf, type WorldState } from '../world/state.ts'
import { type CountedChange, interleaved, valueAt } from './compare-world.ts'

/** What a story counts, and how it stands. */
export interface Counting {
  schema: StatSchema
  state: WorldState
}

/**
 * Brings what is counted up to date, but for what is left out: that keeps its definition and its value. Everything else
 * is reconciled, never begun anew (specification 3, "Refresh apply").
 */
export function applyWorld(
  old: StatSchema | null,
  next: StatSchema,
  state: WorldState,
  changes: readonly CountedChange[],
  isTaken: (path: string) => boolean,
): Counting {
  const left = changes.filter(({ path }) => !isTaken(path))
  if (left.length > 0 && left.length === changes.length) return { schema: old ?? {}, state }
  const schema = left.length === 0 ? next : merged(old, next, isTaken)
  const { state: after } = reconcile(schema, state)
  for (const { path, keys } of left) if (keys.length > 0) putBack(after, state, path, keys)
  return { schema, state: after }
}

type Entries = Record<string, unknown>
type Choose = (path: string) => boolean

/** A schema with the new definition of what is taken and the old one of the rest; keys that are not ours are the new ones'. */
function merged(old: StatSchema | null, next: StatSchema, isTaken: Choose): StatSchema {
  const section = (name: string): Entries =>
    mergedEntries(objectIn(old, name), objectIn(next, name), (key) => isTaken(`${name}.${key}`))
  const cast = mergedEntries(
    objectIn(old, 'npcs'),
    objectIn(next, 'npcs'),
    (id) => isTaken(`npc.${id}`),
    (id, was, will) => ({
      ...(isTaken(`npc.${id}`) ? will : was),
      stats: mergedEntries(objectIn(was, 'stats'), objectIn(will, 'stats'), (key) =>
        isTaken(`npc.${id}.${key}`),
      ),
    }),
  )
  const sections: [string, Entries][] = [
    ['world', section('world')],
    ['player', section('player')],
    ['npcs', cast],
    ['flags', section('flags')],
    ['milestones', section('milestones')],
  ]
  return { ...next, ...Object.fromEntries(sections) }
}

/** `both` makes an entry that either side has; without it an entry is one side's as a whole. */
function mergedEntries(
  was: Entries,
  will: Entries,
  isTaken: (key: string) => boolean,
  both?: (key: string, was: Entries, will: Entries) => Entries,
): Entries {
  const entries: Entries = {}
  for (const key of interleaved(Object.keys(was), Object.keys(will))) {
    const [before, then] = [ownValue(was, key), ownValue(will, key)]
    const entry =
      both && isObject(before) && isObject(then) ? both(key, before, then) : isTaken(key) ? then : before
    if (entry !== undefined) setOwn(entries, key, entry)
  }
  return entries
}

/** Gives one value, with the time of its last change, back as it was. Alters the state. */
function putBack(state: WorldState, before: WorldState, path: string, keys: readonly string[]): void {
  const holder = sectionOf(state, ...keys.slice(0, -1))
  const key = keys.at(-1) ?? ''
  const value = valueAt(before, keys)
  if (value === undefined) delete holder[key]
  else setOwn(holder, key, structuredClone(value))
  const stamps = sectionOf(state, '_meta', 'last_changed')
  for (const [at, index] of Object.entries(objectIn(objectIn(before, '_meta'), 'last_changed')))
    if (at === path || at.startsWith(`${path}.`)) setOwn(stamps, at, index)
}

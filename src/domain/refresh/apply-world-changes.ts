import { isObject, objectIn, ownValue, setOwn } from '../../lib/objects.ts'
import { ALL_WORLD_STATE, reconcile } from '../world/reconcile.ts'
import { type StatSchema, sectionOf, type WorldState } from '../world/state.ts'
import { type DefinitionChange, keysOfBoth, valueAt } from './compare-world.ts'

export interface StatsInUse {
  schema: StatSchema
  state: WorldState
}

/** Skipped changes keep definition and value. Everything else is reconciled and never reset. */
export function applyWorldChanges(
  { schema: old, state }: { schema: StatSchema | null; state: WorldState },
  next: StatSchema,
  changes: readonly DefinitionChange[],
  isTaken: (path: string) => boolean,
): StatsInUse {
  const skipped = changes.filter(({ path }) => !isTaken(path))
  if (skipped.length > 0 && skipped.length === changes.length) return { schema: old ?? {}, state }
  const schema = skipped.length === 0 ? next : merged(old, next, isTaken)
  const { state: after } = reconcile(schema, state)
  for (const { path, keys } of skipped) if (keys.length > 0) restore(after, state, path, keys)
  return { schema, state: after }
}

type Entries = Record<string, unknown>
type Choose = (path: string) => boolean

/** Takes the new definition of accepted changes and the old one of the rest; unknown keys come from the new schema. */
function merged(old: StatSchema | null, next: StatSchema, isTaken: Choose): StatSchema {
  const isGone = isTaken(ALL_WORLD_STATE)
  const section = (name: string): Entries =>
    mergedEntries(
      objectIn(old, name),
      objectIn(next, name),
      (key) => (isGone || name === 'checks') && isTaken(`${name}.${key}`),
    )
  const cast = mergedEntries(
    objectIn(old, 'npcs'),
    objectIn(next, 'npcs'),
    (id) => isGone && isTaken(`npc.${id}`),
    (id, was, will) => ({
      ...(isTaken(`npc.${id}`) ? will : was),
      stats: mergedEntries(objectIn(was, 'stats'), objectIn(will, 'stats'), (key) =>
        isTaken(`npc.${id}.${key}`),
      ),
    }),
  )
  const checks = section('checks')
  const sections: [string, Entries][] = [
    ['world', section('world')],
    ['player', section('player')],
    ['npcs', cast],
    ['flags', section('flags')],
    ['milestones', section('milestones')],
    ...(Object.keys(checks).length > 0 ? [['checks', checks] as [string, Entries]] : []),
  ]
  const { checks: _, ...rest } = next
  return { ...rest, ...Object.fromEntries(sections) }
}

/** `both` merges an entry that both sides have; without it an entry comes from one side as a whole. */
function mergedEntries(
  was: Entries,
  will: Entries,
  isTaken: (key: string) => boolean,
  both?: (key: string, was: Entries, will: Entries) => Entries,
): Entries {
  const entries: Entries = {}
  for (const key of keysOfBoth(was, will)) {
    const [before, then] = [ownValue(was, key), ownValue(will, key)]
    const entry =
      both && isObject(before) && isObject(then) ? both(key, before, then) : isTaken(key) ? then : before
    if (entry !== undefined) setOwn(entries, key, entry)
  }
  return entries
}

/** Restores one value and the time of its last change. Mutates the state. */
function restore(state: WorldState, before: WorldState, path: string, keys: readonly string[]): void {
  const holder = sectionOf(state, ...keys.slice(0, -1))
  const key = keys.at(-1) ?? ''
  const value = valueAt(before, keys)
  if (value === undefined) delete holder[key]
  else setOwn(holder, key, structuredClone(value))
  const lastChanged = sectionOf(state, '_meta', 'last_changed')
  for (const [at, index] of Object.entries(objectIn(objectIn(before, '_meta'), 'last_changed')))
    if (at === path || at.startsWith(`${path}.`)) setOwn(lastChanged, at, index)
}

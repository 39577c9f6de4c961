import { type Static, Type } from '@sinclair/typebox'
import { isObject, objectIn, ownValue } from '../../lib/objects.ts'
import { ALL_WORLD_STATE, reconcile } from '../world/reconcile.ts'
import { hasStats, isReached, type StatSchema, type WorldState } from '../world/state.ts'

type Definition = Record<string, unknown>

export interface StatDefinition {
  /** Null for a value without a definition. */
  definition: Definition | null
  /** The current value; null if there is none. A milestone has one once it is reached. */
  value: unknown
}

/** An entry of a schema and the location of its value. `world` means all of it. */
interface EntryLocation {
  kind: 'stat' | 'flag' | 'milestone' | 'npc' | 'check' | 'world'
  path: string
  name: string
  /** The keys of its value in the state; [] for checks, and for the fields of a character itself. */
  keys: string[]
}

/** Change of one entry: without `old` it is added, without `new` removed. */
export interface DefinitionChange extends EntryLocation {
  old: StatDefinition | null
  new: StatDefinition | null
}

/** A changed key of a definition, or a value that no longer fitted and why. */
export const ValueChange = Type.Object({
  path: Type.String(),
  what: Type.String(),
  old: Type.Unknown(),
  new: Type.Unknown(),
})
export type ValueChange = Static<typeof ValueChange>

/** The differences of the stats. `added` and `removed` are the paths that reconciling reports. */
interface WorldChanges {
  changes: DefinitionChange[]
  added: string[]
  removed: string[]
  changed: ValueChange[]
}

export function compareWorld(old: StatSchema | null, next: StatSchema, state: WorldState): WorldChanges {
  const stats = compareStats(old, next, state)
  const checks = compareChecks(old, next)
  return {
    ...stats,
    changes: [...stats.changes, ...checks.changes],
    changed: [...stats.changed, ...checks.changed],
  }
}

function compareChecks(old: StatSchema | null, next: StatSchema): Pick<WorldChanges, 'changes' | 'changed'> {
  const [was, will] = [objectIn(old, 'checks'), objectIn(next, 'checks')]
  const changes: DefinitionChange[] = []
  const changed: ValueChange[] = []
  for (const name of keysOfBoth(was, will)) {
    const [before, then] = [objectOrNull(was, name), objectOrNull(will, name)]
    if (isSame(before, then)) continue
    const path = `checks.${name}`
    if (before && then) changed.push(...changedKeys(before, then).map((one) => ({ path, ...one })))
    const side = (definition: Definition | null) => definition && { definition, value: null }
    changes.push({ kind: 'check', path, name, keys: [], old: side(before), new: side(then) })
  }
  return { changes, changed }
}

function objectOrNull(holder: Definition, key: string): Definition | null {
  const value = ownValue(holder, key)
  return isObject(value) ? value : null
}

function compareStats(old: StatSchema | null, next: StatSchema, state: WorldState): WorldChanges {
  const { state: after, added, removed, changed: adjusted } = reconcile(next, state)
  if (!hasStats(next)) return removeAll(old, state, removed)
  const isKept = (id: string) => hasNpc(old, id) && hasNpc(next, id)
  const [was, will, live] = [entriesIn(old, isKept), entriesIn(next, isKept), valuesIn(state, isKept)]
  const changes: DefinitionChange[] = []
  const changed: ValueChange[] = []
  for (const path of new Set([...will.keys(), ...was.keys(), ...live.keys()])) {
    const [before, then] = [was.get(path), will.get(path)]
    const entry = then ?? before ?? live.get(path)
    if (entry === undefined) continue
    const { kind, name, keys } = entry
    const [value, newValue] = [valueAt(state, keys), valueAt(after, keys)]
    const keyChanges = before && then ? changedKeys(before.definition, then.definition) : []
    changed.push(...keyChanges.map((one) => ({ path, ...one })))
    if (Boolean(before) === Boolean(then) && keyChanges.length === 0 && isSame(value, newValue)) continue
    const hasOld = before !== undefined || value !== undefined
    changes.push({
      kind,
      path,
      name,
      keys,
      old: hasOld ? { definition: before?.definition ?? null, value: value ?? null } : null,
      new: then ? { definition: then.definition, value: newValue ?? null } : null,
    })
  }
  return {
    changes,
    added,
    removed: removed.filter((path) => !isUnreached(state, path)),
    changed: [...changed, ...adjusted],
  }
}

/** The keys of both sides: first those of the new one, then those that are removed. */
export function keysOfBoth(old: object, next: object): string[] {
  return [...new Set([...Object.keys(next), ...Object.keys(old)])]
}

function removeAll(old: StatSchema | null, state: WorldState, removed: string[]): WorldChanges {
  const isNothing = !hasStats(old) && removed.length === 0
  const all: DefinitionChange = {
    kind: 'world',
    path: ALL_WORLD_STATE,
    name: 'all stats',
    keys: [],
    old: { definition: old, value: state },
    new: null,
  }
  return { changes: isNothing ? [] : [all], added: [], removed, changed: [] }
}

function hasNpc(schema: StatSchema | null, id: string): boolean {
  return isObject(ownValue(objectIn(schema, 'npcs'), id))
}

/** All entries of a schema by path. A character that only one side has is a single entry with all its stats. */
function entriesIn(
  schema: StatSchema | null,
  isKept: (id: string) => boolean,
): Map<string, EntryLocation & { definition: Definition }> {
  const named = (kind: EntryLocation['kind'], keys: string[], holder: Definition, whose = '') =>
    Object.entries(holder).flatMap(([key, definition]) =>
      isObject(definition)
        ? [
            {
              kind,
              path: [...keys, key].join('.'),
              name: whose + (textIn(definition, 'label') || key.replaceAll('_', ' ')),
              keys: [...keys, key],
              definition,
            },
          ]
        : [],
    )
  const cast = Object.entries(objectIn(schema, 'npcs')).flatMap(([id, npc]) => {
    if (!isObject(npc)) return []
    const own = { kind: 'npc' as const, path: `npc.${id}`, name: textIn(npc, 'name') || id }
    if (!isKept(id)) return [{ ...own, keys: ['npc', id], definition: npc }]
    const { stats: _, ...words } = npc
    return [
      { ...own, keys: [], definition: words },
      ...named('stat', ['npc', id], objectIn(npc, 'stats'), `${own.name}: `),
    ]
  })
  const entries = [
    ...named('stat', ['world'], objectIn(schema, 'world')),
    ...named('stat', ['player'], objectIn(schema, 'player')),
    ...cast,
    ...named('flag', ['flags'], objectIn(schema, 'flags')),
    ...named('milestone', ['milestones'], objectIn(schema, 'milestones')),
  ]
  return new Map(entries.map((entry) => [entry.path, entry]))
}

function valuesIn(state: WorldState, isKept: (id: string) => boolean): Map<string, EntryLocation> {
  const named = (kind: EntryLocation['kind'], keys: string[], holder: Record<string, unknown>) =>
    Object.keys(holder).map((key) => ({
      kind,
      path: [...keys, key].join('.'),
      name: key,
      keys: [...keys, key],
    }))
  const npcs = objectIn(state, 'npc')
  const kept = Object.keys(npcs).filter(isKept)
  const entries = [
    ...named('stat', ['world'], objectIn(state, 'world')),
    ...named('stat', ['player'], objectIn(state, 'player')),
    ...kept.flatMap((id) => named('stat', ['npc', id], objectIn(npcs, id))),
    ...named('npc', ['npc'], npcs).filter(({ name }) => !isKept(name)),
    ...named('flag', ['flags'], objectIn(state, 'flags')),
    ...named('milestone', ['milestones'], objectIn(state, 'milestones')),
  ]
  return new Map(entries.map((entry) => [entry.path, entry]))
}

/** Undefined if there is none. */
export function valueAt(state: WorldState, keys: readonly string[]): unknown {
  if (keys.length === 0) return undefined
  return keys.reduce<unknown>((holder, key) => (isObject(holder) ? ownValue(holder, key) : undefined), state)
}

// An explicit null means "none", as in the earlier release.
function changedKeys(before: Definition, then: Definition): Omit<ValueChange, 'path'>[] {
  return keysOfBoth(then, before).flatMap((what) => {
    const [old, next] = [ownValue(before, what) ?? null, ownValue(then, what) ?? null]
    return isSame(old, next) ? [] : [{ what, old, new: next }]
  })
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isUnreached(state: WorldState, path: string): boolean {
  const name = path.replace(/^milestones\./, '')
  return name !== path && !isReached(state, { name })
}

function textIn(definition: Definition, key: string): string {
  const value = ownValue(definition, key)
  return typeof value === 'string' ? value.trim() : ''
}

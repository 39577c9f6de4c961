import { isObject, objectIn, ownValue } from '../../lib/objects.ts'
import { EVERYTHING, reconcile } from '../world/reconcile.ts'
import { hasStats, isReached, type StatSchema, type WorldState } from '../world/state.ts'

type Definition = Record<string, unknown>

/** One thing that is counted, before or after a refresh. */
export interface Counted {
  /** Null for a value that nothing defines. */
  definition: Definition | null
  /** The live value; null where there is none. A milestone has an entry once it is reached. */
  value: unknown
}

/** Something that is counted, and where its value stands. `world` is all of it. */
interface Spot {
  kind: 'stat' | 'flag' | 'milestone' | 'npc' | 'world'
  path: string
  /** What a page calls it. */
  name: string
  /** The keys of its value in the state; [] for a character's own words. */
  keys: string[]
}

/** What a refresh does to one thing that is counted: without `old` it is new, without `new` it goes. */
export interface CountedChange extends Spot {
  old: Counted | null
  new: Counted | null
}

/** A changed word of a definition, by its key, or a kept value that no longer fitted, by what was wrong with it. */
export interface Changed {
  path: string
  what: string
  old: unknown
  new: unknown
}

/** How a story counts otherwise than its scenario. `added` and `removed` are the paths that reconciling names. */
export interface WorldChanges {
  changes: CountedChange[]
  added: string[]
  removed: string[]
  changed: Changed[]
}

/** Compares the schema that a story is played under with that of its scenario, and follows each live value. */
export function compareWorld(old: StatSchema | null, next: StatSchema, state: WorldState): WorldChanges {
  const { state: after, added, removed, changed: adjusted } = reconcile(next, state)
  if (!hasStats(next)) return nothingLeft(old, state, removed)
  const isKept = (id: string) => hasNpc(old, id) && hasNpc(next, id)
  const [was, will, live] = [spotsIn(old, isKept), spotsIn(next, isKept), valuesIn(state, isKept)]
  const changes: CountedChange[] = []
  const changed: Changed[] = []
  for (const path of new Set([...interleaved([...was.keys()], [...will.keys()]), ...live.keys()])) {
    const [before, then] = [was.get(path), will.get(path)]
    const spot = then ?? before ?? live.get(path)
    if (spot === undefined) continue
    const { kind, name, keys } = spot
    const [value, newValue] = [valueAt(state, keys), valueAt(after, keys)]
    const words = before && then ? changedWords(before.definition, then.definition) : []
    changed.push(...words.map((one) => ({ path, ...one })))
    if (Boolean(before) === Boolean(then) && words.length === 0 && isSame(value, newValue)) continue
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

/** The names of two lists in one order: that of the second, with what only the first has behind what it stood behind. */
export function interleaved(first: readonly string[], second: readonly string[]): string[] {
  const [inFirst, inSecond] = [new Set(first), new Set(second)]
  const names: string[] = []
  let place = 0
  for (const name of second) {
    if (inFirst.has(name))
      for (; place < first.length; place++) {
        const earlier = first[place] ?? name
        if (inSecond.has(earlier)) break
        names.push(earlier)
      }
    if (first[place] === name) place++
    names.push(name)
  }
  return [...new Set([...names, ...first.slice(place)])]
}

function nothingLeft(old: StatSchema | null, state: WorldState, removed: string[]): WorldChanges {
  const isNothing = !hasStats(old) && removed.length === 0
  const all: CountedChange = {
    kind: 'world',
    path: EVERYTHING,
    name: 'everything that is counted',
    keys: [],
    old: { definition: old, value: state },
    new: null,
  }
  return { changes: isNothing ? [] : [all], added: [], removed, changed: [] }
}

function hasNpc(schema: StatSchema | null, id: string): boolean {
  return isObject(ownValue(objectIn(schema, 'npcs'), id))
}

/** All that a schema defines, by path. A character that only one side has is one thing, its stats and all. */
function spotsIn(
  schema: StatSchema | null,
  isKept: (id: string) => boolean,
): Map<string, Spot & { definition: Definition }> {
  const named = (kind: Spot['kind'], prefix: string, keys: string[], holder: Definition, whose = '') =>
    Object.entries(holder).flatMap(([key, definition]) =>
      isObject(definition)
        ? [
            {
              kind,
              path: `${prefix}.${key}`,
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
      ...named('stat', own.path, ['npc', id], objectIn(npc, 'stats'), `${own.name}: `),
    ]
  })
  const spots = [
    ...named('stat', 'world', ['world'], objectIn(schema, 'world')),
    ...named('stat', 'player', ['player'], objectIn(schema, 'player')),
    ...cast,
    ...named('flag', 'flags', ['flags'], objectIn(schema, 'flags')),
    ...named('milestone', 'milestones', ['milestones'], objectIn(schema, 'milestones')),
  ]
  return new Map(spots.map((spot) => [spot.path, spot]))
}

/** All that has a live value, by path, whether anything defines it or not. */
function valuesIn(state: WorldState, isKept: (id: string) => boolean): Map<string, Spot> {
  const named = (kind: Spot['kind'], prefix: string, keys: string[], holder: Record<string, unknown>) =>
    Object.keys(holder).map((key) => ({ kind, path: `${prefix}.${key}`, name: key, keys: [...keys, key] }))
  const npcs = objectIn(state, 'npc')
  const kept = Object.keys(npcs).filter(isKept)
  const spots = [
    ...named('stat', 'world', ['world'], objectIn(state, 'world')),
    ...named('stat', 'player', ['player'], objectIn(state, 'player')),
    ...kept.flatMap((id) => named('stat', `npc.${id}`, ['npc', id], objectIn(npcs, id))),
    ...named('npc', 'npc', ['npc'], npcs).filter(({ name }) => !isKept(name)),
    ...named('flag', 'flags', ['flags'], objectIn(state, 'flags')),
    ...named('milestone', 'milestones', ['milestones'], objectIn(state, 'milestones')),
  ]
  return new Map(spots.map((spot) => [spot.path, spot]))
}

/** The value under some keys of a state; undefined without one. */
export function valueAt(state: WorldState, keys: readonly string[]): unknown {
  if (keys.length === 0) return undefined
  return keys.reduce<unknown>((holder, key) => (isObject(holder) ? ownValue(holder, key) : undefined), state)
}

// An explicit null has always meant "none".
function changedWords(before: Definition, then: Definition): Omit<Changed, 'path'>[] {
  return [...new Set([...Object.keys(before), ...Object.keys(then)])].flatMap((what) => {
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

import { within } from '../../lib/numbers.ts'
import { isObject, objectIn, ownValue, setOwn } from '../../lib/objects.ts'
import { type Rules, readRules, type Stat } from './rules.ts'
import {
  fittingText,
  hasStats,
  holderOf,
  instantiate,
  liveValue,
  type StatSchema,
  sectionOf,
  startOf,
  type WorldState,
} from './state.ts'

/** A kept value that no longer fitted: `what` is `range`, `length`, `option` or `kind`. */
export interface Adjusted {
  path: string
  what: 'range' | 'length' | 'option' | 'kind'
  old: unknown
  new: unknown
}

/** A state that fits a schema, and what was done to it. */
export interface Reconciled {
  state: WorldState
  added: string[]
  removed: string[]
  changed: Adjusted[]
}

/** Says that all of it went: there is no stat layer any more. */
export const EVERYTHING = '(all world state)'

/**
 * Fits a state to a schema (specification 3, "Reconcile rules"): what the schema still defines is kept, what is missing
 * begins at its initial value, what is gone is dropped with its cooldown. Nobody is healed, no milestone is lost.
 */
export function reconcile(schema: StatSchema | null, before: WorldState): Reconciled {
  const none = { added: [], removed: [], changed: [] }
  const isEmpty = !isObject(before) || Object.keys(before).length === 0
  if (!hasStats(schema)) return { ...none, state: {}, removed: isEmpty ? [] : [EVERYTHING] }
  const rules = readRules(schema)
  if (isEmpty) return { ...none, state: instantiate(schema), added: pathsOf(rules) }
  const state = structuredClone(before)
  const removed = drop(state, rules)
  const fitted = fit(state, rules)
  forget(state, removed)
  return { state, removed, ...fitted }
}

/** A state as it is put back: fitted to the schema that counts now; where nothing is counted, as it is. */
export function fitted(schema: StatSchema | null, state: WorldState): WorldState {
  return hasStats(schema) ? reconcile(schema, state).state : state
}

/** Whether nothing had to be done. */
export function isUnchanged({ added, removed, changed }: Reconciled): boolean {
  return added.length + removed.length + changed.length === 0
}

function pathsOf({ stats, flags }: Rules): string[] {
  return [...stats, ...flags].map(({ path }) => path)
}

function drop(state: WorldState, rules: Rules): string[] {
  const known = new Set([...rules.stats, ...rules.flags, ...rules.milestones].map(({ path }) => path))
  const npcs = new Set(rules.npcs.map(({ id }) => id))
  const removed: string[] = []
  const dropFrom = (
    holder: Record<string, unknown>,
    prefix: string,
    isKept: (path: string, name: string) => boolean,
  ) => {
    for (const name of Object.keys(holder)) {
      if (isKept(`${prefix}.${name}`, name)) continue
      delete holder[name]
      removed.push(`${prefix}.${name}`)
    }
  }
  for (const section of ['world', 'player'])
    dropFrom(objectIn(state, section), section, (path) => known.has(path))
  dropFrom(objectIn(state, 'npc'), 'npc', (_, id) => npcs.has(id))
  for (const id of npcs)
    dropFrom(objectIn(objectIn(state, 'npc'), id), `npc.${id}`, (path) => known.has(path))
  for (const section of ['flags', 'milestones'])
    dropFrom(objectIn(state, section), section, (path) => known.has(path))
  return removed
}

function fit(state: WorldState, rules: Rules): { added: string[]; changed: Adjusted[] } {
  const added: string[] = []
  const changed: Adjusted[] = []
  for (const { id } of rules.npcs) sectionOf(state, 'npc', id)
  for (const stat of rules.stats) {
    const old = liveValue(state, stat)
    const fitted = old === undefined ? { value: startOf(stat) } : fittedValue(stat, old)
    if (old === undefined) added.push(stat.path)
    else if (fitted.what !== undefined)
      changed.push({ path: stat.path, what: fitted.what, old, new: fitted.value })
    if (fitted.value !== old) setOwn(holderOf(state, stat), stat.name, fitted.value)
  }
  for (const flag of rules.flags) {
    const old = ownValue(sectionOf(state, 'flags'), flag.name)
    if (old === undefined) added.push(flag.path)
    setOwn(sectionOf(state, 'flags'), flag.name, old === undefined ? flag.initial : Boolean(old))
  }
  for (const section of ['world', 'player', 'milestones']) sectionOf(state, section)
  sectionOf(state, '_meta', 'last_changed')
  return { added, changed }
}

function fittedValue(stat: Stat, old: unknown): { value: unknown; what?: Adjusted['what'] } {
  if (stat.kind === 'text') {
    if (typeof old !== 'string') return { value: startOf(stat), what: 'kind' }
    if (stat.options) {
      // A stat may begin as none of its options.
      const isFit = stat.options.includes(old) || old === startOf(stat)
      return isFit ? { value: old } : { value: startOf(stat), what: 'option' }
    }
    const text = fittingText(stat, old)
    return text === old.trim() ? { value: old } : { value: text, what: 'length' }
  }
  if (typeof old !== 'number' || !Number.isFinite(old)) return { value: startOf(stat), what: 'kind' }
  const value = within(old, stat.min, stat.max)
  return value === old ? { value: old } : { value, what: 'range' }
}

function forget(state: WorldState, removed: readonly string[]): void {
  const stamps = sectionOf(state, '_meta', 'last_changed')
  for (const path of Object.keys(stamps))
    if (removed.some((gone) => path === gone || path.startsWith(`${gone}.`))) delete stamps[path]
}

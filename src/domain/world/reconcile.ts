import { copyJson } from '../../lib/json.ts'
import { clamp } from '../../lib/numbers.ts'
import { isObject, objectIn, ownValue, setOwn } from '../../lib/objects.ts'
import { type Rules, readRules, type Stat } from './rules.ts'
import {
  fittingText,
  hasStats,
  holderOf,
  initialValue,
  instantiate,
  liveValue,
  type StatSchema,
  sectionOf,
  type WorldState,
} from './state.ts'

/** A value that no longer fitted its definition, and why. */
export interface AdjustedValue {
  path: string
  what: 'range' | 'length' | 'option' | 'kind'
  old: unknown
  new: unknown
}

export interface Reconciled {
  state: WorldState
  added: string[]
  removed: string[]
  changed: AdjustedValue[]
}

/** Listed as removed when the schema no longer has any stats. */
export const ALL_WORLD_STATE = '(all world state)'

/**
 * Fits a state to a schema: keeps what the schema still defines, adds what is missing at its initial value, and drops what
 * is gone together with its cooldown. No value is reset, and no milestone is lost. `rules` are those of the schema, where
 * they are known already.
 */
export function reconcile(
  schema: StatSchema | null,
  before: WorldState,
  rules = readRules(schema),
): Reconciled {
  const none = { added: [], removed: [], changed: [] }
  const isEmpty = !isObject(before) || Object.keys(before).length === 0
  if (!hasStats(schema)) return { ...none, state: {}, removed: isEmpty ? [] : [ALL_WORLD_STATE] }
  if (isEmpty) return { ...none, state: instantiate(schema), added: pathsOf(rules) }
  const state = copyJson(before)
  const removed = dropUnknown(state, rules)
  const fitted = fitValues(state, rules)
  dropCooldowns(state, removed)
  return { state, removed, ...fitted }
}

/** A restored state, reconciled with the current schema; unchanged if the schema has no stats. */
export function reconciledState(schema: StatSchema | null, state: WorldState): WorldState {
  return hasStats(schema) ? reconcile(schema, state).state : state
}

export function isUnchanged({ added, removed, changed }: Reconciled): boolean {
  return added.length + removed.length + changed.length === 0
}

function pathsOf({ stats, flags }: Rules): string[] {
  return [...stats, ...flags].map(({ path }) => path)
}

function dropUnknown(state: WorldState, rules: Rules): string[] {
  const known = new Set([...rules.stats, ...rules.flags, ...rules.milestones].map(({ path }) => path))
  const npcs = new Set(rules.npcs.map(({ id }) => id))
  const removed: string[] = []
  const dropFrom = (
    holder: Record<string, unknown>,
    prefix: string,
    isKnown: (path: string, name: string) => boolean,
  ) => {
    for (const name of Object.keys(holder)) {
      if (isKnown(`${prefix}.${name}`, name)) continue
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

function fitValues(state: WorldState, rules: Rules): { added: string[]; changed: AdjustedValue[] } {
  const added: string[] = []
  const changed: AdjustedValue[] = []
  for (const { id } of rules.npcs) sectionOf(state, 'npc', id)
  for (const stat of rules.stats) {
    const old = liveValue(state, stat)
    const fitted = old === undefined ? { value: initialValue(stat) } : fittedValue(stat, old)
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

function fittedValue(stat: Stat, old: unknown): { value: unknown; what?: AdjustedValue['what'] } {
  if (stat.kind === 'text') {
    if (typeof old !== 'string') return { value: initialValue(stat), what: 'kind' }
    if (stat.options) {
      // The initial value need not be one of the options.
      const isFit = stat.options.includes(old) || old === initialValue(stat)
      return isFit ? { value: old } : { value: initialValue(stat), what: 'option' }
    }
    const text = fittingText(stat, old)
    return text === old.trim() ? { value: old } : { value: text, what: 'length' }
  }
  if (typeof old !== 'number' || !Number.isFinite(old)) return { value: initialValue(stat), what: 'kind' }
  const value = clamp(old, stat.min, stat.max)
  return value === old ? { value: old } : { value, what: 'range' }
}

function dropCooldowns(state: WorldState, removed: readonly string[]): void {
  const lastChanged = sectionOf(state, '_meta', 'last_changed')
  for (const path of Object.keys(lastChanged))
    if (removed.some((gone) => path === gone || path.startsWith(`${gone}.`))) delete lastChanged[path]
}

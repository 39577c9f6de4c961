import { Kind, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { clamp } from '../../lib/numbers.ts'
import { isObject, objectIn, ownValue, setOwn } from '../../lib/objects.ts'
import { cutTo } from '../../lib/text.ts'
import { type Flag, type Milestone, type NumberStat, readRules, type Stat, type TextStat } from './rules.ts'

/** The author's stat schema: `world`, `player`, `npcs`, `flags` and `milestones`, all optional. */
export type StatSchema = Record<string, unknown>

/** Current values, flags, milestones and the times of the last changes. {} without stats. */
export type WorldState = Record<string, unknown>

TypeRegistry.Set('StatSchema', (_, value) => value === null || isObject(value))

export const statSchema = () =>
  Type.Unsafe<StatSchema | null>({ [Kind]: 'StatSchema', type: ['object', 'null'] } as unknown as TSchema)

const SECTIONS = ['world', 'player', 'npcs', 'flags', 'milestones']

export function hasStats(schema: StatSchema | null): schema is StatSchema {
  return schema !== null && SECTIONS.some((section) => Object.keys(objectIn(schema, section)).length > 0)
}

/** The state at the start of a story: every stat at its initial value within its range, every flag as declared. {} without stats. */
export function instantiate(schema: StatSchema | null): WorldState {
  if (!hasStats(schema)) return {}
  const { stats, flags, npcs } = readRules(schema)
  const state: WorldState = {
    world: {},
    player: {},
    npc: {},
    milestones: {},
    flags: {},
    _meta: { last_changed: {} },
  }
  for (const { id } of npcs) sectionOf(state, 'npc', id)
  for (const stat of stats) setOwn(holderOf(state, stat), stat.name, initialValue(stat))
  for (const { name, initial } of flags) setOwn(sectionOf(state, 'flags'), name, initial)
  return state
}

export function initialValue(stat: Stat): number | string {
  return stat.kind === 'text' ? fittingText(stat, stat.initial) : clamp(stat.initial, stat.min, stat.max)
}

/** Idempotent. A stat without a limit of its own still has one, because prompts contain it. */
export function fittingText({ maxLength }: TextStat, text: string): string {
  return cutTo(plainText(text), maxLength ?? MAX_TEXT).trimEnd()
}

/** A text on one line, as it is stored. Replaces lone surrogates, because model servers reject prompts that contain them. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

/** Characters of a text whose stat has no limit of its own. */
export const MAX_TEXT = 500

/** The initial value if the state has none. */
export function liveNumber(state: WorldState, stat: NumberStat): number {
  const value = liveValue(state, stat)
  return typeof value === 'number' && Number.isFinite(value) ? value : clamp(stat.initial, stat.min, stat.max)
}

/** The initial value if the state has none. */
export function liveText(state: WorldState, stat: TextStat): string {
  const value = liveValue(state, stat)
  return typeof value === 'string' ? value : fittingText(stat, stat.initial)
}

export function liveFlag(state: WorldState, flag: Flag): boolean {
  const value = ownValue(objectIn(state, 'flags'), flag.name)
  return value === undefined ? flag.initial : Boolean(value)
}

/** Old and hand-edited files express this in several ways. */
export function isReached(state: WorldState, milestone: Pick<Milestone, 'name'>): boolean {
  const entry = ownValue(objectIn(state, 'milestones'), milestone.name)
  return entry === true || (isObject(entry) && entry.reached === true)
}

/** Index of the action; null if none did. */
export function lastChanged(state: WorldState, path: string): number | null {
  const last = ownValue(objectIn(objectIn(state, '_meta'), 'last_changed'), path)
  return typeof last === 'number' ? last : null
}

/** Undefined if there is none. */
export function liveValue(state: WorldState, { npc, path, name }: Stat): unknown {
  const holder = npc === null ? objectIn(state, sectionName(path)) : objectIn(objectIn(state, 'npc'), npc)
  return ownValue(holder, name)
}

/** Adds it to the state if missing. */
export function holderOf(state: WorldState, { npc, path }: Stat): Record<string, unknown> {
  return npc === null ? sectionOf(state, sectionName(path)) : sectionOf(state, 'npc', npc)
}

/** Adds it to the state if missing or not an object. */
export function sectionOf(state: WorldState, ...keys: string[]): Record<string, unknown> {
  let holder: Record<string, unknown> = state
  for (const key of keys) {
    const value = ownValue(holder, key)
    const next = isObject(value) ? value : {}
    if (next !== value) setOwn(holder, key, next)
    holder = next
  }
  return holder
}

function sectionName(path: string): string {
  return path.slice(0, path.indexOf('.'))
}

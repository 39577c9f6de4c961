import { Kind, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { cutTo } from '../../lib/text.ts'
import { within } from '../../lib/numbers.ts'
import { isObject, objectIn, ownValue, setOwn } from '../../lib/objects.ts'
import { type Flag, type Milestone, type NumberStat, readRules, type Stat, type TextStat } from './rules.ts'

/** The author's description of what is counted: `world`, `player`, `npcs`, `flags`, `milestones`, all optional. */
export type StatSchema = Record<string, unknown>

/** Live values, flags, milestones and cooldown bookkeeping (specification 2, "Adventure"). {} without a stat layer. */
export type WorldState = Record<string, unknown>

TypeRegistry.Set('StatSchema', (_, value) => value === null || isObject(value))

/** The shape of a schema as it is sent: an object, or null for none. */
export const statSchema = () =>
  Type.Unsafe<StatSchema | null>({ [Kind]: 'StatSchema', type: ['object', 'null'] } as unknown as TSchema)

const SECTIONS = ['world', 'player', 'npcs', 'flags', 'milestones']

/** Whether a schema counts anything at all. */
export function hasStats(schema: StatSchema | null): schema is StatSchema {
  return schema !== null && SECTIONS.some((section) => Object.keys(objectIn(schema, section)).length > 0)
}

/**
 * The state of a story that begins under a schema: every stat at its initial value, inside its range; every flag as
 * declared. {} without stats.
 */
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
  for (const stat of stats) setOwn(holderOf(state, stat), stat.name, startOf(stat))
  for (const { name, initial } of flags) setOwn(sectionOf(state, 'flags'), name, initial)
  return state
}

/** Where a stat begins: its initial value, inside what its rules allow. */
export function startOf(stat: Stat): number | string {
  return stat.kind === 'text' ? fittingText(stat, stat.initial) : within(stat.initial, stat.min, stat.max)
}

/** A text cut to the length that its stat allows; cut again, it stays the same. Text without a limit of its own still has one: it stands in prompts. */
export function fittingText({ maxLength }: TextStat, text: string): string {
  return cutTo(plainText(text), maxLength ?? LONGEST_TEXT).trimEnd()
}

/** A text on one line, as it is stored. Half a letter is none: a model server would refuse every prompt that holds one. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

export const LONGEST_TEXT = 500

/** The live value of a number, or where it began when the state does not tell. */
export function liveNumber(state: WorldState, stat: NumberStat): number {
  const value = liveValue(state, stat)
  return typeof value === 'number' && Number.isFinite(value)
    ? value
    : within(stat.initial, stat.min, stat.max)
}

/** The live value of a text, or where it began. */
export function liveText(state: WorldState, stat: TextStat): string {
  const value = liveValue(state, stat)
  return typeof value === 'string' ? value : fittingText(stat, stat.initial)
}

/** Whether a flag is set. */
export function liveFlag(state: WorldState, flag: Flag): boolean {
  const value = ownValue(objectIn(state, 'flags'), flag.name)
  return value === undefined ? flag.initial : Boolean(value)
}

/** Whether a milestone is reached. Old and hand-made files say it in several ways. */
export function isReached(state: WorldState, milestone: Pick<Milestone, 'name'>): boolean {
  const entry = ownValue(objectIn(state, 'milestones'), milestone.name)
  return entry === true || (isObject(entry) && entry.reached === true)
}

/** The action index at which a stat last moved; null when it never did. */
export function lastChanged(state: WorldState, path: string): number | null {
  const last = ownValue(objectIn(objectIn(state, '_meta'), 'last_changed'), path)
  return typeof last === 'number' ? last : null
}

/** The stored value of a stat, whatever it is; undefined when there is none. */
export function liveValue(state: WorldState, { npc, path, name }: Stat): unknown {
  const holder = npc === null ? objectIn(state, sectionName(path)) : objectIn(objectIn(state, 'npc'), npc)
  return ownValue(holder, name)
}

/** The object that holds a stat's value, made when it is missing. Alters the state. */
export function holderOf(state: WorldState, { npc, path }: Stat): Record<string, unknown> {
  return npc === null ? sectionOf(state, sectionName(path)) : sectionOf(state, 'npc', npc)
}

/** The object under some keys, made when it is missing or none. Alters the state. */
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

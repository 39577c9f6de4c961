import { Kind, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'

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

/** The state of a story that begins under a schema: every stat at its initial value, every flag as declared. */
export function instantiate(schema: StatSchema | null): WorldState {
  if (!hasStats(schema)) return {}
  return {
    world: initialValues(objectIn(schema, 'world')),
    player: initialValues(objectIn(schema, 'player')),
    npc: mapObject(objectIn(schema, 'npcs'), (npc) => initialValues(objectIn(npc, 'stats'))),
    milestones: {},
    flags: mapObject(objectIn(schema, 'flags'), (flag) => isObject(flag) && Boolean(flag.initial)),
    _meta: { last_changed: {} },
  }
}

// A stat that is not described by an object is skipped, as the engine of the earlier release did.
function initialValues(stats: Record<string, unknown>): Record<string, unknown> {
  const described = Object.entries(stats).filter(([, stat]) => isObject(stat))
  return mapObject(Object.fromEntries(described), (stat) => {
    const { type, initial } = stat as { type?: unknown; initial?: unknown }
    if (type === 'text') return typeof initial === 'string' ? initial : ''
    return typeof initial === 'number' && Number.isFinite(initial) ? initial : 0
  })
}

function objectIn(holder: unknown, key: string): Record<string, unknown> {
  const value = isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : null
  return isObject(value) ? value : {}
}

function mapObject(
  object: Record<string, unknown>,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

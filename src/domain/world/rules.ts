import { isObject, objectIn, ownValue } from '../../lib/objects.ts'

/** A label for a part of a range: from `low` up to but not including `high`, unless `closed`, as the last band is. */
export interface RuleBand {
  low: number
  high: number
  label: string
  closed: boolean
}

interface Described {
  /** `player.warmth`, `npc.ottoline.faith`, `flags.lamp_lit`. */
  path: string
  name: string
  /** The display name: the author's label, or the name without underscores. */
  label: string
  desc: string
}

interface Counted extends Described {
  /** The id of the character that it belongs to; null for stats of the world and the player. */
  npc: string | null
  /** The minimum number of action indexes between two changes. */
  cooldown: number
  /** Hidden from the model: no prompt mentions it, and to the model its path is unknown. */
  hidden: boolean
}

/** A number. A counter only goes up. */
export interface NumberStat extends Counted {
  kind: 'number' | 'counter'
  initial: number
  min: number | null
  max: number | null
  /** The most that one turn may add or subtract. */
  maxGain: number | null
  maxLoss: number | null
  bands: RuleBand[]
  /** The direction that is better for the player; null where its author does not say. */
  better: 'up' | 'down' | null
}

export interface TextStat extends Counted {
  kind: 'text'
  initial: string
  maxLength: number | null
  /** The only allowed texts; null if any text is. */
  options: string[] | null
}

export type Stat = NumberStat | TextStat
export interface Flag extends Described {
  initial: boolean
}
export type Milestone = Described

export interface Npc {
  id: string
  name: string
  keys: string
  desc: string
  stats: Stat[]
}

/** A stat schema, read tolerantly: invalid parts are left out, and nothing throws. */
export interface Rules {
  /** In the author's order: those of the world, of the player, then of each character. */
  stats: Stat[]
  flags: Flag[]
  milestones: Milestone[]
  npcs: Npc[]
}

export function readRules(schema: unknown): Rules {
  const npcs = Object.entries(objectIn(schema, 'npcs')).flatMap(([id, npc]) =>
    isObject(npc) ? [readNpc(id, npc)] : [],
  )
  return {
    stats: [
      ...readStats('world', null, objectIn(schema, 'world')),
      ...readStats('player', null, objectIn(schema, 'player')),
      ...npcs.flatMap(({ stats }) => stats),
    ],
    flags: described('flags', objectIn(schema, 'flags')).map(([flag, def]) => ({
      ...flag,
      initial: Boolean(def.initial),
    })),
    milestones: described('milestones', objectIn(schema, 'milestones')).map(([milestone]) => milestone),
    npcs,
  }
}

/** The label of a value: that of the first band that contains it; null in a gap. */
export function bandOf({ bands }: NumberStat, value: number): string | null {
  const band =
    bands.find(({ low, high }) => low <= value && value < high) ??
    bands.find(({ high, closed }) => closed && value === high)
  return band?.label ?? null
}

/** A stat's name for players: that of a character with the character’s name, “trust of Brisa”. */
export function nameOfStat({ label, npc }: Pick<Stat, 'label' | 'npc'>, npcs: Rules['npcs']): string {
  const owner = npcs.find(({ id }) => id === npc)
  return owner ? `${label} of ${owner.name}` : label
}

/** A milestone is known by what its author says of it. */
export function nameOfMilestone({ desc, label }: Pick<Milestone, 'desc' | 'label'>): string {
  return desc === '' ? label : desc
}

/** A character without stats counts. */
export function hasRules({ stats, flags, milestones, npcs }: Rules): boolean {
  return stats.length + flags.length + milestones.length + npcs.length > 0
}

function readNpc(id: string, npc: Record<string, unknown>): Npc {
  const name = textIn(npc, 'name').trim() || id
  return {
    id,
    name,
    keys: textIn(npc, 'keys').trim() || name,
    desc: textIn(npc, 'desc'),
    stats: readStats(`npc.${id}`, id, objectIn(npc, 'stats')),
  }
}

function readStats(prefix: string, npc: string | null, stats: Record<string, unknown>): Stat[] {
  return described(prefix, stats).map(([stat, def]) => {
    const counted = {
      ...stat,
      npc,
      cooldown: Math.max(0, numberIn(def, 'cooldown') ?? 0),
      hidden: ownValue(def, 'hidden') === true,
    }
    return def.type === 'text' ? { ...counted, ...readText(def) } : { ...counted, ...readNumber(def) }
  })
}

function readNumber(def: Record<string, unknown>) {
  const cap = capIn(def, 'max_delta_per_turn')
  return {
    kind: def.type === 'counter' ? ('counter' as const) : ('number' as const),
    initial: numberIn(def, 'initial') ?? 0,
    min: numberIn(def, 'min'),
    max: numberIn(def, 'max'),
    maxGain: capIn(def, 'max_gain_per_turn') ?? cap,
    maxLoss: capIn(def, 'max_loss_per_turn') ?? cap,
    bands: bandsIn(def),
    better: (['up', 'down'] as const).find((way) => way === def.better) ?? null,
  }
}

function readText(def: Record<string, unknown>) {
  const maxLength = numberIn(def, 'max_length')
  const listed = ownValue(def, 'options')
  const options = Array.isArray(listed) ? listed.filter((option) => typeof option === 'string') : []
  return {
    kind: 'text' as const,
    initial: textIn(def, 'initial'),
    maxLength: maxLength !== null && Number.isInteger(maxLength) && maxLength > 0 ? maxLength : null,
    options: options.length > 0 ? options : null,
  }
}

function described(prefix: string, defs: Record<string, unknown>): [Described, Record<string, unknown>][] {
  return Object.entries(defs).flatMap(([name, def]) =>
    isObject(def)
      ? [
          [
            {
              path: `${prefix}.${name}`,
              name,
              label: textIn(def, 'label').trim() || name.replaceAll('_', ' '),
              desc: textIn(def, 'desc').trim(),
            },
            def,
          ],
        ]
      : [],
  )
}

function bandsIn(def: Record<string, unknown>): RuleBand[] {
  const bands = ownValue(def, 'bands')
  if (!Array.isArray(bands)) return []
  return bands.flatMap((band, i) => {
    const [low, high, label] = Array.isArray(band) ? band : []
    const closed = i === bands.length - 1
    return isNumber(low) && isNumber(high) && typeof label === 'string' ? [{ low, high, label, closed }] : []
  })
}

// A negative cap would reverse every change, so it counts as none.
function capIn(def: Record<string, unknown>, key: string): number | null {
  const cap = numberIn(def, key)
  return cap !== null && cap >= 0 ? cap : null
}

function numberIn(def: Record<string, unknown>, key: string): number | null {
  const value = ownValue(def, key)
  return isNumber(value) ? value : null
}

function textIn(def: Record<string, unknown>, key: string): string {
  const value = ownValue(def, key)
  return typeof value === 'string' ? value : ''
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

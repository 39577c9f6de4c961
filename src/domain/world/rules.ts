import { isObject, objectIn, ownValue } from '../../lib/objects.ts'

/** A label for a part of a range: from `low`, up to but not including `high` unless `closed`, as the last one is. */
export interface Band {
  low: number
  high: number
  label: string
  closed: boolean
}

interface Described {
  /** Where it is written: `player.warmth`, `npc.ottoline.faith`, `flags.lamp_lit`. */
  path: string
  name: string
  /** What the page calls it, where the author wants other words than the name's. */
  label: string
  desc: string
}

interface Counted extends Described {
  /** The character that it belongs to; null for the world's and the player's own. */
  npc: string | null
  /** Least number of action indexes between two changes. */
  cooldown: number
  /** Kept from the model: it is in no prompt, and a change of it is unknown. */
  hidden: boolean
}

/** A stat that is a number. A counter only goes up. */
export interface NumberStat extends Counted {
  kind: 'number' | 'counter'
  initial: number
  min: number | null
  max: number | null
  /** The most that one turn may add or take away. */
  maxGain: number | null
  maxLoss: number | null
  bands: Band[]
}

/** A stat that is a text. */
export interface TextStat extends Counted {
  kind: 'text'
  initial: string
  maxLength: number | null
  /** The only texts that it may be; null when any is. */
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

/** What a schema says, read tolerantly: a part that makes no sense is left out, and nothing throws. */
export interface Rules {
  /** In the author's order: the world's, the player's, then each character's. */
  stats: Stat[]
  flags: Flag[]
  milestones: Milestone[]
  npcs: Npc[]
}

/** Reads a stat schema (specification 1.6 and 2, "Scenario"). */
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

/** The label of a value: the first band that holds it; null in a gap. */
export function bandOf({ bands }: NumberStat, value: number): string | null {
  const band =
    bands.find(({ low, high }) => low <= value && value < high) ??
    bands.find(({ high, closed }) => closed && value === high)
  return band?.label ?? null
}

/** Whether there is anything to count. A character without stats is something. */
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

function bandsIn(def: Record<string, unknown>): Band[] {
  const bands = ownValue(def, 'bands')
  if (!Array.isArray(bands)) return []
  return bands.flatMap((band, i) => {
    const [low, high, label] = Array.isArray(band) ? band : []
    const closed = i === bands.length - 1
    return isNumber(low) && isNumber(high) && typeof label === 'string' ? [{ low, high, label, closed }] : []
  })
}

// A negative cap would turn every change around; it counts as none.
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

/**
 * The rules of the world state once more, in the plainest words: one flat map from path to value. Slow,
 * forgiving of nothing, and only good for being compared with.
 */

export type Value = number | string | boolean

/** What is known of one path: its value, and the turn that last moved it. */
interface Entry {
  value: Value
  last: number | null
}

export type Model = ReadonlyMap<string, Entry>

type Fields = Record<string, unknown>

interface Rule {
  kind: 'number' | 'text' | 'flag' | 'milestone'
  def: Fields
}

const FAR = Number.MAX_SAFE_INTEGER
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const LONGEST_NUMBER = 40
const LONGEST_TEXT = 500

/** A world before its first turn. */
export function modelBegin(schema: Fields): Model {
  const model = new Map<string, Entry>()
  for (const [path, { kind, def }] of rulesOf(schema)) {
    if (kind === 'number') model.set(path, { value: inRange(def, Number(def.initial ?? 0)), last: null })
    if (kind === 'text') model.set(path, { value: fitted(def, String(def.initial ?? '')), last: null })
    if (kind === 'flag') model.set(path, { value: Boolean(def.initial), last: null })
  }
  return model
}

/** The world after one turn's proposed changes. */
export function modelTurn(model: Model, schema: Fields, delta: Fields, turn: number): Model {
  const after = new Map(model)
  const rules = rulesOf(schema)
  for (const path of Object.keys(delta)) {
    const rule = rules.get(path)
    if (rule === undefined || rule.def.hidden === true) continue
    const old = model.get(path)
    const value = changed(rule, old, delta[path], turn)
    if (value === null || value === old?.value) continue
    const isStat = rule.kind === 'number' || rule.kind === 'text'
    after.set(path, { value, last: isStat ? turn : null })
  }
  return after
}

/** The world after a player set some values. */
export function modelByHand(model: Model, schema: Fields, values: Fields): Model {
  const after = new Map(model)
  const rules = rulesOf(schema)
  for (const path of Object.keys(values)) {
    const rule = rules.get(path)
    if (rule === undefined) continue
    const value = setTo(rule, values[path])
    if (value === null) continue
    if (rule.kind === 'milestone' && value === false) after.delete(path)
    else after.set(path, { value, last: model.get(path)?.last ?? null })
  }
  return after
}

/** Every value by its path; a milestone only once it is reached. */
export function modelValues(model: Model): Record<string, Value> {
  return Object.fromEntries([...model].map(([path, { value }]) => [path, value]))
}

/** What a path becomes in a turn; null when the change is refused. */
function changed({ kind, def }: Rule, old: Entry | undefined, asked: unknown, turn: number): Value | null {
  if (kind === 'milestone') return asked === true ? true : null
  if (kind === 'flag') {
    if (asked === true || asked === 'true') return true
    return asked === false || asked === 'false' ? false : null
  }
  if (isResting(def, old?.last ?? null, turn)) return null
  if (kind === 'text') return textFrom(def, asked)
  const change = numberFrom(asked)
  if (change === null || rounded(change) === 0) return null
  if (change < 0 && def.type === 'counter') return null
  const most = change > 0 ? capOf(def.max_gain_per_turn, def) : capOf(def.max_loss_per_turn, def)
  const given = change > 0 ? Math.min(change, most) : Math.max(change, -most)
  const before = Number(old?.value ?? 0)
  return inRange(def, rounded(before + given)) + 0
}

/** What a path becomes when it is set; null when the value does not do. */
function setTo({ kind, def }: Rule, asked: unknown): Value | null {
  if (kind === 'text') return textFrom(def, asked)
  if (kind === 'number') {
    const value = numberFrom(asked)
    return value === null ? null : inRange(def, rounded(value)) + 0
  }
  return typeof asked === 'boolean' ? asked : null
}

function numberFrom(asked: unknown): number | null {
  if (typeof asked === 'number') return Number.isFinite(asked) ? asked : null
  if (typeof asked !== 'string') return null
  const text = asked.trim().replace(/^[−–]/, '-')
  if (text.length > LONGEST_NUMBER || !NUMBER.test(text)) return null
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

function textFrom(def: Fields, asked: unknown): string | null {
  if (typeof asked !== 'string') return null
  const options = (def.options ?? []) as string[]
  if (options.length === 0) return fitted(def, asked)
  const wanted = asked.trim().toLowerCase()
  return options.find((option) => option.trim().toLowerCase() === wanted) ?? null
}

function isResting(def: Fields, last: number | null, turn: number): boolean {
  return last !== null && last <= turn && turn - last < Number(def.cooldown ?? 0)
}

function capOf(own: unknown, def: Fields): number {
  const cap = Number(own ?? def.max_delta_per_turn ?? -1)
  return cap < 0 ? Number.POSITIVE_INFINITY : cap
}

function inRange(def: Fields, value: number): number {
  return Math.min(Math.max(value, Number(def.min ?? -FAR)), Number(def.max ?? FAR))
}

function rounded(value: number): number {
  return (Number.isInteger(value) ? value : Number(value.toFixed(6))) + 0
}

function fitted(def: Fields, text: string): string {
  return [...text.trim()].slice(0, Number(def.max_length ?? LONGEST_TEXT)).join('')
}

/** Every path that a schema declares. */
function rulesOf(schema: Fields): Map<string, Rule> {
  const rules = new Map<string, Rule>()
  const addStats = (prefix: string, stats: unknown) => {
    for (const [name, def] of entriesOf(stats))
      rules.set(`${prefix}.${name}`, { kind: def.type === 'text' ? 'text' : 'number', def })
  }
  addStats('world', schema.world)
  addStats('player', schema.player)
  for (const [id, npc] of entriesOf(schema.npcs)) addStats(`npc.${id}`, npc.stats)
  for (const [name, def] of entriesOf(schema.flags)) rules.set(`flags.${name}`, { kind: 'flag', def })
  for (const [name, def] of entriesOf(schema.milestones))
    rules.set(`milestones.${name}`, { kind: 'milestone', def })
  return rules
}

function entriesOf(section: unknown): [string, Fields][] {
  return Object.entries((section ?? {}) as Record<string, Fields>)
}

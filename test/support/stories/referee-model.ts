/**
 * An independent model of the rules of the world state: one flat map from path to value. Simple, slow and strict; only
 * for comparing the program with.
 */

export type Value = number | string | boolean

/** One path: its value, the turn that last changed it, and the turn in which a milestone was reached. */
export interface Entry {
  value: Value
  last: number | null
  at?: number
}

/** The outcome of one change. A refusal has a reason; everything else has the old and the new value. */
export type Verdict =
  | { path: string; verdict: 'refused'; asked: unknown; reason: string }
  | {
      path: string
      verdict: 'applied' | 'limited' | 'corrected' | 'manual'
      asked: unknown
      given: Value
      old: Value
      new: Value
    }

export type Model = ReadonlyMap<string, Entry>

export type Fields = Record<string, unknown>

export interface Rule {
  kind: 'number' | 'text' | 'flag' | 'milestone'
  def: Fields
}

const FAR = Number.MAX_SAFE_INTEGER
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const LONGEST_NUMBER = 40
const LONGEST_TEXT = 500
const LONGEST_LINE = 120
const LONGEST_PATH = 200

/** The world before the first turn. */
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
  return modelJudged(model, schema, delta, turn).model
}

/** The world after one turn's proposed changes, and the outcome of each. */
export function modelJudged(
  model: Model,
  schema: Fields,
  delta: Fields,
  turn: number,
): { model: Model; verdicts: Verdict[] } {
  const after = new Map(model)
  const shown = new Map([...rulesOf(schema)].filter(([, { def }]) => def.hidden !== true))
  const verdicts: Verdict[] = []
  const written = Object.keys(delta)
  const meant = written.map((path) => meantBy(path, shown, schema))
  for (const [i, path] of meant.entries()) {
    const wrote = written[i] ?? ''
    const rule = shown.get(path ?? '')
    const one =
      path === null || rule === undefined
        ? refusal(wrote.slice(0, LONGEST_PATH), delta[wrote], unknownReason(wrote, schema))
        : meant.lastIndexOf(path) !== i
          ? refusal(path, delta[wrote], 'written twice')
          : changed(path, rule, after.get(path), { asked: delta[wrote], turn })
    if (one === null) continue
    verdicts.push(one.verdict === 'applied' && path !== wrote ? { ...one, verdict: 'corrected' } : one)
    if (one.verdict === 'refused' || one.new === one.old) continue
    const isStat = rule?.kind === 'number' || rule?.kind === 'text'
    const at = rule?.kind === 'milestone' ? { at: turn } : {}
    after.set(one.path, { value: one.new, last: isStat ? turn : null, ...at })
  }
  return { model: after, verdicts }
}

/** The path that a model means with what it wrote; null for none that it is shown. */
export function pathMeant(written: string, schema: Fields): string | null {
  return meantBy(written, new Map([...rulesOf(schema)].filter(([, { def }]) => def.hidden !== true)), schema)
}

/** Whether a turn can move anything. No character is there to be moved. */
export function canMove(model: Model, schema: Fields, turn: number): boolean {
  return [...rulesOf(schema)].some(([path, { kind, def }]) => {
    const entry = model.get(path)
    if (path.startsWith('npc.') || def.hidden === true) return false
    if (kind === 'flag') return true
    if (kind === 'milestone') return entry?.value !== true
    if (entry === undefined || isResting(def, entry.last, turn)) return false
    const options = (def.options ?? []) as string[]
    if (kind === 'text') return options.length === 0 || options.some((option) => option !== entry.value)
    const value = Number(entry.value)
    const up = Math.min(capOf(def.max_gain_per_turn, def), Number(def.max ?? FAR) - value)
    const down = Math.min(capOf(def.max_loss_per_turn, def), value - Number(def.min ?? -FAR))
    return rounded(up) > 0 || (def.type !== 'counter' && rounded(down) > 0)
  })
}

/** The world after a player set some values. */
export function modelByHand(model: Model, schema: Fields, values: Fields): Model {
  return modelSet(model, schema, values).model
}

/** The world after a player set some values, and the outcome of each. */
export function modelSet(
  model: Model,
  schema: Fields,
  values: Fields,
): { model: Model; verdicts: Verdict[] } {
  const after = new Map(model)
  const rules = rulesOf(schema)
  const verdicts: Verdict[] = []
  for (const wrote of Object.keys(values)) {
    const path = meantBy(wrote, rules, schema)
    const rule = rules.get(path ?? '')
    if (path === null || rule === undefined) {
      verdicts.push(refusal(wrote.slice(0, LONGEST_PATH), values[wrote], unknownReason(wrote, schema)))
      continue
    }
    const before = after.get(path)
    const old = before?.value ?? (rule.kind === 'number' ? 0 : rule.kind === 'text' ? '' : false)
    const value = setTo(rule, values[wrote])
    if (typeof value !== 'object') {
      if (value === old) continue
      const asked = rule.kind === 'number' ? numberFrom(values[wrote]) : value
      verdicts.push({ path, verdict: 'manual', asked, given: value, old, new: value })
      if (rule.kind === 'milestone' && value === false) after.delete(path)
      else after.set(path, { value, last: before?.last ?? null })
    } else verdicts.push(refusal(path, values[wrote], value.reason))
  }
  return { model: after, verdicts }
}

/** What a refresh does to a world. */
export interface Fitted {
  model: Model
  added: string[]
  removed: string[]
  changed: { path: string; what: string }[]
}

/** The world under another schema. */
export function modelFitted(model: Model, schema: Fields): Fitted {
  const begun = modelBegin(schema)
  const rules = rulesOf(schema)
  const after = new Map<string, Entry>()
  const changed: Fitted['changed'] = []
  for (const [path, entry] of begun) {
    const kept = model.get(path)
    const rule = rules.get(path)
    if (rule === undefined) continue
    if (kept === undefined) after.set(path, entry)
    else {
      const { value, what } = fitting(rule, kept.value, entry.value)
      after.set(path, { value, last: kept.last })
      if (what !== null) changed.push({ path, what })
    }
  }
  for (const [path, entry] of model) if (rules.get(path)?.kind === 'milestone') after.set(path, entry)
  return {
    model: after,
    added: [...begun.keys()].filter((path) => !model.has(path)),
    removed: [...model.keys()].filter((path) => !rules.has(path)),
    changed,
  }
}

/** A value that is kept, or its replacement because it no longer fits. */
function fitting({ kind, def }: Rule, kept: Value, initial: Value): { value: Value; what: string | null } {
  if (kind === 'flag') return { value: kept, what: null }
  if (typeof kept !== typeof initial) return { value: initial, what: 'kind' }
  if (kind === 'number') {
    const value = inRange(def, Number(kept))
    return { value, what: value === kept ? null : 'range' }
  }
  const options = (def.options ?? []) as string[]
  if (options.length === 0) {
    const value = fitted(def, String(kept))
    return value === String(kept).trim() ? { value: kept, what: null } : { value, what: 'length' }
  }
  const isFit = options.includes(String(kept)) || kept === initial
  return isFit ? { value: kept, what: null } : { value: initial, what: 'option' }
}

/** Every value by its path; a milestone only once it is reached. */
export function modelValues(model: Model): Record<string, Value> {
  return Object.fromEntries([...model].map(([path, { value }]) => [path, value]))
}

/** The outcome of a change in a turn; null if it has no effect. */
function changed(
  path: string,
  { kind, def }: Rule,
  entry: Entry | undefined,
  { asked, turn }: { asked: unknown; turn: number },
): Verdict | null {
  const old = entry?.value ?? (kind === 'number' ? 0 : kind === 'text' ? '' : false)
  const moved = (verdict: 'applied' | 'limited' | 'corrected', next: Value, given = next): Verdict | null =>
    next === old && kind !== 'number' ? null : { path, verdict, asked: plain(asked), given, old, new: next }
  if (kind === 'milestone') {
    if (asked !== true) return refusal(path, asked, 'not true')
    return moved('applied', true)
  }
  if (kind === 'flag') {
    if (typeof asked === 'boolean') return moved('applied', asked)
    if (asked !== 'true' && asked !== 'false') return refusal(path, asked, 'not a boolean')
    return moved('corrected', asked === 'true')
  }
  const change = numberFrom(asked)
  if (kind === 'number' ? change === null : typeof asked !== 'string')
    return refusal(path, asked, kind === 'number' ? 'not a number' : 'not a string')
  if (kind === 'number' && rounded(change ?? 0) === 0) return null
  if (isResting(def, entry?.last ?? null, turn)) return refusal(path, asked, 'cooldown')
  if (kind === 'text') {
    const text = textFrom(def, asked)
    if (text === null) return refusal(path, asked, 'not an option')
    const isWhole = def.options != null || text === String(asked).trim().toWellFormed()
    return moved(isWhole ? 'applied' : 'limited', text)
  }
  const wanted = change ?? 0
  if (wanted < 0 && def.type === 'counter') return refusal(path, asked, "counter can't decrease")
  const most = wanted > 0 ? capOf(def.max_gain_per_turn, def) : capOf(def.max_loss_per_turn, def)
  const allowed = wanted > 0 ? Math.min(wanted, most) : Math.max(wanted, -most)
  const next = inRange(def, rounded(Number(old) + allowed))
  const given = rounded(next - Number(old))
  const outcome = moved(given === rounded(wanted) ? 'applied' : 'limited', next, given)
  return outcome && { ...outcome, asked: wanted }
}

/** The value of a path when it is set, or why it is refused. */
function setTo({ kind, def }: Rule, asked: unknown): Value | { reason: string } {
  if (kind === 'text') {
    if (typeof asked !== 'string') return { reason: 'not a string' }
    return textFrom(def, asked) ?? { reason: 'not an option' }
  }
  if (kind === 'number') {
    const value = numberFrom(asked)
    return value === null ? { reason: 'not a number' } : inRange(def, rounded(value))
  }
  return typeof asked === 'boolean' ? asked : { reason: 'not a boolean' }
}

function refusal(path: string, asked: unknown, reason: string): Verdict {
  return { path, verdict: 'refused', asked: plain(asked), reason }
}

/** What is stored of a proposed value: numbers, booleans, and a line of text. */
function plain(asked: unknown): unknown {
  if (typeof asked === 'string') return [...asked].slice(0, LONGEST_LINE).join('')
  return typeof asked === 'boolean' || Number.isFinite(asked) ? asked : null
}

/** The path that was meant: the exact one, or the only one with this loose spelling; null for none. */
function meantBy(written: string, rules: ReadonlyMap<string, Rule>, schema: Fields): string | null {
  if (rules.has(written)) return written
  const fits = [...(spellingsOf(schema).get(loosely(written)) ?? [])].filter((path) => rules.has(path))
  return fits.length === 1 ? (fits[0] ?? null) : null
}

const spellings = new WeakMap<Fields, Map<string, Set<string>>>()

/** The paths of a schema by every loose spelling. */
function spellingsOf(schema: Fields): Map<string, Set<string>> {
  const known = spellings.get(schema)
  if (known) return known
  const found = new Map<string, Set<string>>()
  spellings.set(schema, found)
  for (const path of rulesOf(schema).keys()) {
    const [section, id = '', stat = id] = path.split('.')
    const npc = section === 'npc' ? (entriesOf(schema.npcs).find(([key]) => key === id)?.[1] ?? {}) : null
    const name = String(npc?.name ?? '').trim() || id
    const ways = npc ? [`npc.${name}.${stat}`, `${name}.${stat}`, `${id}.${stat}`] : []
    for (const way of [path, stat, ...ways]) {
      const loose = loosely(way)
      found.set(loose, (found.get(loose) ?? new Set()).add(path))
    }
  }
  return found
}

function loosely(written: string): string {
  const low = written.trim().toLowerCase()
  const [section = '', ...names] = low.split('.')
  const plural: Record<string, string> = { npcs: 'npc', flag: 'flags', milestone: 'milestones' }
  const known = names.length > 0 && Object.hasOwn(plural, section) ? plural[section] : section
  return [known ?? '', ...names].map((name) => name.trim().replace(/[\s_-]+/g, ' ')).join('.')
}

function unknownReason(written: string, schema: Fields): string {
  const [section = '', id = '', stat] = written.trim().split('.')
  if (section === 'flags') return 'unknown flag'
  if (section === 'milestones') return 'unknown milestone'
  if (section === 'world' || section === 'player') return 'unknown stat'
  if ((section !== 'npc' && section !== 'npcs') || stat === undefined) return 'unknown path'
  return Object.hasOwn((schema.npcs ?? {}) as Fields, id) ? 'unknown npc stat' : 'unknown npc'
}

function numberFrom(asked: unknown): number | null {
  if (typeof asked === 'number') return Number.isFinite(asked) ? asked + 0 : null
  if (typeof asked !== 'string') return null
  const text = asked.trim().replace(/^[−–]/, '-')
  if (text.length > LONGEST_NUMBER || !NUMBER.test(text)) return null
  const number = Number(text) + 0
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
  return Math.min(Math.max(value, Number(def.min ?? -FAR)), Number(def.max ?? FAR)) + 0
}

export function rounded(value: number): number {
  return (Number.isInteger(value) ? value : Number(value.toFixed(6))) + 0
}

function fitted(def: Fields, text: string): string {
  return [...text.trim().toWellFormed()]
    .slice(0, Number(def.max_length ?? LONGEST_TEXT))
    .join('')
    .trimEnd()
}

/** Every path that a schema declares. */
export function rulesOf(schema: Fields): Map<string, Rule> {
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

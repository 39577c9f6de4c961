import type { Fields, Pick } from './random-worlds.ts'
import { rulesOf } from './referee-model.ts'

/** Random edits of a schema by its author: entries are added, removed and redefined. */
export function rewritten(schema: Fields, picked: Pick[]): Fields {
  const next = structuredClone(schema)
  for (const [at, manner, amount] of picked) {
    const paths = [...rulesOf(next).keys()]
    const path = paths[at % (paths.length || 1)] ?? ''
    const rule = rulesOf(next).get(path)
    if (manner % 10 === 8) changeCast(next, at, amount)
    else if (manner % 10 === 9 || rule === undefined) add(next, at, amount)
    else if (manner % 10 === 0) drop(next, path)
    else if (rule.kind === 'number') changeNumber(rule.def, manner % 10, at, amount)
    else if (rule.kind === 'text') changeText(rule.def, manner % 10, at)
    else rule.def.desc = `Redefined, ${at}.`
  }
  return next
}

/** All paths of a schema. */
export function pathsIn(schema: Fields): string[] {
  return [...rulesOf(schema).keys()]
}

/** A schema with only these paths. */
export function only(schema: Fields, paths: readonly string[]): Fields {
  const fewer = structuredClone(schema)
  for (const path of pathsIn(schema)) if (!paths.includes(path)) drop(fewer, path)
  return fewer
}

function changeNumber(def: Fields, manner: number, at: number, amount: number): void {
  if (manner === 1) def.max = amount
  if (manner === 2) def.min = amount
  if (manner === 3) become(def, 'text')
  if (manner === 4) def.max_delta_per_turn = Math.abs(amount)
  if (manner === 5) def.max_loss_per_turn = Math.abs(amount)
  if (manner === 6) def.cooldown = at % 5
  if (manner === 7) def.initial = amount
  const { min, max } = def
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    Object.assign(def, { min: max, max: min })
}

function changeText(def: Fields, manner: number, at: number): void {
  if (manner < 3) def.max_length = 1 + (at % 9)
  else if (manner === 3) become(def, 'number')
  else if (manner < 6) def.options = ['calm', 'wet', 'two words'].slice(0, 1 + (at % 3))
  else def.cooldown = at % 5
}

/** Changes the kind of a stat and keeps only the keys that every kind has. */
function become(def: Fields, type: string): void {
  for (const key of Object.keys(def)) if (key !== 'cooldown' && key !== 'hidden') delete def[key]
  def.type = type
}

function drop(schema: Fields, path: string): void {
  const keys = path.split('.')
  const [section = '', id = '', stat] = keys
  const holder = stat === undefined ? schema[section] : ((schema.npcs as Fields)[id] as Fields).stats
  delete (holder as Fields)[stat ?? id]
}

function changeCast(schema: Fields, at: number, amount: number): void {
  const cast = (schema.npcs ?? {}) as Fields
  const ids = Object.keys(cast)
  const id = ids[at % (ids.length || 1)]
  if (id !== undefined && at % 2 === 0) delete cast[id]
  else if (id !== undefined && at % 3 === 0) cast[id] = { ...(cast[id] as Fields), desc: `Changed, ${at}.` }
  else
    cast.keeper = {
      name: 'The Keeper',
      desc: 'Old.',
      stats: { nerve: { initial: amount, min: -50, max: 50 } },
    }
  schema.npcs = cast
}

function add(schema: Fields, at: number, amount: number): void {
  const put = (section: string, name: string, def: Fields) => {
    schema[section] = { ...(schema[section] as Fields), [name]: def }
  }
  if (at % 4 === 0) put('player', 'luck', { initial: amount, max: 50 })
  if (at % 4 === 1) put('world', 'tide', { type: 'counter', max_delta_per_turn: 2, cooldown: 2 })
  if (at % 4 === 2) put('flags', 'fog', { initial: amount > 0 })
  if (at % 4 === 3) put('milestones', 'rescue', {})
}

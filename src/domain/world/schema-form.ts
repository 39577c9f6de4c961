import type { Fault } from '../errors.ts'
import { readNumber } from '../../lib/numbers.ts'
import { isObject, objectIn, ownValue, setOwn } from '../../lib/objects.ts'
import type { StatSchema } from './state.ts'

/**
 * A stat schema as the fields of a form and back. Each thing that is counted has fields `<field>:<path>`, by the path that
 * it had when the form was made; `base` holds the schema of that moment, so that keys which the form does not show are kept.
 */
export type Fields = Record<string, string>

type Def = Record<string, unknown>

const NUMBERS = [
  'initial',
  'min',
  'max',
  'max_delta_per_turn',
  'max_gain_per_turn',
  'max_loss_per_turn',
  'cooldown',
  'max_length',
]
const TEXTS = ['label', 'desc', 'keys']

/** A schema from the fields of its form. Nothing that was typed is lost: what cannot be used stands in it as it was typed. */
export function schemaFrom(fields: Fields, base: StatSchema): { schema: StatSchema; faults: Fault[] } {
  const faults: Fault[] = []
  const schema: StatSchema = {}
  for (const [key, value] of Object.entries(base)) if (!SECTIONS.includes(key)) setOwn(schema, key, value)
  const stats = (section: string, defs: Def): Def =>
    renamed(section, defs, fields, faults, (path, def) => statFrom(fields, path, def))
  const parts: [string, Def][] = [
    ['world', stats('world', objectIn(base, 'world'))],
    ['player', stats('player', objectIn(base, 'player'))],
    [
      'npcs',
      renamed('npc', objectIn(base, 'npcs'), fields, faults, (path, def) => ({
        ...textsFrom(fields, path, def),
        ...textFrom(fields, path, 'name', 'shown'),
        stats: stats(path, objectIn(def, 'stats')),
      })),
    ],
    [
      'flags',
      renamed('flags', objectIn(base, 'flags'), fields, faults, (path, def) => switchFrom(fields, path, def)),
    ],
    [
      'milestones',
      renamed('milestones', objectIn(base, 'milestones'), fields, faults, (path, def) =>
        textsFrom(fields, path, def),
      ),
    ],
  ]
  for (const [section, defs] of parts) if (Object.keys(defs).length > 0) schema[section] = defs
  return { schema, faults }
}

const SECTIONS = ['world', 'player', 'npcs', 'flags', 'milestones']

/** The same schema with one more thing in a section: `world`, `player`, `npcs`, `flags`, `milestones`, or `npc.<id>`. */
export function withNew(schema: StatSchema, section: string): StatSchema {
  const changed = structuredClone(schema)
  const holder = holderIn(changed, section)
  const [stem, def] = NEW[section] ?? ['stat', { min: 0, max: 100, initial: 0 }]
  let name = stem
  for (let i = 1; Object.hasOwn(holder, name); i++) name = `${stem}_${i}`
  holder[name] = structuredClone(def)
  return changed
}

const NEW: Record<string, [name: string, def: Def]> = {
  npcs: ['somebody', { name: '', keys: '', desc: '', stats: {} }],
  flags: ['flag', { initial: false, desc: '' }],
  milestones: ['goal', { desc: '' }],
}

/** The same schema without one thing. */
export function without(schema: StatSchema, path: string): StatSchema {
  const changed = structuredClone(schema)
  const [section = '', first = '', ...rest] = path.split('.')
  if (section !== 'npc') delete holderIn(changed, section)[[first, ...rest].join('.')]
  else if (rest.length === 0) delete holderIn(changed, 'npcs')[first]
  else delete holderIn(changed, `npc.${first}`)[rest.join('.')]
  return changed
}

function holderIn(schema: StatSchema, section: string): Def {
  if (!section.startsWith('npc.')) return made(schema, section)
  return made(made(made(schema, 'npcs'), section.slice('npc.'.length)), 'stats')
}

function made(holder: Def, key: string): Def {
  const value = ownValue(holder, key)
  if (isObject(value)) return value
  const fresh: Def = {}
  setOwn(holder, key, fresh)
  return fresh
}

/** Keeps the order, and the old name where a new one is taken or empty: two things of one name would be one. */
function renamed(
  section: string,
  defs: Def,
  fields: Fields,
  faults: Fault[],
  change: (path: string, def: Def) => Def,
): Def {
  const taken = new Set(Object.keys(defs))
  const result: Def = {}
  for (const [name, def] of Object.entries(defs)) {
    const path = `${section}.${name}`
    const wanted = (fields[`name:${path}`] ?? name).trim()
    const isTaken = wanted !== name && (taken.has(wanted) || Object.hasOwn(result, wanted))
    if (isTaken)
      faults.push({ path, message: `cannot be called “${wanted}”: there is one of that name already` })
    if (wanted === '') faults.push({ path, message: 'needs a name' })
    const kept = isTaken || wanted === '' ? name : wanted
    setOwn(result, kept, isObject(def) ? change(path, def) : def)
  }
  return result
}

function statFrom(fields: Fields, path: string, def: Def): Def {
  const kind = fields[`type:${path}`]
  const numbers = NUMBERS.filter((key) => key !== 'initial' || kind !== 'text')
  return {
    ...textsFrom(fields, path, def),
    ...(kind === undefined ? {} : optional('type', kind === 'number' ? '' : kind)),
    ...Object.assign({}, ...numbers.map((key) => numberFrom(fields, path, key))),
    ...(kind === 'text' ? textFrom(fields, path, 'initial') : {}),
    ...listFrom(fields, path, 'bands', bandFrom),
    ...listFrom(fields, path, 'options', (line) => line),
    ...(kind === undefined ? {} : { hidden: fields[`hidden:${path}`] === '1' ? true : undefined }),
  }
}

function switchFrom(fields: Fields, path: string, def: Def): Def {
  const isShown = fields[`name:${path}`] !== undefined
  return { ...textsFrom(fields, path, def), ...(isShown ? { initial: fields[`on:${path}`] === '1' } : {}) }
}

function textsFrom(fields: Fields, path: string, def: Def): Def {
  return Object.assign({ ...def }, ...TEXTS.map((key) => textFrom(fields, path, key)))
}

function textFrom(fields: Fields, path: string, key: string, field = key): Def {
  const text = fields[`${field}:${path}`]
  return text === undefined ? {} : optional(key, text.trim())
}

function numberFrom(fields: Fields, path: string, key: string): Def {
  const text = fields[`${key}:${path}`]?.trim()
  return text === undefined ? {} : optional(key, text === '' ? '' : (readNumber(text) ?? text))
}

function listFrom(fields: Fields, path: string, key: string, read: (line: string) => unknown): Def {
  const text = fields[`${key}:${path}`]
  if (text === undefined) return {}
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return optional(key, lines.length === 0 ? '' : lines.map((line) => read(line.trim())))
}

const BAND =
  /^([+-]?(?:\d+(?:\.\d+)?|\.\d+))(?:\s*(?:–|—|-|to|\.\.|,)\s*|\s+)([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*[:,]?\s*([\s\S]*)$/

/** "0 to 12 numb" as a band; what is none stays as it was typed. */
function bandFrom(line: string): unknown {
  const [, low, high, label] = BAND.exec(line) ?? []
  return low !== undefined && high !== undefined && label ? [Number(low), Number(high), label] : [line]
}

/** The text of a stored list, a line for each entry. */
export function linesOf(list: unknown): string {
  if (!Array.isArray(list)) return ''
  return list
    .map((entry) => {
      if (!Array.isArray(entry)) return String(entry)
      const [low, high, label] = entry
      return entry.length === 3 ? `${low} to ${high} ${label}` : entry.join(' ')
    })
    .join('\n')
}

// An undefined value is left out of the JSON that is stored; it takes the place of the old one.
function optional(key: string, value: unknown): Def {
  return { [key]: value === '' ? undefined : value }
}

import { readNumber } from '../../lib/numbers.ts'
import { isObject, objectIn, ownValue, setOwn } from '../../lib/objects.ts'
import { checkFrom, NEW_CHECK, withFullPaths } from '../checks/check-form.ts'
import type { FieldError } from '../errors.ts'
import type { StatSchema } from './state.ts'

/**
 * The fields of a form that edits a stat schema, named `<field>:<path>` by the path that an entry had when the form was
 * made. `base` is the schema at that moment; it preserves the keys that the form does not show.
 */
type SchemaFormFields = Record<string, string>

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

/** A form, the errors found in it, and the paths of its entries now, by those that they had when it was made. */
interface FormReader {
  fields: SchemaFormFields
  faults: FieldError[]
  paths: Map<string, string>
}

/** Makes a schema from the fields of its form. Input that is not valid goes into the schema as typed, so that none of it is lost. */
export function schemaFromForm(
  fields: SchemaFormFields,
  base: StatSchema,
): { schema: StatSchema; faults: FieldError[] } {
  const form: FormReader = { fields, faults: [], paths: new Map() }
  const schema: StatSchema = {}
  for (const [key, value] of Object.entries(base))
    if (!Object.hasOwn(SECTIONS, key)) setOwn(schema, key, value)
  for (const [section, readEntry] of Object.entries(SECTIONS)) {
    const entries = entriesFrom(form, pathPrefix(section), objectIn(base, section), readEntry)
    if (Object.keys(entries).length > 0) schema[section] = entries
  }
  if (isObject(schema.checks)) schema.checks = withFullPaths(schema.checks, schema, form.paths)
  return { schema, faults: form.faults }
}

/** `def` is the definition of the entry in the base schema. */
type EntryReader = (form: FormReader, path: string, def: Def) => Def

const SECTIONS: Record<string, EntryReader> = {
  world: statFrom,
  player: statFrom,
  npcs: npcFrom,
  flags: flagFrom,
  milestones: ({ fields }, path, def) => textsFrom(fields, path, def),
  checks: ({ fields }, path, def) => checkFrom((field) => fields[`${field}:${path}`], def),
}

function pathPrefix(section: string): string {
  return section === 'npcs' ? 'npc' : section
}

/**
 * Adds an entry to a section: `world`, `player`, `npcs`, `flags`, `milestones`, `checks`, or `npc.<id>`. Its name is blank, which no
 * valid schema has, so that nothing of it is in use before its author has named it.
 */
export function withNewEntry(schema: StatSchema, section: string): StatSchema {
  const changed = structuredClone(schema)
  const holder = holderIn(changed, section)
  let name = ''
  while (Object.hasOwn(holder, name)) name += ' '
  holder[name] = structuredClone(NEW_ENTRIES.get(section) ?? { min: 0, max: 100, initial: 0 })
  return changed
}

const NEW_ENTRIES = new Map<string, Def>([
  ['npcs', { name: '', keys: '', desc: '', stats: {} }],
  ['flags', { initial: false, desc: '' }],
  ['milestones', { desc: '' }],
  ['checks', NEW_CHECK],
])

export function withoutEntry(schema: StatSchema, path: string): StatSchema {
  const changed = structuredClone(schema)
  const [section = '', first = '', ...rest] = path.split('.')
  if (section !== 'npc') delete holderIn(changed, section)[[first, ...rest].join('.')]
  else if (rest.length === 0) delete holderIn(changed, 'npcs')[first]
  else delete holderIn(changed, `npc.${first}`)[rest.join('.')]
  return changed
}

function holderIn(schema: StatSchema, section: string): Def {
  if (!section.startsWith('npc.')) return objectAt(schema, section)
  return objectAt(objectAt(objectAt(schema, 'npcs'), section.slice('npc.'.length)), 'stats')
}

function objectAt(holder: Def, key: string): Def {
  const value = ownValue(holder, key)
  if (isObject(value)) return value
  const fresh: Def = {}
  setOwn(holder, key, fresh)
  return fresh
}

/** Keeps the order. An entry whose new name is empty or in use keeps its old name, because names are unique. */
function entriesFrom(form: FormReader, prefix: string, defs: Def, readEntry: EntryReader): Def {
  const { fields, faults } = form
  const oldNames = new Set(Object.keys(defs))
  const entries: Def = {}
  for (const [name, def] of Object.entries(defs)) {
    const path = `${prefix}.${name}`
    const newName = (fields[`name:${path}`] ?? name).trim()
    const isTaken = newName !== name && (oldNames.has(newName) || Object.hasOwn(entries, newName))
    if (isTaken) faults.push({ path, message: `cannot be named “${newName}”, because that name is in use` })
    if (newName === '' && name.trim() !== '') faults.push({ path, message: 'needs a name' })
    const kept = isTaken || newName === '' ? name : newName
    form.paths.set(path, `${form.paths.get(prefix) ?? prefix}.${kept}`)
    setOwn(entries, kept, isObject(def) ? readEntry(form, path, def) : def)
  }
  return entries
}

function npcFrom(form: FormReader, path: string, def: Def): Def {
  return {
    ...textsFrom(form.fields, path, def),
    ...textFrom(form.fields, path, 'name', 'shown'),
    stats: entriesFrom(form, path, objectIn(def, 'stats'), statFrom),
  }
}

function statFrom({ fields }: FormReader, path: string, def: Def): Def {
  const kind = fields[`type:${path}`]
  const numbers = NUMBERS.filter((key) => key !== 'initial' || kind !== 'text')
  return {
    ...textsFrom(fields, path, def),
    ...(kind === undefined ? {} : optional('type', kind === 'number' ? '' : kind)),
    ...Object.assign({}, ...numbers.map((key) => numberFrom(fields, path, key))),
    ...(kind === 'text' ? textFrom(fields, path, 'initial') : {}),
    ...textFrom(fields, path, 'better'),
    ...listFrom(fields, path, 'bands', bandFrom),
    ...listFrom(fields, path, 'options', (line) => line),
    ...(kind === undefined ? {} : { hidden: fields[`hidden:${path}`] === '1' ? true : undefined }),
  }
}

function flagFrom({ fields }: FormReader, path: string, def: Def): Def {
  const isShown = fields[`name:${path}`] !== undefined
  return { ...textsFrom(fields, path, def), ...(isShown ? { initial: fields[`on:${path}`] === '1' } : {}) }
}

function textsFrom(fields: SchemaFormFields, path: string, def: Def): Def {
  return Object.assign({ ...def }, ...TEXTS.map((key) => textFrom(fields, path, key)))
}

function textFrom(fields: SchemaFormFields, path: string, key: string, field = key): Def {
  const text = fields[`${field}:${path}`]
  return text === undefined ? {} : optional(key, text.trim())
}

function numberFrom(fields: SchemaFormFields, path: string, key: string): Def {
  const text = fields[`${key}:${path}`]?.trim()
  return text === undefined ? {} : optional(key, text === '' ? '' : (readNumber(text) ?? text))
}

function listFrom(fields: SchemaFormFields, path: string, key: string, read: (line: string) => unknown): Def {
  const text = fields[`${key}:${path}`]
  if (text === undefined) return {}
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return optional(key, lines.length === 0 ? '' : lines.map((line) => read(line.trim())))
}

const BAND =
  /^([+-]?(?:\d+(?:\.\d+)?|\.\d+))(?:\s*(?:–|—|-|to|\.\.|,)\s*|\s+)([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*[:,]?\s*([\s\S]*)$/

/** "0 to 12 numb" as a band; anything else stays as typed. */
function bandFrom(line: string): unknown {
  const [, low, high, label] = BAND.exec(line) ?? []
  return low !== undefined && high !== undefined && label ? [Number(low), Number(high), label] : [line]
}

export function listToLines(list: unknown): string {
  if (!Array.isArray(list)) return ''
  return list
    .map((entry) => {
      if (!Array.isArray(entry)) return String(entry)
      const [low, high, label] = entry
      return entry.length === 3 ? `${low} to ${high} ${label}` : entry.join(' ')
    })
    .join('\n')
}

// An undefined value replaces the old one and is left out of the stored JSON.
function optional(key: string, value: unknown): Def {
  return { [key]: value === '' ? undefined : value }
}

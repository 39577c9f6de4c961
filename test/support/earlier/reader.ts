import type { Database } from 'bun:sqlite'
import { inflateSync } from 'node:zlib'
import { TABLES } from './schema.ts'

/**
 * Reads a library as the earlier release does at version 45, and lists everything that would make it fail. Written from
 * knowledge of that program; shares no code with ours.
 */
export function faultsForTheEarlierRelease(db: Database): string[] {
  const faults = new Faults()
  const { user_version } = db.query('PRAGMA user_version').get() as { user_version: number }
  if (user_version !== 45) faults.add(`says version ${user_version}`)
  if (db.query('PRAGMA foreign_key_check').all().length > 0) faults.add('has rows that belong to nothing')
  readSchema(db, faults)
  const rows = (table: string) => db.query<Row, []>(`SELECT * FROM ${table}`).all()
  for (const table of Object.keys(TABLES)) for (const row of rows(table)) readCells(table, row, faults)
  const owner = readOwner(rows('users'), rows('settings'), faults)
  for (const row of rows('scenarios'))
    readObject(row.stat_schema, `scenario ${row.id}.stat_schema`, faults, 'or nothing')
  for (const row of rows('adventures')) readAdventure(db, row, owner, faults)
  for (const row of rows('memories')) readMemory(row, faults)
  for (const row of rows('story_cards')) readCard(row, faults)
  return faults.found
}

type Row = Record<string, unknown>

class Faults {
  readonly found: string[] = []
  add(what: string): void {
    this.found.push(what)
  }
  unless(isSo: boolean, what: string): void {
    if (!isSo) this.add(what)
  }
}

function readSchema(db: Database, faults: Faults): void {
  for (const [table, { columns }] of Object.entries(TABLES)) {
    const present = db
      .query<
        { name: string; type: string; notnull: number; dflt_value: string | null; pk: number },
        [string]
      >('SELECT * FROM pragma_table_info(?)')
      .all(table)
    for (const [name, declaration] of columns) {
      const found = present.find((column) => column.name === name)
      faults.unless(found !== undefined, `${table} has no ${name}`)
      faults.unless(declaration.startsWith(found?.type ?? ''), `${table}.${name} is ${found?.type}`)
    }
    // Its inserts name only its own columns.
    for (const { name, notnull, dflt_value } of present)
      if (notnull && dflt_value === null && !columns.some(([own]) => own === name))
        faults.add(`${table}.${name} would have to be filled`)
  }
}

const MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{6})?$/

function readCells(table: string, row: Row, faults: Faults): void {
  for (const [name, declaration] of TABLES[table]?.columns ?? []) {
    const [at, value] = [`${table} ${row.id}.${name}`, row[name]]
    if (value === null) {
      // Upgraded files have stories that are older than world state.
      const mayBe = !declaration.includes('NOT NULL') || name === 'world_state'
      faults.unless(mayBe, `${at} is NULL`)
      continue
    }
    if (declaration.startsWith('BOOLEAN')) faults.unless(value === 0 || value === 1, `${at} is ${value}`)
    if (declaration.startsWith('INTEGER')) faults.unless(Number.isSafeInteger(value), `${at} is no integer`)
    if (/^(VARCHAR|TEXT)/.test(declaration)) faults.unless(typeof value === 'string', `${at} is no text`)
    if (declaration.startsWith('DATETIME'))
      faults.unless(typeof value === 'string' && MOMENT.test(value), `${at} is no moment: ${value}`)
    if (declaration.startsWith('BLOB')) faults.unless(value instanceof Uint8Array, `${at} is no BLOB`)
    if (declaration.startsWith('JSON')) readJson(value, at, faults)
  }
}

/** It shows only what belongs to its user: the local one with the lowest id. */
function readOwner(users: Row[], settings: Row[], faults: Faults): unknown {
  const owner = users
    .filter(({ email, is_guest }) => email === null && is_guest === 0)
    .sort((one, other) => Number(one.id) - Number(other.id))[0]
  faults.unless(owner !== undefined, 'has no local user')
  faults.unless(
    settings.filter(({ user_id }) => user_id === owner?.id).length === 1,
    'has no settings of his',
  )
  return owner?.id
}

function readAdventure(db: Database, row: Row, owner: unknown, faults: Faults): void {
  const at = `adventure ${row.id}`
  faults.unless(row.user_id === owner, `${at} is not the owner’s`)
  for (const name of ['script_state', 'placeholders', 'world_state'])
    readObject(row[name], `${at}.${name}`, faults, name === 'script_state' ? 'always' : 'or nothing')
  const answers = readJson(row.placeholders, at, faults)
  for (const answer of Object.values(isObject(answers) ? answers : {}))
    faults.unless(typeof answer === 'string', `${at} has an answer that is no text`)
  readWorld(readJson(row.world_state, at, faults), `${at}.world_state`, faults)
  const actions = db
    .query<Row, [number]>('SELECT * FROM actions WHERE adventure_id = ? ORDER BY "index", id')
    .all(Number(row.id))
  const told = actions.filter(({ text }) => String(text).trim() !== '').length
  for (const name of ['memory_cursor', 'summary_cursor'])
    faults.unless(
      Number(row[name]) >= 0 && Number(row[name]) <= told,
      `${at}.${name} is ${row[name]} of ${told}`,
    )
  const indexes = actions.map(({ index }) => Number(index))
  faults.unless(new Set(indexes).size === indexes.length, `${at} has two actions at one index`)
  faults.unless(
    actions[0] === undefined || actions[0].type === 'start',
    `${at} does not begin with its start`,
  )
  for (const action of actions) readAction(action, faults)
}

const TYPES = ['start', 'do', 'say', 'story', 'ai']

function readAction(row: Row, faults: Faults): void {
  const at = `action ${row.id}`
  faults.unless(TYPES.includes(String(row.type)), `${at} is of type ${row.type}`)
  readObject(row.state_before, `${at}.state_before`, faults, 'or nothing')
  readObject(row.world_state_before, `${at}.world_state_before`, faults, 'or nothing')
  readWorld(readJson(row.world_state_before, at, faults), `${at}.world_state_before`, faults)
  readSnapshot(row.context_snapshot, at, faults)
  const variants = readJson(row.variants, at, faults) ?? []
  if (!Array.isArray(variants)) {
    faults.add(`${at}.variants is no list`)
    return
  }
  faults.unless(row.variant_count === variants.length, `${at} counts ${row.variant_count} attempts`)
  const delta = readJson(row.world_delta, at, faults)
  if (delta !== null) {
    faults.unless(isObject(delta) && Array.isArray(delta.applied), `${at}.world_delta lists nothing`)
    if (isObject(delta)) readChanges(delta.applied, `${at}.world_delta`, faults)
  }
  if (variants.length === 0) return
  for (const [i, variant] of variants.entries()) readVariant(variant, `${at}, attempt ${i}`, faults)
  const live = variants[Number(row.variant_index)] as Row | undefined
  if (!isObject(live)) {
    faults.add(`${at} has no attempt ${row.variant_index}`)
    return
  }
  faults.unless(live.text === row.text, `${at} shows another text than its attempt`)
  faults.unless((live.reasoning ?? null) === row.reasoning, `${at} shows another reasoning than its attempt`)
  const world = isObject(live.world_state) ? live.world_state : null
  const report = isObject(world?.report) ? world.report : null
  faults.unless(
    JSON.stringify(report?.applied ?? null) === JSON.stringify((isObject(delta) && delta.applied) || null),
    `${at}.world_delta is not that of its attempt`,
  )
}

function readVariant(variant: unknown, at: string, faults: Faults): void {
  if (!isObject(variant)) {
    faults.add(`${at} is no object`)
    return
  }
  faults.unless(typeof variant.text === 'string', `${at} has no text`)
  for (const name of ['reasoning', 'created_at'])
    faults.unless(variant[name] === null || typeof variant[name] === 'string', `${at} has no ${name}`)
  faults.unless(
    variant.created_at === null || !Number.isNaN(Date.parse(String(variant.created_at))),
    `${at} was made at no moment`,
  )
  if (variant.world_state === undefined || variant.world_state === null) return
  if (!isObject(variant.world_state)) {
    faults.add(`${at}.world_state is no object`)
    return
  }
  const { delta, report, state } = variant.world_state
  faults.unless(isObject(delta) && isObject(report) && isObject(state), `${at}.world_state lacks a part`)
  readWorld(state, at, faults)
  if (!isObject(report)) return
  readChanges(report.applied, at, faults)
  readChanges(report.clamped, at, faults)
  faults.unless(
    Array.isArray(report.rejected) &&
      report.rejected.every((one) => isObject(one) && 'path' in one && 'reason' in one),
    `${at} lists no rejected paths`,
  )
}

function readChanges(list: unknown, at: string, faults: Faults): void {
  const isSo =
    Array.isArray(list) &&
    list.every((one) => isObject(one) && typeof one.path === 'string' && 'old' in one && 'new' in one)
  faults.unless(isSo || list === null, `${at} has changes that are none`)
}

/** Sections, values and milestones as its side panel and its engine expect them. */
function readWorld(state: unknown, at: string, faults: Faults): void {
  if (!isObject(state)) return
  for (const [section, value] of Object.entries(state))
    faults.unless(isObject(value), `${at}.${section} is no object`)
  const holders = [state.world, state.player, ...Object.values(isObject(state.npc) ? state.npc : {})]
  for (const holder of holders.filter(isObject))
    for (const [name, value] of Object.entries(holder))
      faults.unless(typeof value === 'number' || typeof value === 'string' || value === null, `${at} ${name}`)
  for (const one of Object.values(isObject(state.milestones) ? state.milestones : {}))
    faults.unless(isObject(one) && one.reached === true, `${at} has a milestone that is not reached`)
  for (const one of Object.values(isObject(state.flags) ? state.flags : {}))
    faults.unless(typeof one === 'boolean', `${at} has a flag that is neither`)
}

function readSnapshot(blob: unknown, at: string, faults: Faults): void {
  if (!(blob instanceof Uint8Array)) return
  try {
    faults.unless(isObject(JSON.parse(inflateSync(blob).toString())), `${at} keeps no prompt`)
  } catch {
    faults.add(`${at} keeps a prompt that cannot be read`)
  }
}

function readMemory(row: Row, faults: Faults): void {
  const at = `memory ${row.id}`
  const blob = row.embedding_blob
  faults.unless((row.embedded === 1) === (blob !== null), `${at} says embedded ${row.embedded}`)
  if (blob instanceof Uint8Array)
    faults.unless(blob.length > 0 && blob.length % 4 === 0, `${at} has a torn vector`)
  faults.unless((row.source_start === null) === (row.source_end === null), `${at} has half a range`)
}

function readCard(row: Row, faults: Faults): void {
  const at = `card ${row.id}`
  faults.unless((row.scenario_id === null) !== (row.adventure_id === null), `${at} has not one owner`)
  const ref = row.source_ref
  faults.unless(ref === null || /^(card:\d+|npc:.+)$/.test(String(ref)), `${at} comes from ${ref}`)
}

// Python reads and writes these three words as JSON.
const WORDS = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g

function readJson(value: unknown, at: string, faults: Faults): unknown {
  if (value === null) return null
  try {
    return JSON.parse(String(value).replace(WORDS, (word) => (word.startsWith('"') ? word : 'null')))
  } catch {
    faults.add(`${at} holds JSON that cannot be read`)
    return null
  }
}

function readObject(value: unknown, at: string, faults: Faults, when: 'always' | 'or nothing'): void {
  const read = readJson(value, at, faults)
  faults.unless(isObject(read) || (read === null && when === 'or nothing'), `${at} is no object`)
}

function isObject(value: unknown): value is Row {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

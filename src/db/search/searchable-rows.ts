import { PLOT_FIELDS } from '../../domain/scenario.ts'
import { SEARCH_KINDS, type SearchKind } from '../../domain/search/query.ts'
import type { Reader } from '../database.ts'

/** The first text is its title or name, '' if it has none. */
export interface FoundRow {
  kind: SearchKind
  id: number
  /** Its rowid in the index. Results are in descending order, so this is also the cursor of a search. */
  place: number
  adventure_id: number | null
  scenario_id: number | null
  owner_title: string
  texts: string[]
}

export type Owner = { adventure: number } | { scenario: number }

interface Source {
  table: string
  adventure: string
  scenario: string
  /** The searched columns or expressions. The first is the title or name, `''` if there is none. */
  texts: [title: string, ...string[]]
}

/** A line for each opening of a scenario beside its first. */
const GREETINGS =
  "(SELECT group_concat(value, char(10)) FROM json_each(iif(json_valid(greetings), greetings, '[]')))"

export const SOURCES: Record<SearchKind, Source> = {
  adventure: {
    table: 'adventures',
    adventure: 'adventures.id',
    scenario: 'NULL',
    texts: ['title', ...PLOT_FIELDS, 'story_summary'],
  },
  scenario: {
    table: 'scenarios',
    adventure: 'NULL',
    scenario: 'scenarios.id',
    texts: ['title', 'description', 'prompt', ...PLOT_FIELDS, 'tags', GREETINGS],
  },
  story_card: {
    table: 'story_cards',
    adventure: 'story_cards.adventure_id',
    scenario: 'story_cards.scenario_id',
    texts: ['name', 'keys', 'entry', 'notes'],
  },
  memory: { table: 'memories', adventure: 'memories.adventure_id', scenario: 'NULL', texts: ["''", 'text'] },
  action: { table: 'actions', adventure: 'actions.adventure_id', scenario: 'NULL', texts: ["''", 'text'] },
}

/** Rowids reserved for each kind. The ranges are adjacent; the first kind has the highest. */
export const PER_KIND = 2 ** 40
export const ALL_ROWIDS: [from: number, to: number] = [0, SEARCH_KINDS.length * PER_KIND - 1]

/** The first and last rowid of a kind. Those of actions are their ids. */
export function rowidRange(kind: SearchKind): [from: number, to: number] {
  const from = (SEARCH_KINDS.length - 1 - SEARCH_KINDS.indexOf(kind)) * PER_KIND
  return [from, from + PER_KIND - 1]
}

export function rowidOf(kind: SearchKind, id: number): number {
  return rowidRange(kind)[0] + id
}

export function kindOfRowid(rowid: number): SearchKind {
  return SEARCH_KINDS[SEARCH_KINDS.length - 1 - Math.floor(rowid / PER_KIND)] ?? 'action'
}

export function ownerTerm(owner: Owner): string {
  return 'adventure' in owner ? `a${owner.adventure}` : `s${owner.scenario}`
}

export function ownerTermOf({ adventure_id, scenario_id }: FoundRow): string {
  return ownerTerm(adventure_id === null ? { scenario: scenario_id ?? 0 } : { adventure: adventure_id })
}

export function textExpression(expression: string, adventure: number | undefined): string {
  const text = `text : (${expression})`
  return adventure === undefined ? text : `owner : "${ownerTerm({ adventure })}" AND ${text}`
}

type SourceRow = Pick<FoundRow, 'id' | 'adventure_id' | 'scenario_id' | 'owner_title'> &
  Record<`text${number}`, string>

export function findRow(reader: Reader, kind: SearchKind, id: number): FoundRow | null {
  const row = reader.get<SourceRow>(`${selectFrom(kind)} WHERE id = ?`, id)
  return row && toFoundRow(kind, row)
}

export function listRows(reader: Reader, kind: SearchKind): FoundRow[] {
  return reader.all<SourceRow>(`${selectFrom(kind)} ORDER BY id`).map((row) => toFoundRow(kind, row))
}

function selectFrom(kind: SearchKind): string {
  const { table, adventure, scenario, texts } = SOURCES[kind]
  const columns = texts.map((column, i) => `coalesce(${column}, '') AS text${i}`).join(', ')
  return `SELECT id, ${adventure} AS adventure_id, ${scenario} AS scenario_id, ${columns},
      coalesce((SELECT a.title FROM adventures a WHERE a.id = ${adventure}),
               (SELECT s.title FROM scenarios s WHERE s.id = ${scenario}), '') AS owner_title
    FROM ${table}`
}

function toFoundRow(kind: SearchKind, row: SourceRow): FoundRow {
  const { id, adventure_id, scenario_id, owner_title } = row
  const texts = SOURCES[kind].texts.map((_, i) => row[`text${i}`] ?? '')
  return { kind, id, place: rowidOf(kind, id), adventure_id, scenario_id, owner_title, texts }
}

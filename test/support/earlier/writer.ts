import { Database } from 'bun:sqlite'
import { deflateSync } from 'node:zlib'
import { insert, type Row, spaced } from './release.ts'
import { TABLES } from './schema.ts'

/** The result of a turn: its text and, in stories with stats, its delta. */
export interface Told {
  text: string
  reasoning?: string | null
  world?: { delta: Row; report: Row; state: Row }
}

/**
 * Changes a library as the earlier release does at version 45: writes only its own columns, in its own way, and shares no code
 * with ours. Each operation is one transaction.
 */
export class EarlierRelease implements Disposable {
  private readonly db: Database
  private clock = Date.parse('2026-04-01T08:00:00Z')

  constructor(path: string) {
    this.db = new Database(path, { readwrite: true, create: false })
    this.db.run('PRAGMA foreign_keys = ON')
  }

  [Symbol.dispose](): void {
    this.db.close()
  }

  /** The player's line and the narration that follows it. */
  play(adventure: number, line: [type: string, text: string] | null, told: Told): void {
    this.db.transaction(() => {
      if (line) this.insertAction(adventure, { type: line[0], text: line[1] })
      this.insertAction(adventure, { type: 'ai', ...this.live(told) })
      this.writeWorld(adventure, told.world?.state)
    })()
  }

  /** Retries the newest narration. The first time, the existing one becomes attempt 0. */
  retry(adventure: number, told: Told): void {
    this.db.transaction(() => {
      const row = this.newest(adventure)
      const kept = listIn(row.variants)
      const before = kept.length > 0 ? kept : [this.frozen(row)]
      const variants = [...before, this.entry(told)]
      this.update('actions', row.id, {
        ...this.live(told),
        variants,
        variant_count: variants.length,
        variant_index: variants.length - 1,
      })
      this.writeWorld(adventure, told.world?.state)
    })()
  }

  switchTo(adventure: number, index: number): void {
    this.db.transaction(() => {
      const row = this.newest(adventure)
      const entry = listIn(row.variants)[index] as Row & Told
      const world = (entry as { world_state?: Told['world'] }).world_state
      this.update('actions', row.id, {
        text: entry.text,
        reasoning: entry.reasoning ?? null,
        world_delta: world ? { delta: world.delta, applied: world.report.applied } : 'null',
        variant_index: index,
      })
      this.writeWorld(adventure, world?.state)
    })()
  }

  /** Edits an action and the entry of its live attempt. */
  edit(action: number, text: string): void {
    this.db.transaction(() => {
      const row = this.row('actions', action)
      const variants = listIn(row.variants)
      const live = variants[Number(row.variant_index)]
      if (live) live.text = text
      this.update('actions', action, { text, ...(live ? { variants } : {}) })
    })()
  }

  /** Removes the last turn, and the memories that reach past the end. */
  undo(adventure: number): void {
    this.db.transaction(() => {
      const [last, line] = this.actions(adventure)
      const isAnswer = last?.type === 'ai' && ['do', 'say', 'story'].includes(String(line?.type))
      const gone = isAnswer && line ? [line, last] : last ? [last] : []
      for (const { id } of gone) this.db.query('DELETE FROM actions WHERE id = ?').run(Number(id))
      const before = gone[0]?.world_state_before
      if (before !== null && before !== undefined)
        this.update('adventures', adventure, { world_state: String(before), updated_at: this.moment() })
      const left = this.actions(adventure)
      const end = Number(left[0]?.index ?? -1)
      this.db.query('DELETE FROM memories WHERE adventure_id = ? AND source_end > ?').run(adventure, end)
      this.db
        .query(
          'UPDATE adventures SET memory_cursor = min(memory_cursor, ?2), summary_cursor = min(summary_cursor, ?2) WHERE id = ?1',
        )
        .run(adventure, left.length)
    })()
  }

  /** Sets values by hand. Changes only the state. */
  setWorld(adventure: number, state: Row): void {
    this.writeWorld(adventure, state)
  }

  change(table: string, id: number, fields: Row): void {
    this.update(table, id, {
      ...fields,
      ...('updated_at' in this.row(table, id) ? { updated_at: this.moment() } : {}),
    })
  }

  remember(adventure: number, text: string): void {
    this.insert('memories', {
      ...{
        adventure_id: adventure,
        text,
        embedding_blob: null,
        source_start: null,
        source_end: null,
        embedded: 0,
      },
      ...{ pinned: 0, forgotten: 0, use_count: 0, last_used_at: null, created_at: this.moment() },
    })
  }

  /** Begins a story from a scenario, with its cards. Returns its id. */
  begin(scenario: number, title: string, placeholders: Row, world_state: Row): number {
    return this.db.transaction(() => {
      const from = this.row('scenarios', scenario)
      const { memory, authors_note, ai_instructions } = from
      const id = this.insert('adventures', {
        ...{
          user_id: 1,
          scenario_id: scenario,
          title,
          memory,
          authors_note,
          ai_instructions,
          story_summary: '',
        },
        ...{ script_state: {}, world_state, placeholders, auto_summarize: 0, memory_bank_enabled: 0 },
        ...{ memory_cursor: 0, summary_cursor: 0, created_at: this.moment(), updated_at: this.moment() },
      })
      for (const { id: card, scenario_id: _, ...fields } of this.db
        .query<Row, [number]>(
          'SELECT id, scenario_id, type, name, keys, entry, notes FROM story_cards WHERE scenario_id = ?',
        )
        .all(scenario))
        this.insert('story_cards', { ...fields, adventure_id: id, source_ref: `card:${card}` })
      this.insertAction(id, { type: 'start', text: from.prompt })
      return id
    })()
  }

  delete(table: 'adventures' | 'scenarios' | 'actions', id: number): void {
    this.db.query(`DELETE FROM ${table} WHERE id = ?`).run(id)
  }

  private insertAction(adventure: number, fields: Row): void {
    const [last] = this.actions(adventure)
    const { world_state, script_state } = this.row('adventures', adventure)
    this.insert('actions', {
      ...{
        adventure_id: adventure,
        index: Number(last?.index ?? -1) + 1,
        reasoning: null,
        context_snapshot: null,
      },
      ...{ world_delta: null, state_before: script_state, world_state_before: world_state },
      ...{ variants: null, variant_count: 0, variant_index: 0, created_at: this.moment() },
      ...fields,
    })
    this.update('adventures', adventure, { updated_at: this.moment() })
  }

  private live({ text, reasoning = null, world }: Told): Row {
    return {
      text,
      reasoning,
      world_delta: world ? { delta: world.delta, applied: world.report.applied } : 'null',
      context_snapshot: { sections: [{ label: 'narrator', text: 'You narrate.', tokens: 3 }] },
    }
  }

  private entry({ text, reasoning = null, world }: Told): Row {
    const created_at = `${this.moment().replace(' ', 'T')}+00:00`
    return {
      text,
      reasoning,
      script_state: {},
      created_at,
      ...(world ? { world_state: world } : {}),
      raw_output: text,
    }
  }

  private frozen(row: Row): Row {
    const { delta, applied } = (JSON.parse(String(row.world_delta)) ?? {}) as { delta?: Row; applied?: Row[] }
    const state = JSON.parse(String(this.row('adventures', Number(row.adventure_id)).world_state))
    const world = applied ? { delta, report: { applied, clamped: [], rejected: [] }, state } : null
    return {
      text: row.text,
      reasoning: row.reasoning,
      created_at: String(row.created_at).replace(' ', 'T'),
      ...(world ? { world_state: world } : {}),
    }
  }

  private writeWorld(adventure: number, state: Row | undefined): void {
    if (state) this.update('adventures', adventure, { world_state: state, updated_at: this.moment() })
  }

  private actions(adventure: number): Row[] {
    return this.db
      .query<Row, [number]>('SELECT * FROM actions WHERE adventure_id = ? ORDER BY "index" DESC, id DESC')
      .all(adventure)
  }

  private newest(adventure: number): Row {
    return this.actions(adventure)[0] ?? {}
  }

  private row(table: string, id: number): Row {
    return this.db.query<Row, [number]>(`SELECT * FROM ${table} WHERE id = ?`).get(id) ?? {}
  }

  // Names each of its own columns and no others.
  private insert(table: string, row: Row): number {
    const columns = (TABLES[table]?.columns ?? []).map(([name]) => name).filter((name) => name !== 'id')
    insert(this.db, table, Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))
    return Number((this.db.query('SELECT last_insert_rowid() AS id').get() as { id: number }).id)
  }

  private update(table: string, id: unknown, fields: Row): void {
    for (const [name, value] of Object.entries(fields)) {
      const isObject = value !== null && typeof value === 'object'
      const packed = name === 'context_snapshot' && isObject ? deflateSync(JSON.stringify(value)) : value
      const stored = isObject && packed === value ? spaced(value) : packed
      this.db
        .query(`UPDATE ${table} SET "${name}" = ? WHERE id = ?`)
        .run(stored as string | number | null | Uint8Array, Number(id))
    }
  }

  /** Each time is later than the one before. */
  private moment(): string {
    this.clock += 1_000
    return new Date(this.clock).toISOString().replace('T', ' ').replace('Z', '000')
  }
}

function listIn(json: unknown): Row[] {
  const value = json === null ? null : JSON.parse(String(json))
  return Array.isArray(value) ? value : []
}

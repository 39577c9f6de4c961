import { SERVER_KINDS } from '../../domain/model/model-server.ts'
import { type ModelFacts, UNKNOWN_MODEL } from '../../domain/prompt/model-facts.ts'
import type { Reader, Writer } from '../database.ts'

type Row = Omit<ModelFacts, 'enforces'> & { enforces: number | null }

export function findFacts(reader: Reader, url: string, model: string): ModelFacts {
  const row = reader.get<Row>(
    `SELECT window, window_from, factor, samples, server, evidence, enforces
       FROM endpoint_facts WHERE url = ? AND model = ?`,
    url,
    model,
  )
  if (row === null) return UNKNOWN_MODEL
  return {
    ...row,
    server: SERVER_KINDS.find((kind) => kind === row.server) ?? 'unknown',
    enforces: row.enforces === null ? null : row.enforces === 1,
  }
}

export function upsertFacts(tx: Writer, url: string, model: string, facts: Partial<ModelFacts>): void {
  const { window, window_from, factor, samples, server, evidence, enforces } = {
    ...findFacts(tx, url, model),
    ...facts,
  }
  tx.run(
    `INSERT OR REPLACE INTO endpoint_facts
       (url, model, window, window_from, factor, samples, server, evidence, enforces)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    url,
    model,
    window,
    window_from,
    factor,
    samples,
    server,
    evidence,
    enforces,
  )
}

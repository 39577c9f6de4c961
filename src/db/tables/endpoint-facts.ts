import { type ModelFacts, NOTHING_KNOWN } from '../../domain/prompt/measure.ts'
import { SERVER_KINDS } from '../../domain/model/server-kind.ts'
import type { Reader, Writer } from '../database.ts'

type Row = Omit<ModelFacts, 'enforces'> & { enforces: number | null }

/** What was learnt of a model at an endpoint. */
export function findFacts(reader: Reader, url: string, model: string): ModelFacts {
  const row = reader.get<Row>(
    `SELECT window, window_from, factor, samples, server, evidence, enforces
       FROM endpoint_facts WHERE url = ? AND model = ?`,
    url,
    model,
  )
  if (row === null) return NOTHING_KNOWN
  return {
    ...row,
    server: SERVER_KINDS.find((kind) => kind === row.server) ?? 'unknown',
    enforces: row.enforces === null ? null : row.enforces === 1,
  }
}

/** Adds what was learnt to what is known. */
export function keepFacts(tx: Writer, url: string, model: string, learnt: Partial<ModelFacts>): void {
  const { window, window_from, factor, samples, server, evidence, enforces } = {
    ...findFacts(tx, url, model),
    ...learnt,
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

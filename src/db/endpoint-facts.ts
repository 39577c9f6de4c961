import { type ModelFacts, NOTHING_KNOWN } from '../domain/prompt/measure.ts'
import type { Reader, Writer } from './database.ts'

/** What was learnt of a model at an endpoint. */
export function findFacts(reader: Reader, url: string, model: string): ModelFacts {
  const row = reader.get<ModelFacts>(
    'SELECT window, window_from, factor, samples FROM endpoint_facts WHERE url = ? AND model = ?',
    url,
    model,
  )
  return row ?? NOTHING_KNOWN
}

export function keepFacts(tx: Writer, url: string, model: string, facts: ModelFacts): void {
  tx.run(
    `INSERT INTO endpoint_facts (url, model, window, window_from, factor, samples) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET window = excluded.window, window_from = excluded.window_from,
       factor = excluded.factor, samples = excluded.samples`,
    url,
    model,
    facts.window,
    facts.window_from,
    facts.factor,
    facts.samples,
  )
}

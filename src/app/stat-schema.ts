import type { Reader } from '../db/database.ts'
import { getScenario, updateScenario } from '../db/tables/scenarios.ts'
import { dropSchemaDraft, findSchemaDraft, keepSchemaDraft } from '../db/schema-drafts.ts'
import { unlessChanged } from '../domain/changed-elsewhere.ts'
import type { Fault } from '../domain/errors.ts'
import { warningsOf } from '../domain/world/lint.ts'
import { faultsOf } from '../domain/world/schema.ts'
import type { StatSchema } from '../domain/world/state.ts'
import type { Deps } from './deps.ts'

/** A schema as its author sees it: the one that counts, or a draft that cannot be used yet. */
export interface Authored {
  schema: StatSchema
  isDraft: boolean
  faults: Fault[]
  warnings: Fault[]
}

/** Throws not_found. */
export function authoredSchema(reader: Reader, scenarioId: number): Authored {
  const draft = findSchemaDraft(reader, scenarioId)
  return judged(draft ?? getScenario(reader, scenarioId).stat_schema ?? {}, draft !== null)
}

/**
 * Keeps what an author has written: a sound schema counts at once, another one is kept as a draft beside the one that
 * counts. `more` are faults that the form has found, `seen` is the mark of the schema that it was made from. Throws
 * not_found, changed_elsewhere.
 */
export function writeSchema(
  deps: Deps,
  scenarioId: number,
  schema: StatSchema,
  more: Fault[] = [],
  seen?: string,
): Authored {
  const written = judged(plain(schema), false)
  const isSound = written.faults.length === 0
  deps.library.write((tx) => {
    const stored = authoredSchema(tx, scenarioId).schema
    const fresh = unlessChanged({ schema: stored }, { schema: written.schema }, { schema: seen })
    if (fresh.schema === undefined) return
    if (!isSound) return keepSchemaDraft(tx, scenarioId, written.schema)
    dropSchemaDraft(tx, scenarioId)
    const isEmpty = Object.keys(written.schema).length === 0
    updateScenario(tx, scenarioId, { stat_schema: isEmpty ? null : written.schema }, deps.now())
  })
  return { ...written, isDraft: !isSound, faults: [...more, ...written.faults] }
}

function judged(schema: StatSchema, isDraft: boolean): Authored {
  return { schema, isDraft, faults: faultsOf(schema), warnings: warningsOf(schema) }
}

function plain(schema: StatSchema): StatSchema {
  return JSON.parse(JSON.stringify(schema)) as StatSchema
}

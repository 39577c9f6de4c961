import type { Reader } from '../../db/database.ts'
import { getScenario, updateScenario } from '../../db/tables/scenarios.ts'
import { deleteSchemaDraft, findSchemaDraft, upsertSchemaDraft } from '../../db/tables/schema-drafts.ts'
import { formUnchanged } from '../../domain/edit-conflict.ts'
import type { FieldError } from '../../domain/errors.ts'
import { lintSchema } from '../../domain/world/lint.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import { assertValidSchema, isTooLarge, schemaErrors } from '../../domain/world/validate-schema.ts'
import type { Deps } from '../deps.ts'

/** A schema as its author sees it: the one in use, or a draft with errors. */
export interface AuthoredSchema {
  schema: StatSchema
  isDraft: boolean
  faults: FieldError[]
  warnings: FieldError[]
}

/** Throws not_found. */
export function authoredSchema(reader: Reader, scenarioId: number): AuthoredSchema {
  const draft = findSchemaDraft(reader, scenarioId)
  return judged(draft ?? getScenario(reader, scenarioId).stat_schema ?? {}, draft !== null)
}

/**
 * Saves an author's text. A valid schema is in use at once; one with errors is saved as a draft beside the one in use.
 * `more` are errors that the form has found, `version` is the one that the author edited. Throws not_found,
 * changed_elsewhere, invalid if it is too large to be stored.
 */
export function saveSchema(
  deps: Deps,
  scenarioId: number,
  schema: StatSchema,
  { more = [], version }: { more?: FieldError[]; version?: string | undefined } = {},
): AuthoredSchema {
  if (isTooLarge(schema)) assertValidSchema(schema)
  const written = judged(JSON.parse(JSON.stringify(schema)) as StatSchema, false)
  const isValid = written.faults.length === 0
  deps.library.write((tx) => {
    const { schema: stored } = authoredSchema(tx, scenarioId)
    const updates = formUnchanged(['schema'], version)({ schema: stored }, { schema: written.schema })
    if (updates.schema === undefined) return
    if (!isValid) return upsertSchemaDraft(tx, scenarioId, written.schema)
    deleteSchemaDraft(tx, scenarioId)
    const isEmpty = Object.keys(written.schema).length === 0
    updateScenario(tx, scenarioId, { stat_schema: isEmpty ? null : written.schema }, deps.now())
  })
  return { ...written, isDraft: !isValid, faults: [...more, ...written.faults] }
}

function judged(schema: StatSchema, isDraft: boolean): AuthoredSchema {
  return { schema, isDraft, faults: schemaErrors(schema), warnings: lintSchema(schema) }
}

import type { StatSchema } from '../../domain/world/state.ts'
import { schemaErrors } from '../../domain/world/validate-schema.ts'
import { isObject } from '../../lib/objects.ts'
import type { Fields } from './fields.ts'

/** The stat schema of a file; null without one. An invalid schema is refused, with the path of its first error. */
export function parseStatSchema(fields: Fields, keys: readonly string[]): StatSchema | null {
  const schema = fields.value(keys, 'Stats', (value, key) => {
    if (!isObject(value)) return undefined
    const [error] = schemaErrors(value)
    if (error === undefined) {
      fields.note('taken', key, 'Stats.')
      return value
    }
    const note = `Stats are not valid: ${error.path.slice(1, 100)} ${error.message}.`
    fields.note('refused', key, note)
    return null
  })
  return schema ?? null
}

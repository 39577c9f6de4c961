import type { StatSchema } from '../../domain/world/state.ts'
import { schemaErrors } from '../../domain/world/validate-schema.ts'
import { isObject } from '../../lib/objects.ts'
import type { Fields } from './fields.ts'

/** The stat schema of a file; null without one. An invalid schema is refused, with the path of its first error. */
export function parseStatSchema(fields: Fields, keys: readonly string[]): StatSchema | null {
  const schema = fields.value(keys, 'Stats', (value, key) => {
    if (!isObject(value)) return undefined
    const [error] = schemaErrors(value)
    if (error === undefined) return value
    fields.left(`Stats are not valid: ${error.path.slice(1, 100)} ${error.message}`, key)
    return null
  })
  return schema ?? null
}

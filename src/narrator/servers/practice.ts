import type { Server } from './server.ts'
import { namedSchema } from './shared/request-fields.ts'
import { unknown } from './unknown.ts'

/** Our own practice narrator: `src/api/practice.ts`. It answers a question from the schema of the answer. */
export const practice: Server = {
  ...unknown,
  kind: 'practice',
  name: 'the practice narrator',
  schemaFields: namedSchema,
}

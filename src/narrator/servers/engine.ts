import { LLAMA_TOKEN_COUNTER, LLAMA_WINDOW, llamaFields, llamaSchemaFields } from './llama-cpp.ts'
import type { Server } from './server.ts'
import { fieldPage } from './shared/fingerprints.ts'
import { namedSchema } from './shared/request-fields.ts'
import { unknown } from './unknown.ts'

/** Our own engine for model files, `src/api/engine.ts`, with the fields of llama.cpp's server. */
export const engine: Server = {
  kind: 'inglenook-engine',
  name: 'Inglenook engine',
  ports: [],
  fingerprints: [fieldPage({ path: '/models' }, 'data.0.owned_by', /^inglenook-engine$/)],
  windowPages: [LLAMA_WINDOW],
  tokenCounters: [LLAMA_TOKEN_COUNTER],
  fields: llamaFields,
  schemaFields: llamaSchemaFields,
  continueFields: {},
  keepsPrefix: true,
  largerWindow: 'close other programs or choose a smaller model, and enter a larger context size',
}

/** Our own practice narrator, `src/api/practice.ts`. It answers a question from its schema. */
export const practice: Server = {
  ...unknown,
  kind: 'practice',
  name: 'the practice narrator',
  schemaFields: namedSchema,
}

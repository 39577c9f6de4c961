import { LLAMA_TOKEN_COUNTER, LLAMA_WINDOW, llamaFields, llamaSchemaFields } from './llama-cpp.ts'
import type { Server } from './server.ts'
import { fieldPage } from './shared/fingerprints.ts'

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

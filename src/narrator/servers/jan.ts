import { llamaBound, llamaFields } from './llama-cpp.ts'
import { says } from './says.ts'
import type { Server } from './server.ts'

/**
 * Jan. It hands requests as they are to a llama.cpp of its own, and nothing else of it is to be seen.
 * Source: https://jan.ai/docs/desktop/api-server and https://github.com/janhq/jan, src-tauri/static/openapi.json,
 * src-tauri/src/core/server/proxy.rs.
 */
export const jan: Server = {
  kind: 'jan',
  name: 'Jan',
  ports: [1337],
  signs: [
    {
      path: '/openapi.json',
      atRoot: true,
      evidence: ({ json }) => says(json, 'info.title', /^Jan API/),
    },
  ],
  imitates: [],
  windows: [],
  counting: [],
  fields: llamaFields,
  bound: llamaBound,
  abort: null,
  dialect: null,
  embeddings: 'unknown',
  key: {
    sign: /\bjan\b/i,
    remedy: 'clear the API key of its local server, or use its llama.cpp engine',
  },
  largerWindow: 'raise the Context Size of the model there',
}

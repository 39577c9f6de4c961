import { llamaFields, llamaSchemaFields } from './llama-cpp.ts'
import type { Server } from './server.ts'
import { fieldPage } from './shared/fingerprints.ts'

/**
 * Jan, which passes requests through to its own llama.cpp. Source: https://jan.ai/docs/desktop/api-server and
 * https://github.com/janhq/jan, src-tauri/static/openapi.json, src-tauri/src/core/server/proxy.rs.
 */
export const jan: Server = {
  kind: 'jan',
  name: 'Jan',
  ports: [1337],
  fingerprints: [fieldPage({ path: '/openapi.json', atRoot: true }, 'info.title', /^Jan API/)],
  fields: llamaFields,
  schemaFields: llamaSchemaFields,
  continueFields: {},
  keepsPrefix: true,
  key: {
    pattern: /\bjan\b/i,
    remedy: 'clear the API key in its local server settings, or use its llama.cpp engine',
  },
  largerWindow: "raise the model's Context Size there",
}

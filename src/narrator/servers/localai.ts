import { fieldPage } from './fingerprints.ts'
import { namedSchema, requestFields } from './request-fields.ts'
import type { Server } from './server.ts'

/**
 * LocalAI. Only its configuration file has the window of a model. Source: https://localai.io/features/api-discovery/
 * and https://github.com/mudler/LocalAI, docs/content/reference/api-errors.md,
 * docs/content/features/constrained_grammars.md.
 */
export const localai: Server = {
  kind: 'localai',
  name: 'LocalAI',
  ports: [8080],
  fingerprints: [fieldPage({ path: '/.well-known/localai.json', atRoot: true }, 'version', /./)],
  imitates: ['ollama'],
  fields: requestFields({
    samplers: { top_p: 'top_p', repeat_penalty: 'repeat_penalty' },
    reasoningOff: { reasoning_effort: 'none' },
  }),
  schemaFields: namedSchema,
  keepsPrefix: false,
  key: {
    pattern: /local-?ai|an authentication key is required/i,
    remedy: 'start it without LOCALAI_API_KEY',
  },
  largerWindow: "raise context_size in the model's configuration file there",
}

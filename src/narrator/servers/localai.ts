import { nested, samplers, stops, thinking, USAGE } from './asked.ts'
import { says } from './says.ts'
import type { Server } from './server.ts'

/**
 * LocalAI. The window of a model stands in its file alone, and no page tells it.
 * Source: https://localai.io/features/api-discovery/ and https://github.com/mudler/LocalAI,
 * docs/content/reference/api-errors.md, docs/content/features/constrained_grammars.md.
 */
export const localai: Server = {
  kind: 'localai',
  name: 'LocalAI',
  ports: [8080],
  signs: [
    {
      path: '/.well-known/localai.json',
      atRoot: true,
      evidence: ({ json }) => says(json, 'version', /./),
    },
  ],
  imitates: ['ollama'],
  windows: [],
  counting: [],
  fields: (telling) => ({
    ...USAGE,
    ...stops(telling),
    ...samplers(telling, { top_p: 'top_p', repeat_penalty: 'repeat_penalty' }),
    ...thinking(telling, { reasoning_effort: 'none' }),
  }),
  bound: nested,
  abort: null,
  dialect: null,
  embeddings: 'yes',
  key: {
    sign: /local-?ai|an authentication key is required/i,
    remedy: 'start it without LOCALAI_API_KEY',
  },
  largerWindow: 'raise context_size in the file of the model there',
}

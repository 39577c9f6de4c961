import { field, listOf } from '../json.ts'
import { samplers, stops, USAGE } from './asked.ts'
import { asText } from './prompts.ts'
import { PROPS_WINDOW } from './props.ts'
import { says } from './says.ts'
import type { Server } from './server.ts'

/**
 * llamafile with a server of its own. Builds without one are llama.cpp, and are recognised as that.
 * Source: https://github.com/Mozilla-Ocho/llamafile, llamafile/server/doc/v1_chat_completions.md, tokenize.md,
 * llamafile/server/v1_models.cpp.
 */
export const llamafile: Server = {
  kind: 'llamafile',
  name: 'llamafile',
  ports: [8080],
  signs: [
    {
      path: '/models',
      atRoot: false,
      evidence: ({ json }) => says(json, 'data.0.owned_by', /^llamafile$/),
    },
  ],
  imitates: ['llama-cpp'],
  windows: [PROPS_WINDOW],
  counting: [
    {
      path: '/tokenize',
      atRoot: true,
      body: (_model, messages) => ({ prompt: asText(messages), add_special: true }),
      read: (json) => listOf(field(json, 'tokens')).length,
      countsTemplate: false,
    },
  ],
  fields: (telling) => ({ ...USAGE, ...stops(telling), ...samplers(telling, { top_p: 'top_p' }) }),
  // It converts a nested schema together with what it is nested in, which nothing matches.
  bound: (schema) => ({ response_format: { type: 'json_object', schema } }),
  abort: null,
  dialect: null,
  embeddings: 'yes',
  key: null,
  largerWindow: 'start it with a larger --ctx-size',
}

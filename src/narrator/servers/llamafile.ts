import { field, listOrEmpty } from '../json-fields.ts'
import { fieldPage, PROPS_WINDOW } from './fingerprints.ts'
import { completionPrompt, requestFields } from './request-fields.ts'
import type { Server } from './server.ts'

/**
 * llamafile with its own server. Builds without one are recognised as llama.cpp.
 * Source: https://github.com/Mozilla-Ocho/llamafile, llamafile/server/doc/v1_chat_completions.md, tokenize.md,
 * llamafile/server/v1_models.cpp.
 */
export const llamafile: Server = {
  kind: 'llamafile',
  name: 'llamafile',
  ports: [8080],
  fingerprints: [fieldPage({ path: '/models' }, 'data.0.owned_by', /^llamafile$/)],
  imitates: ['llama-cpp'],
  windowPages: [PROPS_WINDOW],
  tokenCounters: [
    {
      path: '/tokenize',
      atRoot: true,
      body: (_model, messages) => ({ prompt: completionPrompt(messages), add_special: true }),
      read: (json) => listOrEmpty(field(json, 'tokens')).length,
      countsTemplate: false,
    },
  ],
  fields: requestFields({ samplers: { top_p: 'top_p' } }),
  // It would convert the wrapper of a named schema as well, and nothing matches that.
  schemaFields: (schema) => ({ response_format: { type: 'json_object', schema } }),
  keepsPrefix: true,
  largerWindow: 'start it with a larger --ctx-size',
}

import { field } from '../json-fields.ts'
import { fieldPage, PROPS_WINDOW } from './fingerprints.ts'
import { ALL_SAMPLERS, completionPrompt, LLAMA_RANGES, namedSchema, requestFields } from './request-fields.ts'
import type { Server } from './server.ts'

/**
 * KoboldCpp. It also serves pages of Ollama and llama.cpp.
 * Source: https://lite.koboldai.net/koboldcpp_api.json and https://github.com/LostRuins/koboldcpp, koboldcpp.py.
 */
export const koboldcpp: Server = {
  kind: 'koboldcpp',
  name: 'KoboldCpp',
  ports: [5001],
  fingerprints: [
    fieldPage({ path: '/.well-known/serviceinfo', atRoot: true }, 'software.name', /^KoboldCpp$/i),
    fieldPage({ path: '/api/extra/version', atRoot: true }, 'result', /^KoboldCpp$/i),
  ],
  imitates: ['ollama', 'llama-cpp'],
  windowPages: [
    { path: '/api/extra/true_max_context_length', atRoot: true, read: (json) => field(json, 'value') },
    PROPS_WINDOW,
  ],
  tokenCounters: [
    {
      path: '/api/extra/tokencount',
      atRoot: true,
      body: (_model, messages) => ({ prompt: completionPrompt(messages), special: true }),
      read: (json) => field(json, 'value'),
      countsTemplate: false,
    },
  ],
  fields: requestFields({
    samplers: { ...ALL_SAMPLERS, repeat_penalty: 'rep_pen' },
    ranges: { ...LLAMA_RANGES, repeat_penalty: 'rep_pen_range' },
    reasoningOff: { reasoning_effort: 'none' },
  }),
  // Older versions read only the bare schema.
  schemaFields: (schema) => ({ ...namedSchema(schema), json_schema: schema }),
  continueFields: {},
  abort: { method: 'POST', path: '/api/extra/abort', body: '{}', atRoot: true },
  keepsPrefix: true,
  key: { pattern: /kobold|authentication key is missing/i, remedy: 'start it without --password' },
  largerWindow: 'start it with a larger --contextsize',
}

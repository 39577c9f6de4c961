import { field } from '../json.ts'
import { ALL_SAMPLERS, nested, samplers, stops, thinking, USAGE } from './asked.ts'
import { asText } from './prompts.ts'
import { PROPS_WINDOW } from './props.ts'
import { says } from './says.ts'
import type { Server } from './server.ts'

/**
 * KoboldCpp. It answers on the pages of Ollama and llama.cpp too.
 * Source: https://lite.koboldai.net/koboldcpp_api.json and https://github.com/LostRuins/koboldcpp, koboldcpp.py.
 */
export const koboldcpp: Server = {
  kind: 'koboldcpp',
  name: 'KoboldCpp',
  ports: [5001],
  signs: [
    {
      path: '/.well-known/serviceinfo',
      atRoot: true,
      evidence: ({ json }) => says(json, 'software.name', /^KoboldCpp$/i),
    },
    {
      path: '/api/extra/version',
      atRoot: true,
      evidence: ({ json }) => says(json, 'result', /^KoboldCpp$/i),
    },
  ],
  imitates: ['ollama', 'llama-cpp'],
  windows: [
    { path: '/api/extra/true_max_context_length', atRoot: true, read: (json) => field(json, 'value') },
    PROPS_WINDOW,
  ],
  counting: [
    {
      path: '/api/extra/tokencount',
      atRoot: true,
      body: (_model, messages) => ({ prompt: asText(messages), special: true }),
      read: (json) => field(json, 'value'),
      countsTemplate: false,
    },
  ],
  fields: (telling) => ({
    ...USAGE,
    ...stops(telling),
    ...samplers(telling, { ...ALL_SAMPLERS, repeat_penalty: 'rep_pen' }),
    ...thinking(telling, { reasoning_effort: 'none' }),
  }),
  // Versions before the nested form read the bare one.
  bound: (schema) => ({ ...nested(schema), json_schema: schema }),
  abort: { method: 'POST', path: '/api/extra/abort', body: '{}', atRoot: true },
  dialect: null,
  embeddings: 'when started for it',
  key: { sign: /kobold|authentication key is missing/i, remedy: 'start it without --password' },
  largerWindow: 'start it with a larger --contextsize',
}

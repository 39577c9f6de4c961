import { field } from '../json.ts'
import { ALL_SAMPLERS, samplers, stops, thinking, USAGE } from './asked.ts'
import { asText } from './prompts.ts'
import { says } from './says.ts'
import type { Server } from './server.ts'

/**
 * text-generation-webui. It tells no window, and reads no schema: only grammars in a notation of their own.
 * Source: https://github.com/oobabooga/text-generation-webui, modules/api/script.py, modules/api/typing.py.
 */
export const textGenerationWebui: Server = {
  kind: 'text-generation-webui',
  name: 'text-generation-webui',
  ports: [5000],
  signs: [
    {
      path: '/internal/model/info',
      atRoot: false,
      evidence: ({ json }) => {
        const name = says(json, 'model_name', /./)
        return name && Array.isArray(field(json, 'lora_names')) ? `${name} with lora_names` : null
      },
    },
  ],
  imitates: [],
  windows: [],
  counting: [
    {
      path: '/internal/token-count',
      atRoot: false,
      body: (_model, messages) => ({ text: asText(messages) }),
      read: (json) => field(json, 'length'),
      countsTemplate: false,
    },
  ],
  fields: (telling) => ({
    ...USAGE,
    ...stops(telling),
    ...samplers(telling, { ...ALL_SAMPLERS, repeat_penalty: 'repetition_penalty' }),
    ...thinking(telling, { enable_thinking: false }),
  }),
  bound: null,
  abort: null,
  dialect: null,
  embeddings: 'yes',
  key: { sign: /text-generation-webui|oobabooga/i, remedy: 'start it without --api-key' },
  largerWindow: 'load the model there with a larger ctx-size',
}

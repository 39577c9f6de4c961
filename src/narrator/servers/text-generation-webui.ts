import { field } from '../json-fields.ts'
import { fieldEvidence } from './fingerprints.ts'
import { ALL_SAMPLERS, completionPrompt, requestFields } from './request-fields.ts'
import type { Server } from './server.ts'

/**
 * text-generation-webui. It does not report the context window, and takes grammars in its own notation instead of
 * schemas. Source: https://github.com/oobabooga/text-generation-webui, modules/api/script.py, modules/api/typing.py.
 */
export const textGenerationWebui: Server = {
  kind: 'text-generation-webui',
  name: 'text-generation-webui',
  ports: [5000],
  fingerprints: [
    {
      path: '/internal/model/info',
      evidence: ({ json }) => {
        const name = fieldEvidence(json, 'model_name', /./)
        return name && Array.isArray(field(json, 'lora_names')) ? `${name} with lora_names` : null
      },
    },
  ],
  tokenCounters: [
    {
      path: '/internal/token-count',
      body: (_model, messages) => ({ text: completionPrompt(messages) }),
      read: (json) => field(json, 'length'),
      countsTemplate: false,
    },
  ],
  fields: requestFields({
    samplers: { ...ALL_SAMPLERS, repeat_penalty: 'repetition_penalty' },
    // One field for both.
    ranges: { repeat_penalty: 'repetition_penalty_range', dry_multiplier: 'repetition_penalty_range' },
    reasoningOff: { enable_thinking: false },
  }),
  schemaFields: null,
  continueFields: { continue_: true },
  keepsPrefix: true,
  key: { pattern: /text-generation-webui|oobabooga/i, remedy: 'start it without --api-key' },
  largerWindow: 'load the model there with a larger ctx-size',
}

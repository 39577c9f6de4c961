import { field } from '../json-fields.ts'
import { fieldPage } from './fingerprints.ts'
import { modelNamed } from './model-list.ts'
import { chatMessages, namedSchema, requestFields, TEMPLATE_REASONING_OFF } from './request-fields.ts'
import type { Server } from './server.ts'

/**
 * vLLM. It rejects a reasoning budget unless it was started for that, so none is sent.
 * Source: https://docs.vllm.ai/en/stable/serving/openai_compatible_server and
 * https://github.com/vllm-project/vllm, vllm/entrypoints/serve/tokenize/protocol.py, docs/features/structured_outputs.md.
 */
export const vllm: Server = {
  kind: 'vllm',
  name: 'vLLM',
  ports: [8000],
  fingerprints: [fieldPage({ path: '/models' }, 'data.0.owned_by', /^vllm$/)],
  windowPages: [
    {
      path: '/models',
      read: (json, model) => field(modelNamed(field(json, 'data'), model), 'max_model_len'),
    },
  ],
  tokenCounters: [
    {
      path: '/tokenize',
      atRoot: true,
      body: (model, messages) => ({ model, messages: chatMessages(messages) }),
      read: (json) => field(json, 'count'),
      countsTemplate: true,
    },
  ],
  fields: requestFields({
    samplers: { top_p: 'top_p', min_p: 'min_p', repeat_penalty: 'repetition_penalty' },
    reasoningOff: TEMPLATE_REASONING_OFF,
  }),
  schemaFields: namedSchema,
  continueFields: { continue_final_message: true, add_generation_prompt: false },
  keepsPrefix: true,
  key: { pattern: /vllm/i, remedy: 'start it without --api-key and VLLM_API_KEY' },
  largerWindow: 'start it with a larger --max-model-len',
}

import { field } from '../json.ts'
import { modelNamed } from '../discover/model-list.ts'
import { NO_THINKING, nested, samplers, stops, thinking, USAGE } from './asked.ts'
import { asChat } from './prompts.ts'
import { says } from './says.ts'
import type { Server } from './server.ts'

/**
 * vLLM. Its budget for thinking is refused unless the server was started for it, so none is sent.
 * Source: https://docs.vllm.ai/en/stable/serving/openai_compatible_server and
 * https://github.com/vllm-project/vllm, vllm/entrypoints/serve/tokenize/protocol.py, docs/features/structured_outputs.md.
 */
export const vllm: Server = {
  kind: 'vllm',
  name: 'vLLM',
  ports: [8000],
  signs: [
    {
      path: '/models',
      atRoot: false,
      evidence: ({ json }) => says(json, 'data.0.owned_by', /^vllm$/),
    },
  ],
  imitates: [],
  windows: [
    {
      path: '/models',
      atRoot: false,
      read: (json, model) => field(modelNamed(field(json, 'data'), model), 'max_model_len'),
    },
  ],
  counting: [
    {
      path: '/tokenize',
      atRoot: true,
      body: (model, messages) => ({ model, messages: asChat(messages) }),
      read: (json) => field(json, 'count'),
      countsTemplate: true,
    },
  ],
  fields: (telling) => ({
    ...USAGE,
    ...stops(telling),
    ...samplers(telling, { top_p: 'top_p', min_p: 'min_p', repeat_penalty: 'repetition_penalty' }),
    ...thinking(telling, NO_THINKING),
  }),
  bound: nested,
  abort: null,
  dialect: null,
  embeddings: 'when started for it',
  key: { sign: /vllm/i, remedy: 'start it without --api-key and VLLM_API_KEY' },
  largerWindow: 'start it with a larger --max-model-len',
}

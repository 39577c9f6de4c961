import { field } from '../json-fields.ts'
import { modelNamed } from './model-list.ts'
import { namedSchema, requestFields } from './request-fields.ts'
import type { Server } from './server.ts'

/**
 * Ollama. Its OpenAI-compatible API takes no context window and few samplers; its native API does.
 * Source: https://docs.ollama.com/api/openai-compatibility, https://docs.ollama.com/context-length and
 * https://github.com/ollama/ollama, openai/openai.go, docs/faq.mdx.
 */
export const ollama: Server = {
  kind: 'ollama',
  name: 'Ollama',
  ports: [11434],
  fingerprints: [
    {
      path: '/',
      atRoot: true,
      evidence: ({ text }) => (text.trim() === 'Ollama is running' ? '"Ollama is running"' : null),
    },
  ],
  windowPages: [
    {
      path: '/api/ps',
      atRoot: true,
      read: (json, model) => field(modelNamed(field(json, 'models'), model), 'context_length'),
    },
  ],
  fields: requestFields({ samplers: { top_p: 'top_p' }, reasoningOff: { reasoning_effort: 'none' } }),
  schemaFields: namedSchema,
  nativeApi: 'ollama',
  keepsPrefix: true,
  key: { pattern: /ollama/i, remedy: 'remove the proxy that asks for a key' },
  largerWindow:
    'set OLLAMA_CONTEXT_LENGTH where Ollama is started, give the model a larger num_ctx in a Modelfile, or set “Ollama context (num_ctx)” in Settings',
}

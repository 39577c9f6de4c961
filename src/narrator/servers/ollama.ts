import { field } from '../json.ts'
import { modelNamed } from '../discover/model-list.ts'
import { nested, samplers, stops, thinking, USAGE } from './asked.ts'
import type { Server } from './server.ts'

/**
 * Ollama. Its compatible API takes no window, and few samplers; its own does.
 * Source: https://docs.ollama.com/api/openai-compatibility, https://docs.ollama.com/context-length and
 * https://github.com/ollama/ollama, openai/openai.go, docs/faq.mdx.
 */
export const ollama: Server = {
  kind: 'ollama',
  name: 'Ollama',
  ports: [11434],
  signs: [
    {
      path: '/',
      atRoot: true,
      evidence: ({ text }) => (text.trim() === 'Ollama is running' ? '"Ollama is running"' : null),
    },
  ],
  imitates: [],
  windows: [
    {
      path: '/api/ps',
      atRoot: true,
      read: (json, model) => field(modelNamed(field(json, 'models'), model), 'context_length'),
    },
  ],
  counting: [],
  fields: (telling) => ({
    ...USAGE,
    ...stops(telling),
    ...samplers(telling, { top_p: 'top_p' }),
    ...thinking(telling, { reasoning_effort: 'none' }),
  }),
  bound: nested,
  abort: null,
  dialect: 'ollama',
  embeddings: 'yes',
  key: { sign: /ollama/i, remedy: 'take away the proxy in front of it that asks for a key' },
  largerWindow:
    'set OLLAMA_CONTEXT_LENGTH where Ollama is started, or give the model a larger num_ctx in a Modelfile, or fill in “Window to ask Ollama for” in Settings',
}

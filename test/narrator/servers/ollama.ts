import { events, page, plain, type Transcript } from '../../support/endpoint/recorded.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-221',
  object: 'chat.completion.chunk',
  created: 1_764_000_000,
  model: 'llama3.2',
  system_fingerprint: 'fp_ollama',
  choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason }],
})

/**
 * Ollama, one model loaded.
 * Source: https://docs.ollama.com/api/openai-compatibility, https://docs.ollama.com/api/ps,
 * https://docs.ollama.com/api/errors and https://github.com/ollama/ollama, openai/openai.go, server/routes.go.
 */
export const ollama: Transcript = {
  kind: 'ollama',
  model: 'llama3.2',
  models: ['llama3.2:latest', 'qwen3:8b'],
  pages: {
    'GET /': plain('Ollama is running'),
    'GET /api/version': page({ version: '0.12.6' }),
    'GET /api/tags': page({
      models: [{ name: 'llama3.2:latest', model: 'llama3.2:latest', size: 2_019_393_189 }],
    }),
    'GET /api/ps': page({
      models: [
        {
          name: 'llama3.2:latest',
          model: 'llama3.2:latest',
          size_vram: 5_333_539_264,
          context_length: 4_096,
        },
      ],
    }),
    'GET /v1/models': page({
      object: 'list',
      data: [
        { id: 'llama3.2:latest', object: 'model', created: 1_764_000_000, owned_by: 'library' },
        { id: 'qwen3:8b', object: 'model', created: 1_764_000_000, owned_by: 'library' },
      ],
    }),
  },
  elsewhere: plain('404 page not found', 404),
  evidence: ['/: "Ollama is running"'],
  window: 4_096,
  counted: null,
  stream: {
    body: events(
      chunk({ content: 'The ' }),
      chunk({ content: 'door' }),
      chunk({ content: '' }, 'stop'),
      { ...chunk({}), choices: [], usage: { prompt_tokens: 26, completion_tokens: 3, total_tokens: 29 } },
      '[DONE]',
    ),
    text: 'The door',
    thinking: '',
  },
  thinking: {
    body: events(
      chunk({ content: '', reasoning: 'A door, ' }),
      chunk({ content: '', reasoning: 'then.' }),
      chunk({ content: 'The door' }),
      chunk({ content: '' }, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: 'A door, then.',
  },
  error: {
    ...page(
      {
        error: {
          message: 'model "llama9" not found, try pulling it first',
          type: 'not_found_error',
          param: null,
          code: null,
        },
      },
      404,
    ),
    words: 'try pulling it first',
  },
  // Requests wait while the model loads; this is the response when too many wait.
  loading: page(
    {
      error: {
        message: 'server busy, please try again. maximum pending requests exceeded',
        type: 'api_error',
        param: null,
        code: null,
      },
    },
    503,
  ),
}

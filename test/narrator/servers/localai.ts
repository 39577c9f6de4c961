import { events, page, type Transcript } from '../../support/endpoint/recorded.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  created: 1_764_000_000,
  object: 'chat.completion.chunk',
  id: 'f5d2',
  model: 'hermes-3',
  choices: [{ index: 0, finish_reason, delta }],
})

/**
 * LocalAI, which also has a page of Ollama.
 * Source: https://localai.io/features/api-discovery/, https://localai.io/reference/api-errors/ and
 * https://github.com/mudler/LocalAI, docs/content/reference/runtime-errors.md.
 */
export const localai: Transcript = {
  kind: 'localai',
  model: 'hermes-3',
  models: ['hermes-3', 'whisper-1'],
  pages: {
    'GET /': page({ Version: 'v3.7.0' }),
    'GET /.well-known/localai.json': page({
      version: 'v3.7.0',
      endpoints: { chat_completions: '/v1/chat/completions', models: '/v1/models' },
      capabilities: { mcp: false },
    }),
    'GET /api/tags': page({ models: [{ name: 'hermes-3:latest', model: 'hermes-3:latest' }] }),
    'GET /v1/models': page({
      object: 'list',
      data: [
        { id: 'hermes-3', object: 'model' },
        { id: 'whisper-1', object: 'model' },
      ],
    }),
  },
  elsewhere: page({ error: { code: 404, message: 'Resource not found', type: '' } }, 404),
  evidence: ['/.well-known/localai.json: version "v3.7.0"'],
  window: null,
  counted: null,
  stream: {
    body: events(
      chunk({ role: 'assistant', content: null }),
      chunk({ content: 'The ' }),
      chunk({ content: 'door' }),
      chunk({ content: '' }, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: '',
  },
  thinking: {
    body: events(
      chunk({ role: 'assistant', reasoning: 'A door.' }),
      chunk({ content: 'The door' }),
      chunk({ content: '' }, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: 'A door.',
  },
  error: {
    ...page({ error: { code: 500, message: 'could not load model: rpc error', type: '', param: null } }, 500),
    words: 'could not load model',
  },
  loading: {
    ...page(
      {
        error: {
          code: 503,
          message: 'model "hermes-3" failed to load, retrying in 30s',
          type: 'model_load_error',
        },
      },
      503,
    ),
    headers: { 'content-type': 'application/json', 'retry-after': '30' },
  },
}

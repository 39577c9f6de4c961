import { events, page, type Transcript } from '../../support/endpoint/recorded.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-i3gkjwthhw96whukek9tz',
  object: 'chat.completion.chunk',
  created: 1_764_000_000,
  model: 'gemma-3-270m-it-qat',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
})

/**
 * LM Studio, one model loaded with less than its maximum. Unknown paths are answered with status 200.
 * Source: https://lmstudio.ai/docs/developer/rest/list, .../rest/endpoints, .../openai-compat/chat-completions,
 * .../api-changelog.
 */
export const lmStudio: Transcript = {
  kind: 'lm-studio',
  model: 'gemma-3-270m-it-qat',
  models: ['gemma-3-270m-it-qat', 'text-embedding-nomic-embed-text-v1.5'],
  pages: {
    'GET /': page({ error: 'Unexpected endpoint or method. (GET /)' }),
    'GET /api/v1/models': page({
      models: [
        {
          type: 'llm',
          publisher: 'lmstudio-community',
          key: 'gemma-3-270m-it-qat',
          display_name: 'Gemma 3 270m Instruct Qat',
          loaded_instances: [{ id: 'gemma-3-270m-it-qat', config: { context_length: 4_096 } }],
          max_context_length: 32_768,
          format: 'gguf',
        },
        {
          type: 'embedding',
          publisher: 'nomic-ai',
          key: 'text-embedding-nomic-embed-text-v1.5',
          loaded_instances: [],
          max_context_length: 2_048,
        },
      ],
    }),
    'GET /api/v0/models': page({
      object: 'list',
      data: [
        {
          id: 'gemma-3-270m-it-qat',
          object: 'model',
          type: 'llm',
          publisher: 'lmstudio-community',
          arch: 'gemma3',
          compatibility_type: 'gguf',
          state: 'loaded',
          max_context_length: 32_768,
          loaded_context_length: 4_096,
        },
      ],
    }),
    'GET /v1/models': page({
      object: 'list',
      data: [
        { id: 'gemma-3-270m-it-qat', object: 'model', owned_by: 'organization_owner' },
        { id: 'text-embedding-nomic-embed-text-v1.5', object: 'model', owned_by: 'organization_owner' },
      ],
    }),
  },
  elsewhere: page({ error: 'Unexpected endpoint or method.' }),
  evidence: [
    '/api/v1/models: models.0.key "gemma-3-270m-it-qat" with loaded_instances',
    '/api/v0/models: data.0.state "loaded"',
    '/: error "Unexpected endpoint or method. (GET /)"',
  ],
  window: 4_096,
  counted: null,
  stream: {
    body: events(
      chunk({ role: 'assistant', content: 'The ' }),
      chunk({ content: 'door' }),
      chunk({}, 'stop'),
      { ...chunk({}), choices: [], usage: { prompt_tokens: 24, completion_tokens: 2, total_tokens: 26 } },
      '[DONE]',
    ),
    text: 'The door',
    thinking: '',
  },
  thinking: {
    body: events(
      chunk({ role: 'assistant', reasoning_content: 'A door.' }),
      chunk({ content: 'The door' }),
      chunk({}, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: 'A door.',
  },
  error: {
    ...page({ error: "'response_format.type' must be 'json_schema' or 'text'" }, 400),
    words: 'must be ',
  },
  loading: null,
}

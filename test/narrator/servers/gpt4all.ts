import { events, page, plain, type Transcript } from '../../support/endpoint/recorded.ts'

/**
 * GPT4All, which cannot stream.
 * Source: https://docs.gpt4all.io/gpt4all_api_server/home.html and https://github.com/nomic-ai/gpt4all,
 * gpt4all-chat/src/server.cpp.
 */
export const gpt4all: Transcript = {
  kind: 'gpt4all',
  model: 'Phi-3 Mini Instruct',
  models: ['Phi-3 Mini Instruct'],
  pages: {
    'GET /v1/models': page({
      object: 'list',
      data: [
        {
          id: 'Phi-3 Mini Instruct',
          object: 'model',
          created: 0,
          owned_by: 'humanity',
          root: 'Phi-3 Mini Instruct',
          parent: null,
          permissions: [{ id: 'placeholder', object: 'model_permission' }],
        },
      ],
    }),
  },
  elsewhere: plain('', 404),
  evidence: ['/v1/models: data.0.owned_by "humanity"'],
  window: null,
  counted: null,
  stream: {
    body: JSON.stringify(
      {
        choices: [
          {
            finish_reason: 'stop',
            index: 0,
            message: { content: 'The door', role: 'assistant' },
            references: null,
          },
        ],
        created: 1_764_000_000,
        id: 'placeholder',
        model: 'Phi-3 Mini Instruct',
        object: 'chat.completion',
        usage: { completion_tokens: 2, prompt_tokens: 42, total_tokens: 44 },
      },
      null,
      4,
    ),
    text: 'The door',
    thinking: '',
  },
  // Older versions streamed word by word, and ended without content.
  thinking: {
    body: events(
      { choices: [{ delta: { content: '<think> ' }, index: 0 }], object: 'chat.completion.chunk' },
      { choices: [{ delta: { content: 'hm </think>' }, index: 0 }], object: 'chat.completion.chunk' },
      { choices: [{ delta: { content: 'door' }, index: 0 }], object: 'chat.completion.chunk' },
      {
        choices: [{ delta: { content: null }, finish_reason: 'stop', index: 0 }],
        object: 'chat.completion.chunk',
      },
      '[DONE]',
    ),
    text: 'door',
    thinking: ' hm ',
  },
  error: {
    ...page(
      {
        error: {
          message: "'stream' is not supported",
          type: 'invalid_request_error',
          param: null,
          code: null,
        },
      },
      400,
    ),
    words: "'stream' is not supported",
  },
  loading: null,
}

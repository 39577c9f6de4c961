import { events, page, type Transcript } from '../../support/endpoint/recorded.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-7f',
  object: 'chat.completion.chunk',
  created: 1_764_000_000,
  model: 'Qwen/Qwen3-8B',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
})

/**
 * vLLM with a reasoning parser.
 * Source: https://docs.vllm.ai/en/stable/serving/openai_compatible_server, .../features/reasoning_outputs and
 * https://github.com/vllm-project/vllm, vllm/entrypoints/serve/tokenize/protocol.py.
 */
export const vllm: Transcript = {
  kind: 'vllm',
  model: 'Qwen/Qwen3-8B',
  models: ['Qwen/Qwen3-8B'],
  pages: {
    'GET /version': page({ version: '0.12.0' }),
    'GET /health': { status: 200, body: '' },
    'GET /v1/models': page({
      object: 'list',
      data: [
        {
          id: 'Qwen/Qwen3-8B',
          object: 'model',
          created: 1_764_000_000,
          owned_by: 'vllm',
          root: 'Qwen/Qwen3-8B',
          parent: null,
          max_model_len: 32_768,
          permission: [],
        },
      ],
    }),
    'POST /tokenize': page({ count: 42, max_model_len: 32_768, tokens: [1, 2, 3], token_strs: null }),
  },
  elsewhere: page({ detail: 'Not Found' }, 404),
  evidence: ['/v1/models: data.0.owned_by "vllm"'],
  window: 32_768,
  counted: 42,
  stream: {
    body: events(
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'The ' }),
      chunk({ content: 'door' }),
      chunk({ content: '' }, 'length'),
      { ...chunk({}), choices: [], usage: { prompt_tokens: 42, total_tokens: 44, completion_tokens: 2 } },
      '[DONE]',
    ),
    text: 'The door',
    thinking: '',
  },
  thinking: {
    // Both fields have the same text until the older name is removed.
    body: events(
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning: 'A door.', reasoning_content: 'A door.' }),
      chunk({ content: 'The door' }),
      chunk({ content: '' }, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: 'A door.',
  },
  error: {
    ...page(
      {
        object: 'error',
        message: "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
      400,
    ),
    words: 'maximum context length is 32768 tokens',
  },
  loading: null,
}

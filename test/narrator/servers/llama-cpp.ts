import { events, page, type Transcript } from '../../support/endpoint/recorded.ts'

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  choices: [{ finish_reason, index: 0, delta }],
  created: 1_764_000_000,
  id: 'chatcmpl-ecQULm0WqPrftUqjPZO1CFYeDjGZNbDu',
  model: 'Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf',
  object: 'chat.completion.chunk',
  ...more,
})

const progress = (processed: number) =>
  chunk({ role: 'assistant', content: null }, null, {
    prompt_progress: { total: 1_000, cache: 200, processed, time_ms: processed },
  })

/**
 * llama.cpp's own server, one slot.
 * Source: https://github.com/ggml-org/llama.cpp, tools/server/README.md.
 */
export const llamaCpp: Transcript = {
  kind: 'llama-cpp',
  model: 'Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf',
  models: ['Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf'],
  pages: {
    'GET /props': page({
      default_generation_settings: { id: 0, n_ctx: 8_192, speculative: false, is_processing: false },
      total_slots: 1,
      model_path: '../models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf',
      chat_template: '{{ messages }}',
      modalities: { vision: false },
      build_info: 'b6123-abc1234',
      is_sleeping: false,
    }),
    'GET /health': page({ status: 'ok' }),
    'GET /v1/models': page({
      object: 'list',
      data: [
        {
          id: 'Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf',
          object: 'model',
          created: 1_764_000_000,
          owned_by: 'llamacpp',
          meta: { vocab_type: 2, n_vocab: 128_256, n_ctx_train: 131_072, n_embd: 4_096 },
        },
      ],
    }),
    'POST /v1/chat/completions/input_tokens': page({ object: 'response.input_tokens', input_tokens: 42 }),
    'POST /tokenize': page({ tokens: Array.from({ length: 30 }, (_, i) => i) }),
  },
  elsewhere: page({ error: { message: 'File Not Found', type: 'not_found_error', code: 404 } }, 404),
  evidence: ['/props: default_generation_settings.n_ctx 8192', '/v1/models: data.0.owned_by "llamacpp"'],
  window: 8_192,
  counted: 42,
  stream: {
    body: `${events(progress(500))}: ping\n\n${events(
      progress(1_000),
      chunk({ role: 'assistant', content: null }),
      chunk({ content: 'The ' }),
      chunk({ content: 'door' }),
      chunk({}, 'stop', { timings: { cache_n: 200, prompt_n: 800, predicted_n: 2 } }),
      {
        choices: [],
        object: 'chat.completion.chunk',
        usage: { completion_tokens: 2, prompt_tokens: 1_000, prompt_tokens_details: { cached_tokens: 200 } },
      },
      '[DONE]',
    )}`,
    text: 'The door',
    thinking: '',
  },
  thinking: {
    body: events(
      chunk({ role: 'assistant', content: null }),
      chunk({ reasoning_content: 'A ' }),
      chunk({ reasoning_content: 'door – Tür.' }),
      chunk({ content: 'The door' }),
      chunk({}, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: 'A door – Tür.',
  },
  error: {
    ...page(
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9_000,
          n_ctx: 8_192,
        },
      },
      400,
    ),
    words: 'exceeds the available context size',
  },
  loading: page({ error: { message: 'Loading model', type: 'unavailable_error', code: 503 } }, 503),
}

/** Replies of llama.cpp as a proxy passes them on: one, and one that thinks first. */
export function passedOn(id: string, model: string): Pick<Transcript, 'stream' | 'thinking'> {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ finish_reason, index: 0, delta }],
    created: 1_764_000_000,
    id,
    model,
    object: 'chat.completion.chunk',
  })
  const told = [chunk({ content: 'The door' }), chunk({}, 'stop'), '[DONE]']
  return {
    stream: {
      body: events(chunk({ role: 'assistant', content: null }), ...told),
      text: 'The door',
      thinking: '',
    },
    thinking: {
      body: events(chunk({ reasoning_content: 'A door.' }), ...told),
      text: 'The door',
      thinking: 'A door.',
    },
  }
}

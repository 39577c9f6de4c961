import { events, page, type Transcript } from '../../support/endpoint/recorded.ts'

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'engine',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})

/** Our own engine. Source: src/api/engine.ts. */
export const engine: Transcript = {
  kind: 'inglenook-engine',
  model: 'lamp.gguf',
  models: ['lamp.gguf'],
  pages: {
    'GET /v1/models': page({
      object: 'list',
      data: [{ id: 'lamp.gguf', object: 'model', owned_by: 'inglenook-engine', meta: { n_ctx: 8_192 } }],
    }),
    'POST /v1/chat/completions/input_tokens': page({ input_tokens: 42 }),
  },
  elsewhere: page({ detail: 'There is nothing at this address.', code: 'not_found' }, 404),
  evidence: ['/v1/models: data.0.owned_by "inglenook-engine"'],
  window: 8_192,
  counted: 42,
  stream: {
    body: `: open\n\n${events(
      chunk({}, null, { prompt_progress: { processed: 500, total: 1_000, cache: 200 } }),
      chunk({ content: 'The ' }),
      chunk({ content: 'door' }),
      chunk({}, 'stop', {
        usage: { prompt_tokens: 1_000, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 200 } },
        timings: { cache_n: 200, prompt_n: 800, predicted_n: 2 },
      }),
      '[DONE]',
    )}`,
    text: 'The door',
    thinking: '',
  },
  thinking: {
    body: events(
      chunk({ content: '<think>A door – Tür.</think>' }),
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
        detail: 'The prompt has 9000 tokens, which exceeds the context size of 8192 tokens.',
        code: 'invalid',
      },
      422,
    ),
    words: 'exceeds the context size',
  },
  loading: page({ detail: 'Loading the model, 40%.', code: 'engine_loading' }, 503),
}

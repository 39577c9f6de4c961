import { events, page, plain, type Transcript } from '../../support/endpoint/recorded.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ delta, finish_reason, index: 0, logprobs: null }],
  created: 1_764_000_000,
  id: 'chatcmpl-lf',
  model: 'Llama-3.2-3B-Instruct.Q6_K',
  object: 'chat.completion.chunk',
})

/**
 * llamafile with its own server, which also has a page of llama.cpp.
 * Source: https://github.com/Mozilla-Ocho/llamafile, llamafile/server/v1_models.cpp,
 * llamafile/server/doc/v1_chat_completions.md, llamafile/server/doc/tokenize.md.
 */
export const llamafile: Transcript = {
  kind: 'llamafile',
  model: 'Llama-3.2-3B-Instruct.Q6_K',
  models: ['Llama-3.2-3B-Instruct.Q6_K'],
  pages: {
    'GET /props': page({
      user_name: '',
      assistant_name: '',
      default_generation_settings: { n_ctx: 8_192 },
      total_slots: 1,
    }),
    'GET /v1/models': page({
      object: 'list',
      data: [
        { id: 'Llama-3.2-3B-Instruct.Q6_K', object: 'model', created: 1_764_000_000, owned_by: 'llamafile' },
      ],
    }),
    'POST /tokenize': page({ tokens: Array.from({ length: 30 }, (_, i) => i) }),
  },
  elsewhere: plain('404 Not Found', 404),
  evidence: ['/v1/models: data.0.owned_by "llamafile"'],
  window: 8_192,
  counted: 38,
  stream: {
    body: events(
      chunk({ role: 'assistant', content: 'The ' }),
      chunk({ content: 'door' }),
      chunk({}, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: '',
  },
  thinking: {
    body: events(
      chunk({ content: 'A door.</think>' }),
      chunk({ content: 'The door' }),
      chunk({}, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: 'A door.',
  },
  error: { ...plain('JSON missing "messages" key', 400), words: 'missing "messages" key' },
  loading: page({ status: 'loading model' }, 503),
}

import { events, page, type Transcript } from '../../support/endpoint/recorded.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-5e0c',
  choices: [{ index: 0, finish_reason, delta, logprobs: null }],
  created: 1_764_000_000,
  model: 'Qwen3-14B-exl3',
  object: 'chat.completion.chunk',
})

/**
 * TabbyAPI without keys and with its Kobold API on, which identifies itself as KoboldCpp.
 * Source: https://github.com/theroyallab/tabbyAPI, endpoints/core/router.py, endpoints/Kobold/router.py,
 * endpoints/OAI/types/chat_completion.py, endpoints/core/types/token.py, common/networking.py.
 */
export const tabbyapi: Transcript = {
  kind: 'tabbyapi',
  model: 'Qwen3-14B-exl3',
  models: ['Qwen3-14B-exl3'],
  pages: {
    'GET /.well-known/serviceinfo': page({
      version: 0.1,
      software: {
        name: 'TabbyAPI',
        repository: 'https://github.com/theroyallab/tabbyAPI',
        homepage: 'https://github.com/theroyallab/tabbyAPI',
      },
      api: {
        openai: { name: 'OpenAI API', relative_url: '/v1', version: 1 },
        koboldai: { name: 'KoboldAI API', relative_url: '/api', version: 1 },
      },
    }),
    'GET /health': page({ status: 'healthy', issues: [] }),
    'GET /api/extra/version': page({ result: 'KoboldCpp', version: '1.61' }),
    'GET /api/extra/true_max_context_length': page({ value: 24_576 }),
    'GET /props': page({ total_slots: 1, chat_template: '', default_generation_settings: { n_ctx: 24_576 } }),
    'GET /v1/model': page({
      id: 'Qwen3-14B-exl3',
      object: 'model',
      owned_by: 'tabbyAPI',
      parameters: { max_seq_len: 24_576, cache_size: 24_576 },
    }),
    'GET /v1/models': page({
      object: 'list',
      data: [{ id: 'Qwen3-14B-exl3', object: 'model', created: 1_764_000_000, owned_by: 'tabbyAPI' }],
    }),
    'POST /v1/token/encode': page({ tokens: [1, 2, 3], length: 42 }),
  },
  elsewhere: page({ detail: 'Not Found' }, 404),
  evidence: ['/.well-known/serviceinfo: software.name "TabbyAPI"'],
  window: 24_576,
  counted: 42,
  stream: {
    body: `: ping - 2026-01-01 00:00:00\r\n\r\n${events(
      chunk({ role: 'assistant', content: 'The ' }),
      chunk({ role: 'assistant', content: 'door' }),
      chunk({}, 'stop'),
      '[DONE]',
    ).replaceAll('\n', '\r\n')}`,
    text: 'The door',
    thinking: '',
  },
  thinking: {
    body: events(
      chunk({ role: 'assistant', reasoning_content: 'A door.' }),
      chunk({ role: 'assistant', content: 'The door' }),
      chunk({}, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: 'A door.',
  },
  error: {
    ...page(
      { error: { message: 'Prompt length 30000 is greater than max_seq_len 24576', trace: null } },
      400,
    ),
    words: 'greater than max_seq_len 24576',
  },
  loading: null,
}

import { events, page, plain, type Transcript } from '../../support/endpoint/recorded.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-A1',
  object: 'chat.completion.chunk',
  created: 1_764_000_000,
  model: 'koboldcpp/airoboros-l2-7b-2.2',
  choices: [{ index: 0, finish_reason, delta: { role: 'assistant', ...delta } }],
})

/**
 * KoboldCpp, including its pages of Ollama and llama.cpp.
 * Source: https://lite.koboldai.net/koboldcpp_api.json and https://github.com/LostRuins/koboldcpp, koboldcpp.py.
 */
export const koboldcpp: Transcript = {
  kind: 'koboldcpp',
  model: 'koboldcpp/airoboros-l2-7b-2.2',
  models: ['koboldcpp/airoboros-l2-7b-2.2'],
  pages: {
    'GET /': plain('<!DOCTYPE html><html><head><title>KoboldAI Lite</title></head></html>', 200, 'text/html'),
    'GET /.well-known/serviceinfo': page({
      version: '0.2',
      software: {
        name: 'KoboldCpp',
        version: '1.98',
        repository: 'https://github.com/LostRuins/koboldcpp',
        homepage: 'https://github.com/LostRuins/koboldcpp',
      },
      api: { koboldai: { name: 'KoboldAI API', 'rel_url ': '/api', version: '1.2.5' } },
    }),
    'GET /api/extra/version': page({ result: 'KoboldCpp', version: '1.98', protected: false, llm: true }),
    'GET /api/extra/true_max_context_length': page({ value: 16_384 }),
    'GET /api/v1/config/max_context_length': page({ value: 2_048 }),
    'GET /api/v1/model': page({ result: 'koboldcpp/airoboros-l2-7b-2.2' }),
    'GET /api/tags': page({ models: [{ name: 'koboldcpp', model: 'koboldcpp/airoboros-l2-7b-2.2:latest' }] }),
    'GET /api/version': page({ version: '0.7.0' }),
    'GET /api/ps': page({ models: [{ name: 'koboldcpp', model: 'koboldcpp/airoboros-l2-7b-2.2' }] }),
    'GET /props': page({ chat_template: '', total_slots: 1, default_generation_settings: { n_ctx: 16_384 } }),
    'GET /v1/models': page({
      object: 'list',
      data: [
        {
          id: 'koboldcpp/airoboros-l2-7b-2.2',
          object: 'model',
          created: 1,
          owned_by: 'koboldcpp',
          root: 'koboldcpp',
        },
      ],
    }),
    'POST /api/extra/tokencount': page({ value: 30, ids: [1, 2, 3] }),
  },
  elsewhere: page({ detail: { error: 'Not Found', msg: 'Not Found', type: 'not_found' } }, 404),
  evidence: ['/.well-known/serviceinfo: software.name "KoboldCpp"', '/api/extra/version: result "KoboldCpp"'],
  window: 16_384,
  counted: 38,
  stream: {
    body: events(
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
      chunk({ content: '<thi' }),
      chunk({ content: 'nk>A door.</th' }),
      chunk({ content: 'ink>The door' }),
      chunk({ content: '' }, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: 'A door.',
  },
  error: {
    ...page({ detail: { msg: 'Error parsing input.', type: 'bad_input' } }, 400),
    words: 'Error parsing input.',
  },
  loading: page(
    { detail: { msg: 'Server is busy; please try again later.', type: 'service_unavailable' } },
    503,
  ),
}

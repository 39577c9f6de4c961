import { events, page, type Transcript } from '../../support/endpoint/recorded.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1764000000000000000',
  object: 'chat.completion.chunk',
  created: 1_764_000_000,
  model: 'Mistral-Nemo-Q5_K_M.gguf',
  choices: [{ index: 0, finish_reason, delta: { role: 'assistant', ...delta } }],
})

/**
 * text-generation-webui with its API on.
 * Source: https://github.com/oobabooga/text-generation-webui, modules/api/script.py, modules/api/typing.py,
 * modules/api/models.py, modules/api/errors.py.
 */
export const textGenerationWebui: Transcript = {
  kind: 'text-generation-webui',
  model: 'Mistral-Nemo-Q5_K_M.gguf',
  models: ['Mistral-Nemo-Q5_K_M.gguf'],
  pages: {
    'GET /v1/internal/health': page({ status: 'ok' }),
    'GET /v1/internal/model/info': page({ model_name: 'Mistral-Nemo-Q5_K_M.gguf', lora_names: [] }),
    'GET /v1/models': page({
      object: 'list',
      data: [{ id: 'Mistral-Nemo-Q5_K_M.gguf', object: 'model', created: 0, owned_by: 'user' }],
    }),
    'POST /v1/internal/token-count': page({ length: 30 }),
  },
  elsewhere: page({ detail: 'Not Found' }, 404),
  evidence: ['/v1/internal/model/info: model_name "Mistral-Nemo-Q5_K_M.gguf" with lora_names'],
  window: null,
  counted: 38,
  stream: {
    body: events(
      chunk({ content: 'The ' }),
      chunk({ content: 'door' }),
      chunk({ content: '' }, 'stop'),
      '[DONE]',
    ).replaceAll('\n', '\r\n'),
    text: 'The door',
    thinking: '',
  },
  thinking: {
    body: events(
      chunk({ reasoning_content: 'A door.' }),
      chunk({ content: 'The door' }),
      chunk({ content: '' }, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: 'A door.',
  },
  error: {
    ...page(
      { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required', input: {} }] },
      422,
    ),
    words: 'Field required',
  },
  loading: page(
    { error: { message: 'No model is loaded.', type: 'server_error', param: null, code: null } },
    503,
  ),
}

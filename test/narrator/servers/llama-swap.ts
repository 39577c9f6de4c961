import { page, plain, type Transcript } from '../../support/endpoint/recorded.ts'
import { passedOn } from './llama-cpp.ts'

const model = (id: string, value: string) => ({
  id,
  object: 'model',
  created: 1_764_000_000,
  owned_by: 'llama-swap',
  meta: { llamaswap: { type: 'model' } },
  status: { value },
})

const MODELS = page({ data: [model('large', 'unloaded'), model('small', 'loaded')], object: 'list' })
const fault = (message: string, status: number) =>
  page(
    { src: 'llama-swap', error: { message, type: 'invalid_request_error', param: null, code: 'not_found' } },
    status,
  )

/** llama-swap in front of two llama.cpp servers, one of them running. Recorded from a running one (version 0bdb3720). */
export const llamaSwap: Transcript = {
  kind: 'llama-swap',
  model: 'small',
  models: ['large', 'small'],
  pages: {
    'GET /': plain('<a href="/ui">Found</a>.', 302, 'text/html'),
    'GET /models': MODELS,
    'GET /v1/models': MODELS,
    'GET /api/version': page({ build_date: 'unknown', commit: 'abcd1234', version: '0' }),
    'GET /props': fault('no model id could be identified', 404),
    'GET /props?model=small': page({ default_generation_settings: { n_ctx: 4_096 }, total_slots: 1 }),
  },
  elsewhere: plain('404 page not found', 404),
  evidence: ['/v1/models: data.0.owned_by "llama-swap"'],
  window: 4_096,
  counted: null,
  ...passedOn('chatcmpl-swap', 'small'),
  error: { ...fault('no router for requested model', 404), words: 'no router for requested model' },
  // Requests wait while the model loads.
  loading: null,
}

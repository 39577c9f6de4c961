import { events, page, plain, type Transcript } from '../../support/endpoint/recorded.ts'

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ finish_reason, index: 0, delta }],
  created: 1_764_000_000,
  id: 'chatcmpl-jan',
  model: 'Jan-v3-4b-base-instruct-Q4_K_XL',
  object: 'chat.completion.chunk',
})

/**
 * Jan without a key, one model started.
 * Source: https://jan.ai/docs/desktop/api-server and https://github.com/janhq/jan, src-tauri/static/openapi.json,
 * src-tauri/src/core/server/proxy.rs.
 */
export const jan: Transcript = {
  kind: 'jan',
  model: 'Jan-v3-4b-base-instruct-Q4_K_XL',
  models: ['Jan-v3-4b-base-instruct-Q4_K_XL'],
  pages: {
    'GET /': plain(
      '<!DOCTYPE html>\n<html lang="en"><head><title>API Docs</title></head></html>',
      200,
      'text/html',
    ),
    'GET /openapi.json': page({
      openapi: '3.0.0',
      info: { title: 'Jan API Server Endpoints', version: '1.0' },
      servers: [{ url: 'http://localhost:1337/v1', description: 'Jan API server' }],
    }),
    'GET /v1/models': page({
      object: 'list',
      data: [{ id: 'Jan-v3-4b-base-instruct-Q4_K_XL', object: 'model', created: 1, owned_by: 'user' }],
    }),
  },
  elsewhere: plain('Not Found', 404),
  evidence: ['/openapi.json: info.title "Jan API Server Endpoints"'],
  window: null,
  counted: null,
  stream: {
    body: events(
      chunk({ role: 'assistant', content: null }),
      chunk({ content: 'The door' }),
      chunk({}, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: '',
  },
  thinking: {
    body: events(
      chunk({ reasoning_content: 'A door.' }),
      chunk({ content: 'The door' }),
      chunk({}, 'stop'),
      '[DONE]',
    ),
    text: 'The door',
    thinking: 'A door.',
  },
  error: { ...plain("No running session found for model 'gone'", 404), words: 'No running session found' },
  loading: plain('No models are available', 503),
}

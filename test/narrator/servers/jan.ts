import { page, plain, type Transcript } from '../../support/endpoint/recorded.ts'
import { passedOn } from './llama-cpp.ts'

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
  ...passedOn('chatcmpl-jan', 'Jan-v3-4b-base-instruct-Q4_K_XL'),
  error: { ...plain("No running session found for model 'gone'", 404), words: 'No running session found' },
  loading: plain('No models are available', 503),
}

import { fieldPage } from './fingerprints.ts'
import { samplers } from './request-fields.ts'
import type { Server } from './server.ts'

/**
 * GPT4All. It cannot stream, and rejects unknown fields.
 * Source: https://docs.gpt4all.io/gpt4all_api_server/home.html and https://github.com/nomic-ai/gpt4all,
 * gpt4all-chat/src/server.cpp.
 */
export const gpt4all: Server = {
  kind: 'gpt4all',
  name: 'GPT4All',
  ports: [4891],
  fingerprints: [fieldPage({ path: '/models' }, 'data.0.owned_by', /^humanity$/)],
  fields: (request) => samplers(request, { top_p: 'top_p', min_p: 'min_p' }),
  schemaFields: null,
  keepsPrefix: false,
  largerWindow: "raise the model's Context Length there",
}

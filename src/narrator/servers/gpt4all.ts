import { samplers } from './asked.ts'
import { says } from './says.ts'
import type { Server } from './server.ts'

/**
 * GPT4All. It streams nothing, and refuses fields that it does not know.
 * Source: https://docs.gpt4all.io/gpt4all_api_server/home.html and https://github.com/nomic-ai/gpt4all,
 * gpt4all-chat/src/server.cpp.
 */
export const gpt4all: Server = {
  kind: 'gpt4all',
  name: 'GPT4All',
  ports: [4891],
  signs: [
    {
      path: '/models',
      atRoot: false,
      evidence: ({ json }) => says(json, 'data.0.owned_by', /^humanity$/),
    },
  ],
  imitates: [],
  windows: [],
  counting: [],
  fields: (telling) => samplers(telling, { top_p: 'top_p', min_p: 'min_p' }),
  bound: null,
  abort: null,
  dialect: null,
  embeddings: 'no',
  key: null,
  largerWindow: 'raise the Context Length of the model there',
}

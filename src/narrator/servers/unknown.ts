import { modelsIn } from '../discover/model-list.ts'
import type { Server } from './server.ts'

/** A server of which nothing is known but the common protocol. */
export const unknown: Server = {
  kind: 'unknown',
  name: 'the model server',
  ports: [],
  signs: [],
  imitates: [],
  windows: [
    {
      path: '/models',
      atRoot: false,
      read: (json, model) => modelsIn(json).find(({ id }) => id === model)?.context_length,
    },
  ],
  counting: [],
  fields: () => ({}),
  bound: null,
  abort: null,
  dialect: null,
  embeddings: 'unknown',
  key: null,
  largerWindow: 'start the model server with a larger one',
}

import type { Server } from './server.ts'
import { modelsIn } from './shared/model-list.ts'

/** Any other server, addressed by the common protocol alone. */
export const unknown: Server = {
  kind: 'unknown',
  name: 'the model server',
  ports: [],
  fingerprints: [],
  windowPages: [
    {
      path: '/models',
      read: (json, model) => modelsIn(json).find(({ id }) => id === model)?.context_length,
    },
  ],
  fields: () => ({}),
  schemaFields: null,
  keepsPrefix: false,
  largerWindow: 'start the model server with a larger one',
}

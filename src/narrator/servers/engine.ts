import { modelNamed } from '../discover/model-list.ts'
import { field } from '../json-fields.ts'
import { llamaFields, llamaSchemaFields } from './llama-cpp.ts'
import type { Server } from './server.ts'
import { fieldEvidence } from './shared/evidence.ts'
import { chatMessages } from './shared/message-format.ts'

/** Our own engine, which loads a model file: `src/api/engine.ts`. It takes the fields of llama.cpp's own server. */
export const engine: Server = {
  kind: 'inglenook-engine',
  name: 'Inglenook engine',
  ports: [],
  fingerprints: [
    {
      path: '/models',
      atRoot: false,
      evidence: ({ json }) => fieldEvidence(json, 'data.0.owned_by', /^inglenook-engine$/),
    },
  ],
  imitates: [],
  windowPages: [
    {
      path: '/models',
      atRoot: false,
      read: (json, model) => field(field(modelNamed(field(json, 'data'), model), 'meta'), 'n_ctx'),
    },
  ],
  tokenCounters: [
    {
      path: '/chat/completions/input_tokens',
      atRoot: false,
      body: (model, messages) => ({ model, messages: chatMessages(messages) }),
      read: (json) => field(json, 'input_tokens'),
      countsTemplate: true,
    },
  ],
  fields: llamaFields,
  schemaFields: llamaSchemaFields,
  abort: null,
  nativeApi: null,
  keepsPrefix: true,
  embeddings: 'no',
  key: null,
  largerWindow: 'close other programs or choose a smaller model, and enter a larger context size',
}

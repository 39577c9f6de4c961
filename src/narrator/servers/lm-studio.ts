import { field } from '../json.ts'
import { modelNamed } from '../discover/model-list.ts'
import { nested, samplers, stops, thinking, USAGE } from './asked.ts'
import { says } from './says.ts'
import type { Server } from './server.ts'

/** Seconds that an idle model stays loaded: an hour, so that a pause in a story does not end in a cold start. */
const TTL = 3_600

/**
 * LM Studio. It answers unknown paths with status 200 and an error, and tells the loaded window beside the ceiling.
 * Source: https://lmstudio.ai/docs/developer/rest/list, .../rest/endpoints, .../openai-compat/chat-completions,
 * .../openai-compat/structured-output, .../core/ttl-and-auto-evict.
 */
export const lmStudio: Server = {
  kind: 'lm-studio',
  name: 'LM Studio',
  ports: [1234],
  signs: [
    {
      path: '/api/v1/models',
      atRoot: true,
      evidence: ({ json }) => {
        const hasInstances = Array.isArray(field(field(field(json, 'models'), 0), 'loaded_instances'))
        const key = says(json, 'models.0.key', /./)
        return key && hasInstances ? `${key} with loaded_instances` : null
      },
    },
    {
      path: '/api/v0/models',
      atRoot: true,
      evidence: ({ json }) =>
        says(json, 'data.0.compatibility_type', /./) &&
        says(json, 'data.0.state', /^(not-)?loaded$|^loading$/),
    },
    {
      path: '/',
      atRoot: true,
      evidence: ({ json }) => says(json, 'error', /^Unexpected endpoint or method\./),
    },
  ],
  imitates: [],
  windows: [
    {
      path: '/api/v1/models',
      atRoot: true,
      read: (json, model) => {
        const entry = modelNamed(field(json, 'models') ?? field(json, 'data'), model)
        return field(field(field(field(entry, 'loaded_instances'), 0), 'config'), 'context_length')
      },
    },
    {
      path: '/api/v0/models',
      atRoot: true,
      read: (json, model) => field(modelNamed(field(json, 'data'), model), 'loaded_context_length'),
    },
  ],
  counting: [],
  fields: (telling) => ({
    ...USAGE,
    ttl: TTL,
    ...stops(telling),
    ...samplers(telling, { top_p: 'top_p', repeat_penalty: 'repeat_penalty' }),
    ...thinking(telling, { reasoning_effort: 'none' }),
  }),
  bound: nested,
  abort: null,
  dialect: null,
  embeddings: 'yes',
  key: {
    sign: /lm[ -]?studio/i,
    remedy: 'switch "Require Authentication" off in its server settings',
  },
  largerWindow: 'load the model there with a larger Context Length',
}

import { field } from '../json-fields.ts'
import { fieldEvidence, fieldPage } from './fingerprints.ts'
import { modelNamed } from './model-list.ts'
import { namedSchema, requestFields } from './request-fields.ts'
import type { Server } from './server.ts'

/** Seconds that an idle model stays loaded: a pause in play must not cause a cold start. */
const TTL = 3_600

/**
 * LM Studio. It answers unknown paths with status 200 and an error, and reports both the loaded window and the
 * maximum. Source: https://lmstudio.ai/docs/developer/rest/list, .../rest/endpoints,
 * .../openai-compat/chat-completions, .../openai-compat/structured-output, .../core/ttl-and-auto-evict.
 */
export const lmStudio: Server = {
  kind: 'lm-studio',
  name: 'LM Studio',
  ports: [1234],
  fingerprints: [
    {
      path: '/api/v1/models',
      atRoot: true,
      evidence: ({ json }) => {
        const hasInstances = Array.isArray(field(field(field(json, 'models'), 0), 'loaded_instances'))
        const key = fieldEvidence(json, 'models.0.key', /./)
        return key && hasInstances ? `${key} with loaded_instances` : null
      },
    },
    {
      path: '/api/v0/models',
      atRoot: true,
      evidence: ({ json }) =>
        fieldEvidence(json, 'data.0.compatibility_type', /./) &&
        fieldEvidence(json, 'data.0.state', /^(not-)?loaded$|^loading$/),
    },
    fieldPage({ path: '/', atRoot: true }, 'error', /^Unexpected endpoint or method\./),
  ],
  windowPages: [
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
  fields: requestFields({
    samplers: { top_p: 'top_p', repeat_penalty: 'repeat_penalty' },
    reasoningOff: { reasoning_effort: 'none' },
    always: { ttl: TTL },
  }),
  schemaFields: namedSchema,
  keepsPrefix: true,
  key: {
    pattern: /lm[ -]?studio/i,
    remedy: 'turn off "Require Authentication" in its server settings',
  },
  largerWindow: 'load the model there with a larger Context Length',
}

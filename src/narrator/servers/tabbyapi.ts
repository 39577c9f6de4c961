import { field } from '../json-fields.ts'
import { fieldPage, PROPS_WINDOW } from './fingerprints.ts'
import {
  ALL_SAMPLERS,
  chatMessages,
  namedSchema,
  requestFields,
  TEMPLATE_REASONING_OFF,
} from './request-fields.ts'
import type { Server } from './server.ts'

/**
 * TabbyAPI. With its Kobold API on, it also serves pages of KoboldCpp.
 * Source: https://github.com/theroyallab/tabbyAPI, endpoints/core/router.py, common/sampling.py,
 * endpoints/OAI/types/chat_completion.py, endpoints/core/types/token.py, config_sample.yml.
 */
export const tabbyapi: Server = {
  kind: 'tabbyapi',
  name: 'TabbyAPI',
  ports: [5000],
  fingerprints: [
    fieldPage({ path: '/.well-known/serviceinfo', atRoot: true }, 'software.name', /^TabbyAPI$/i),
  ],
  imitates: ['koboldcpp', 'llama-cpp'],
  windowPages: [
    { path: '/model', read: (json) => field(field(json, 'parameters'), 'max_seq_len') },
    PROPS_WINDOW,
  ],
  tokenCounters: [
    {
      path: '/token/encode',
      body: (_model, messages) => ({ text: chatMessages(messages) }),
      read: (json) => field(json, 'length'),
      countsTemplate: true,
    },
  ],
  fields: requestFields({
    samplers: { ...ALL_SAMPLERS, repeat_penalty: 'repetition_penalty' },
    ranges: { repeat_penalty: 'penalty_range', dry_multiplier: 'dry_range' },
    reasoningOff: TEMPLATE_REASONING_OFF,
    reasoningBudget: (max_tokens) => ({ reasoning: { max_tokens } }),
  }),
  // Each build reads one of the two.
  schemaFields: (schema) => ({ ...namedSchema(schema), json_schema: schema }),
  keepsPrefix: true,
  key: { pattern: /tabby|please provide an api key/i, remedy: 'set disable_auth: true in its config.yml' },
  largerWindow: 'raise max_seq_len in its config.yml',
}

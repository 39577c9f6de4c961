import { field } from '../json.ts'
import { ALL_SAMPLERS, NO_THINKING, nested, samplers, stops, thinking, USAGE } from './asked.ts'
import { asChat } from './prompts.ts'
import { PROPS_WINDOW } from './props.ts'
import { says } from './says.ts'
import type { Server } from './server.ts'

/**
 * TabbyAPI. It has the pages of KoboldCpp too, where its Kobold API is on.
 * Source: https://github.com/theroyallab/tabbyAPI, endpoints/core/router.py, common/sampling.py,
 * endpoints/OAI/types/chat_completion.py, endpoints/core/types/token.py, config_sample.yml.
 */
export const tabbyapi: Server = {
  kind: 'tabbyapi',
  name: 'TabbyAPI',
  ports: [5000],
  signs: [
    {
      path: '/.well-known/serviceinfo',
      atRoot: true,
      evidence: ({ json }) => says(json, 'software.name', /^TabbyAPI$/i),
    },
  ],
  imitates: ['koboldcpp', 'llama-cpp'],
  windows: [
    { path: '/model', atRoot: false, read: (json) => field(field(json, 'parameters'), 'max_seq_len') },
    PROPS_WINDOW,
  ],
  counting: [
    {
      path: '/token/encode',
      atRoot: false,
      body: (_model, messages) => ({ text: asChat(messages) }),
      read: (json) => field(json, 'length'),
      countsTemplate: true,
    },
  ],
  fields: (telling) => ({
    ...USAGE,
    ...stops(telling),
    ...samplers(telling, { ...ALL_SAMPLERS, repeat_penalty: 'repetition_penalty' }),
    ...thinking(telling, NO_THINKING, (max_tokens) => ({ reasoning: { max_tokens } })),
  }),
  // Builds differ in which of the two they read.
  bound: (schema) => ({ ...nested(schema), json_schema: schema }),
  abort: null,
  dialect: null,
  embeddings: 'when started for it',
  key: { sign: /tabby|please provide an api key/i, remedy: 'set disable_auth: true in its config.yml' },
  largerWindow: 'raise max_seq_len in its config.yml',
}

import type { Telling } from '../../domain/model/model-request.ts'
import { field, listOf } from '../json.ts'
import { modelNamed } from '../discover/model-list.ts'
import { ALL_SAMPLERS, NO_THINKING, nested, samplers, stops, thinking, USAGE } from './asked.ts'
import { asChat, asText } from './prompts.ts'
import { LOADING_SIGN, PROPS_SIGN, PROPS_WINDOW } from './props.ts'
import { says } from './says.ts'
import type { Server } from './server.ts'

/** A grammar holds from the first token on, and would end a thought or be buried in one. */
const WITHOUT_THOUGHT = { reasoning_effort: 'none', ...NO_THINKING }

/** What the server of llama.cpp takes, whoever hands it on. */
export function llamaFields(telling: Telling): object {
  return {
    ...USAGE,
    cache_prompt: true,
    return_progress: true,
    ...stops(telling),
    ...samplers(telling, ALL_SAMPLERS),
    // Builds differ in which of the two they read, and pass over the other.
    ...thinking(telling, WITHOUT_THOUGHT, (tokens) => ({
      thinking_budget_tokens: tokens,
      reasoning_budget_tokens: tokens,
    })),
  }
}

/** What binds a reply of llama.cpp to a schema. */
export function llamaBound(schema: object): object {
  return { ...nested(schema), ...WITHOUT_THOUGHT }
}

/**
 * The server of llama.cpp.
 * Source: https://github.com/ggml-org/llama.cpp, tools/server/README.md, and its pull requests 20297 and 23673.
 */
export const llamaCpp: Server = {
  kind: 'llama-cpp',
  name: 'llama.cpp',
  ports: [8080],
  signs: [
    PROPS_SIGN,
    {
      path: '/models',
      atRoot: false,
      evidence: ({ json }) => says(json, 'data.0.owned_by', /^llamacpp$/),
    },
    LOADING_SIGN,
  ],
  imitates: [],
  windows: [
    PROPS_WINDOW,
    {
      path: '/models',
      atRoot: false,
      read: (json, model) => field(field(modelNamed(field(json, 'data'), model), 'meta'), 'n_ctx'),
    },
  ],
  counting: [
    {
      path: '/chat/completions/input_tokens',
      atRoot: false,
      body: (model, messages) => ({ model, messages: asChat(messages) }),
      read: (json) => field(json, 'input_tokens'),
      countsTemplate: true,
    },
    {
      path: '/tokenize',
      atRoot: true,
      body: (_model, messages) => ({ content: asText(messages), add_special: true }),
      read: (json) => listOf(field(json, 'tokens')).length,
      countsTemplate: false,
    },
  ],
  fields: llamaFields,
  bound: llamaBound,
  abort: null,
  dialect: null,
  embeddings: 'when started for it',
  key: { sign: /llama[.-]?cpp|authentication_error/i, remedy: 'start it without --api-key' },
  largerWindow: 'start it with a larger --ctx-size',
}

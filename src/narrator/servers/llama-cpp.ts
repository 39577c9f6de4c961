import { field, listOrEmpty } from '../json-fields.ts'
import { fieldPage, LOADING_FINGERPRINT, PROPS_FINGERPRINT, PROPS_WINDOW } from './fingerprints.ts'
import { modelNamed } from './model-list.ts'
import {
  ALL_SAMPLERS,
  chatMessages,
  completionPrompt,
  LLAMA_RANGES,
  namedSchema,
  requestFields,
  TEMPLATE_REASONING_OFF,
} from './request-fields.ts'
import type { Server, TokenCounter, WindowPage } from './server.ts'

/** A grammar applies from the first token on, so it would break reasoning. */
const REASONING_OFF = { reasoning_effort: 'none', ...TEMPLATE_REASONING_OFF }

const llamaFields = requestFields({
  samplers: ALL_SAMPLERS,
  ranges: LLAMA_RANGES,
  reasoningOff: REASONING_OFF,
  // Each build reads one of the two and ignores the other.
  reasoningBudget: (tokens) => ({ thinking_budget_tokens: tokens, reasoning_budget_tokens: tokens }),
  always: { cache_prompt: true, return_progress: true },
})

function llamaSchemaFields(schema: object): object {
  return { ...namedSchema(schema), ...REASONING_OFF }
}

const LLAMA_WINDOW: WindowPage = {
  path: '/models',
  read: (json, model) => field(field(modelNamed(field(json, 'data'), model), 'meta'), 'n_ctx'),
}

const LLAMA_TOKEN_COUNTER: TokenCounter = {
  path: '/chat/completions/input_tokens',
  body: (model, messages) => ({ model, messages: chatMessages(messages) }),
  read: (json) => field(json, 'input_tokens'),
  countsTemplate: true,
}

/**
 * llama.cpp's own server.
 * Source: https://github.com/ggml-org/llama.cpp, tools/server/README.md, and its pull requests 20297 and 23673.
 */
export const llamaCpp: Server = {
  kind: 'llama-cpp',
  name: 'llama.cpp',
  // 8080 in older versions.
  ports: [9931, 8080],
  fingerprints: [
    PROPS_FINGERPRINT,
    fieldPage({ path: '/models' }, 'data.0.owned_by', /^llamacpp$/),
    LOADING_FINGERPRINT,
  ],
  windowPages: [PROPS_WINDOW, LLAMA_WINDOW],
  tokenCounters: [
    LLAMA_TOKEN_COUNTER,
    {
      path: '/tokenize',
      atRoot: true,
      body: (_model, messages) => ({ content: completionPrompt(messages), add_special: true }),
      read: (json) => listOrEmpty(field(json, 'tokens')).length,
      countsTemplate: false,
    },
  ],
  fields: llamaFields,
  schemaFields: llamaSchemaFields,
  continueFields: {},
  keepsPrefix: true,
  key: { pattern: /llama[.-]?cpp|authentication_error/i, remedy: 'start it without --api-key' },
  largerWindow: 'start it with a larger --ctx-size',
}

/**
 * llama-swap, a proxy that starts the server of the model that is asked for, usually llama.cpp, and passes requests through.
 * Source: https://github.com/mostlygeek/llama-swap, internal/server, and its responses (version 0bdb3720).
 */
export const llamaSwap: Server = {
  kind: 'llama-swap',
  name: 'llama-swap',
  ports: [8080],
  fingerprints: [fieldPage({ path: '/models' }, 'data.0.owned_by', /^llama-swap$/)],
  windowPages: [{ ...PROPS_WINDOW, isOfModel: true }],
  fields: llamaFields,
  schemaFields: llamaSchemaFields,
  continueFields: {},
  keepsPrefix: true,
  key: { pattern: /llama-swap/i, remedy: 'remove apiKeys from its configuration' },
  largerWindow: "raise --ctx-size in the model's command in its configuration",
}

/**
 * Jan, which passes requests through to its own llama.cpp. Source: https://jan.ai/docs/desktop/api-server and
 * https://github.com/janhq/jan, src-tauri/static/openapi.json, src-tauri/src/core/server/proxy.rs.
 */
export const jan: Server = {
  kind: 'jan',
  name: 'Jan',
  ports: [1337],
  fingerprints: [fieldPage({ path: '/openapi.json', atRoot: true }, 'info.title', /^Jan API/)],
  fields: llamaFields,
  schemaFields: llamaSchemaFields,
  continueFields: {},
  keepsPrefix: true,
  key: {
    pattern: /\bjan\b/i,
    remedy: 'clear the API key in its local server settings, or use its llama.cpp engine',
  },
  largerWindow: "raise the model's Context Size there",
}

/** Our own engine for model files, `src/api/engine.ts`, with the fields of llama.cpp's server. */
export const engine: Server = {
  kind: 'inglenook-engine',
  name: 'Inglenook engine',
  ports: [],
  fingerprints: [fieldPage({ path: '/models' }, 'data.0.owned_by', /^inglenook-engine$/)],
  windowPages: [LLAMA_WINDOW],
  tokenCounters: [LLAMA_TOKEN_COUNTER],
  fields: llamaFields,
  schemaFields: llamaSchemaFields,
  continueFields: {},
  keepsPrefix: true,
  largerWindow: 'close other programs or choose a smaller model, and enter a larger context size',
}

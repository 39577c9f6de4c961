import type { ModelRequest } from '../../domain/model/model-request.ts'
import type { ServerKind } from '../../domain/model/model-server.ts'
import { OPTIONAL_DEFAULTS, SAMPLERS } from '../../domain/settings.ts'
import { gpt4all } from './gpt4all.ts'
import { koboldcpp } from './koboldcpp.ts'
import { engine, jan, llamaCpp, llamaSwap } from './llama-cpp.ts'
import { llamafile } from './llamafile.ts'
import { lmStudio } from './lm-studio.ts'
import { localai } from './localai.ts'
import { modelsIn } from './model-list.ts'
import { ollama } from './ollama.ts'
import { namedSchema } from './request-fields.ts'
import type { Server } from './server.ts'
import { tabbyapi } from './tabbyapi.ts'
import { textGenerationWebui } from './text-generation-webui.ts'
import { vllm } from './vllm.ts'

/** Every known server, before those that it imitates. */
export const SERVERS: readonly Server[] = [
  engine,
  tabbyapi,
  koboldcpp,
  localai,
  ollama,
  lmStudio,
  jan,
  llamafile,
  llamaSwap,
  llamaCpp,
  textGenerationWebui,
  vllm,
  gpt4all,
]

export function serverOf(kind: ServerKind = 'unknown'): Server {
  return kind === 'practice' ? practice : (SERVERS.find((server) => server.kind === kind) ?? unknown)
}

const MINIMAL: ModelRequest = {
  model: '',
  api_mode: 'chat',
  messages: [],
  temperature: 1,
  max_output_tokens: 1,
  reasoning_max_tokens: 0,
  sampling: OPTIONAL_DEFAULTS,
}

const WITH_SETTING: [name: string, request: ModelRequest][] = [
  ...SAMPLERS.map((name): [string, ModelRequest] => [
    name,
    { ...MINIMAL, sampling: { ...OPTIONAL_DEFAULTS, [name]: 0.5 } },
  ]),
  ['reasoning_effort', { ...MINIMAL, reasoning_effort: 'low' }],
  ['stop_at_player', { ...MINIMAL, stop: ['\n'] }],
]

export function supportedSettings(kind: ServerKind): ReadonlySet<string> {
  const { fields, nativeApi } = serverOf(kind)
  const minimal = JSON.stringify(fields(MINIMAL))
  const supported = WITH_SETTING.filter(([, request]) => JSON.stringify(fields(request)) !== minimal)
  return new Set([...supported.map(([name]) => name), ...(nativeApi === 'ollama' ? ['num_ctx'] : [])])
}

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

/** Our own practice narrator, `src/api/practice.ts`. It answers a question from its schema. */
const practice: Server = {
  ...unknown,
  kind: 'practice',
  name: 'the practice narrator',
  schemaFields: namedSchema,
}

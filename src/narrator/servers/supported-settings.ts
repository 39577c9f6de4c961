import type { ModelRequest } from '../../domain/model/model-request.ts'
import type { ServerKind } from '../../domain/model/server-kind.ts'
import { OPTIONAL_DEFAULTS, SAMPLERS } from '../../domain/settings.ts'
import { serverOf } from './servers.ts'

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

/** The optional settings that a server takes: those that change its requests. */
export function supportedSettings(kind: ServerKind): ReadonlySet<string> {
  const { fields, nativeApi } = serverOf(kind)
  const minimal = JSON.stringify(fields(MINIMAL))
  const supported = WITH_SETTING.filter(([, request]) => JSON.stringify(fields(request)) !== minimal)
  return new Set([...supported.map(([name]) => name), ...(nativeApi === 'ollama' ? ['num_ctx'] : [])])
}

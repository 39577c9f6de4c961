import type { ServerKind } from '../domain/model/server-kind.ts'
import { NOTHING_MORE } from '../domain/settings.ts'
import type { Telling } from '../domain/model/model-request.ts'
import { serverOf } from './servers/servers.ts'

/** What a server is called. */
export function nameOf(kind: ServerKind): string {
  return serverOf(kind).name
}

/** What the player does there for a larger window, as it follows a comma. */
export function largerWindow(kind: ServerKind): string {
  return serverOf(kind).largerWindow
}

/** Whether a server can be asked to bind a reply to a JSON Schema. */
export function canBind(kind: ServerKind): boolean {
  return serverOf(kind).bound !== null
}

const NOTHING: Telling = {
  model: '',
  api_mode: 'chat',
  messages: [],
  temperature: 1,
  max_output_tokens: 1,
  reasoning_max_tokens: 0,
  sampling: NOTHING_MORE,
}

const TRIED: [name: string, telling: Telling][] = [
  ...(['top_p', 'min_p', 'repeat_penalty', 'dry_multiplier', 'xtc_probability'] as const).map(
    (name): [string, Telling] => [name, { ...NOTHING, sampling: { ...NOTHING_MORE, [name]: 0.5 } }],
  ),
  ['reasoning_effort', { ...NOTHING, reasoning_effort: 'low' }],
  ['stop_at_player', { ...NOTHING, stop: ['\n'] }],
]

/** The settings beyond the common ones that a server takes: those of which its requests would say anything. */
export function takenBy(kind: ServerKind): ReadonlySet<string> {
  const { fields, dialect } = serverOf(kind)
  const silent = JSON.stringify(fields(NOTHING))
  const taken = TRIED.filter(([, telling]) => JSON.stringify(fields(telling)) !== silent)
  return new Set([...taken.map(([name]) => name), ...(dialect === 'ollama' ? ['num_ctx'] : [])])
}

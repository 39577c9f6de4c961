import type { Endpoint } from '../domain/telling.ts'
import { bodyText } from './body-text.ts'
import { field, listOf, parseJson, textOf } from './json.ts'
import { modelsIn } from './model-list.ts'
import { isSuccess, type Wire } from './wire.ts'

/** How many tokens a model really takes in, and which of the server's own pages says so. */
export interface WindowFound {
  tokens: number
  from: string
}

interface Source {
  path: string
  /** Beside the API, at the root of the server. */
  atRoot: boolean
  read: (json: unknown, model: string) => unknown
}

/** Where servers tell their loaded window, the surest first. What a model was trained for is only a ceiling. */
const SOURCES: Source[] = [
  { path: '/api/extra/true_max_context_length', atRoot: true, read: (json) => field(json, 'value') },
  {
    path: '/props',
    atRoot: true,
    read: (json) => field(field(json, 'default_generation_settings'), 'n_ctx') ?? field(json, 'n_ctx'),
  },
  {
    path: '/api/ps',
    atRoot: true,
    read: (json, model) => field(named(field(json, 'models'), model), 'context_length'),
  },
  {
    path: '/api/v1/models',
    atRoot: true,
    read: (json, model) =>
      field(
        field(
          field(field(named(field(json, 'models') ?? field(json, 'data'), model), 'loaded_instances'), 0),
          'config',
        ),
        'context_length',
      ),
  },
  { path: '/model', atRoot: false, read: (json) => field(field(json, 'parameters'), 'max_seq_len') },
  {
    path: '/models',
    atRoot: false,
    read: (json, model) => modelsIn(json).find(({ id }) => id === model)?.context_length,
  },
]

/** Asks a server for the window of a model; null when it does not tell. A silent or odd answer is passed over. */
export async function findWindow(
  wire: Wire,
  { url }: Endpoint,
  model: string,
  seconds: number,
  signal: AbortSignal,
): Promise<WindowFound | null> {
  for (const { path, atRoot, read } of SOURCES) {
    const base = atRoot ? new URL(url).origin : url
    const tokens = read(await answerOf(wire, base, path, seconds, signal), model)
    if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0)
      return { tokens, from: path }
  }
  return null
}

async function answerOf(
  wire: Wire,
  url: string,
  path: string,
  seconds: number,
  signal: AbortSignal,
): Promise<unknown> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)])
  try {
    const answer = await wire.ask({ url, read_timeout_seconds: seconds }, { method: 'GET', path }, limited)
    const text = await bodyText(answer.body)
    return isSuccess(answer) ? parseJson(text) : undefined
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

function named(list: unknown, model: string): unknown {
  const names = ['id', 'key', 'model', 'name']
  return listOf(list).find((item) => names.some((name) => isSameModel(textOf(field(item, name)), model)))
}

// Ollama adds a tag to a name that has none.
function isSameModel(name: string | null, model: string): boolean {
  return name === model || name === `${model}:latest`
}

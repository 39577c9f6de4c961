import { findFacts, upsertFacts } from '../../db/tables/endpoint-facts.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { CLIPPED } from '../../domain/prompt/model-facts.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Deps } from '../deps.ts'
import { whenFree } from '../runtime/when-free.ts'
import { canAsk } from './ask-model.ts'

/**
 * Finds out, once per start and model, which server answers and how large the model's context window is. `known` collects
 * the models that were looked at. Throws the errors of the endpoint.
 */
export async function learnModel(deps: Deps, known: Set<string>, signal: AbortSignal): Promise<void> {
  const settings = getSettings(deps.library.reader)
  const key = `${settings.endpoint_url} ${settings.model}`
  if (!canAsk(settings) || known.has(key)) return
  known.add(key)
  await probe(deps, settings, signal)
}

/** Milliseconds that a turn waits for a server to tell its context window. */
const WINDOW_TIMEOUT = 300

/**
 * Asks a recognised server for its context window again: it may have been restarted with another one, or have loaded the
 * model only now. A server that does not tell keeps its facts. Never throws.
 */
export async function refreshWindow(deps: Deps, settings: Settings, signal: AbortSignal): Promise<void> {
  const { endpoint_url: url, model, read_timeout_seconds } = settings
  const { server, window, window_from } = findFacts(deps.library.reader, url, model)
  if (!canAsk(settings) || server === 'unknown') return
  const limited = AbortSignal.any([signal, AbortSignal.timeout(WINDOW_TIMEOUT)])
  const endpoint = { url, read_timeout_seconds, server }
  const found = await deps.narrator.findWindow(endpoint, model, limited).catch(() => null)
  if (!found || (found.tokens === window && found.from === window_from)) return
  const facts = { window: found.tokens, window_from: found.from }
  // Learned later, if another program uses the library for long.
  await whenFree(deps, () => deps.library.write((tx) => upsertFacts(tx, url, model, facts))).catch(() => {})
}

/** Looks again at a server whose window is too small for a prompt. Returns whether its window has changed. Never throws. */
export async function findsOtherWindow(
  deps: Deps,
  settings: Settings,
  signal: AbortSignal,
): Promise<boolean> {
  const { endpoint_url: url, model } = settings
  const before = findFacts(deps.library.reader, url, model)
  if (!canAsk(settings)) return false
  const limited = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT)])
  await probe(deps, settings, limited, { keepsInference: true }).catch(() => {})
  return findFacts(deps.library.reader, url, model).window !== before.window
}

/** Milliseconds that a turn waits for the look at a server. */
const PROBE_TIMEOUT = 2_500

/** Looks at once at an endpoint that the player has just entered. What fails now is learned later. */
export async function probeModel(deps: Deps, signal: AbortSignal): Promise<void> {
  const settings = getSettings(deps.library.reader)
  if (!canAsk(settings)) return
  await probe(deps, settings, signal).catch(() => {})
}

// A server that does not answer keeps its facts. A window that was only inferred from a cut prompt is dropped when the
// player asks to look again.
async function probe(
  deps: Deps,
  settings: Settings,
  signal: AbortSignal,
  { keepsInference = false } = {},
): Promise<void> {
  const { endpoint_url: url, model, read_timeout_seconds } = settings
  const before = findFacts(deps.library.reader, url, model)
  const { server, evidence } = await deps.narrator.recognise(url, signal)
  const window = await deps.narrator.findWindow({ url, read_timeout_seconds, server }, model, signal)
  deps.library.write((tx) => {
    const known = findFacts(tx, url, model)
    const isOldInference = !keepsInference && known.window_from === CLIPPED && known.window === before.window
    const dropped = isOldInference ? { window: null, window_from: '' } : {}
    upsertFacts(tx, url, model, {
      ...(server === 'unknown' ? {} : { server, evidence: evidence.join('; ') }),
      ...(server === 'unknown' || server === known.server ? {} : { enforces: null }),
      ...(window ? { window: window.tokens, window_from: window.from } : dropped),
    })
  })
}

import type { Writer } from '../db/database.ts'
import { findFacts, keepFacts } from '../db/tables/endpoint-facts.ts'
import { getSettings } from '../db/tables/settings.ts'
import { CLIPPED_THERE, learnt } from '../domain/prompt/measure.ts'
import type { Settings } from '../domain/settings.ts'
import { largerWindow } from '../narrator/about-server.ts'
import { canAsk } from './ask-model.ts'
import type { Deps } from './deps.ts'
import type { Reply } from './tell-reply.ts'

/** Learns from a turn how the server counts, and whether it cut the prompt off. */
export function learnFrom(tx: Writer, { usage, prompt }: Reply): void {
  const settings = getSettings(tx)
  const counted = usage?.prompt_tokens ?? (prompt.tokens.method === 'exact' ? prompt.tokens.total : null)
  if (!counted || !canAsk(settings)) return
  const { endpoint_url, model, max_output_tokens } = settings
  const known = findFacts(tx, endpoint_url, model)
  keepFacts(tx, endpoint_url, model, learnt(known, prompt.tokens.plain, counted, max_output_tokens).facts)
}

/** Whether the server read far less than it was sent; in words for the player, '' when it did not. */
export function clippedWords({ usage, prompt, telling }: Reply, known: Parameters<typeof learnt>[0]): string {
  const counted = usage?.prompt_tokens
  if (!counted || !learnt(known, prompt.tokens.plain, counted, telling.max_output_tokens).clipped) return ''
  return `The model read only ${counted} of about ${prompt.tokens.total} tokens: its server cut the beginning off. From now on shorter prompts are sent; for more of the story, ${largerWindow(known.server)}, then save the settings again.`
}

/** Asks, once for each start and model, which server it is and how large the model's window is. */
export async function learnModel(deps: Deps, asked: Set<string>, signal: AbortSignal): Promise<void> {
  const settings = getSettings(deps.library.reader)
  const name = `${settings.endpoint_url} ${settings.model}`
  if (!canAsk(settings) || asked.has(name)) return
  asked.add(name)
  await look(deps, settings, signal)
}

/** Milliseconds that a page waits to say which server answers. */
const LOOKING = 2_500

/** The same at once, because the player has just named the endpoint. What is not learnt now is learnt later. */
export async function lookAtModel(deps: Deps, signal: AbortSignal): Promise<void> {
  const settings = getSettings(deps.library.reader)
  if (!canAsk(settings)) return
  await look(deps, settings, AbortSignal.any([signal, AbortSignal.timeout(LOOKING)])).catch(() => {})
}

// A server that is silent today is still what it was; but a cut is only believed until its server is looked at again.
async function look(deps: Deps, settings: Settings, signal: AbortSignal): Promise<void> {
  const { endpoint_url: url, model, read_timeout_seconds } = settings
  const before = findFacts(deps.library.reader, url, model)
  const { server, evidence } = await deps.narrator.recognise(url, signal)
  const found = await deps.narrator.window({ url, read_timeout_seconds, server }, model, signal)
  deps.library.write((tx) => {
    const known = findFacts(tx, url, model)
    const isOldCut = known.window_from === CLIPPED_THERE && known.window === before.window
    const forgotten = isOldCut ? { window: null, window_from: '' } : {}
    keepFacts(tx, url, model, {
      ...(server === 'unknown' ? {} : { server, evidence: evidence.join('; ') }),
      ...(server === 'unknown' || server === known.server ? {} : { enforces: null }),
      ...(found ? { window: found.tokens, window_from: found.from } : forgotten),
    })
  })
}

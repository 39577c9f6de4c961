import type { Writer } from '../db/database.ts'
import { findFacts, keepFacts } from '../db/endpoint-facts.ts'
import { getSettings } from '../db/settings.ts'
import { learnt } from '../domain/prompt/measure.ts'
import { canAsk } from './ask-model.ts'
import type { Deps } from './deps.ts'
import type { Reply } from './tell-reply.ts'

/** Learns from a turn how the server counts, and whether it cut the prompt off. */
export function learnFrom(tx: Writer, { usage, prompt }: Reply): void {
  const settings = getSettings(tx)
  const counted = usage?.prompt_tokens
  if (!counted || !canAsk(settings)) return
  const { endpoint_url, model, max_output_tokens } = settings
  const known = findFacts(tx, endpoint_url, model)
  keepFacts(tx, endpoint_url, model, learnt(known, prompt.tokens.plain, counted, max_output_tokens).facts)
}

/** Whether the server read far less than it was sent; in words for the player, '' when it did not. */
export function clippedWords({ usage, prompt, telling }: Reply, known: Parameters<typeof learnt>[0]): string {
  const counted = usage?.prompt_tokens
  if (!counted || !learnt(known, prompt.tokens.plain, counted, telling.max_output_tokens).clipped) return ''
  return `The model read only ${counted} of about ${prompt.tokens.total} tokens: its server cut the beginning off. From now on shorter prompts are sent; for more of the story, give the model a larger window there, then save the settings again.`
}

/** Asks the server, once for each start and model, how large its window is. */
export async function learnWindow(deps: Deps, asked: Set<string>, signal: AbortSignal): Promise<void> {
  const settings = getSettings(deps.library.reader)
  const { endpoint_url: url, model, read_timeout_seconds } = settings
  const name = `${url} ${model}`
  if (!canAsk(settings) || asked.has(name)) return
  asked.add(name)
  const found = await deps.narrator.window({ url, read_timeout_seconds }, model, signal)
  if (!found) return
  deps.library.write((tx) => keepFacts(tx, url, model, { window: found.tokens, window_from: found.from }))
}

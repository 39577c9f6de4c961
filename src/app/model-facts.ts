import { findNewest } from '../db/actions.ts'
import { getWorld } from '../db/adventures.ts'
import type { Writer } from '../db/database.ts'
import { findFacts, keepFacts } from '../db/endpoint-facts.ts'
import { getSettings } from '../db/settings.ts'
import { messagesOf } from '../domain/prompt/layout.ts'
import { learnt } from '../domain/prompt/measure.ts'
import { obeyed, PROBE } from '../domain/world/changes-question.ts'
import { hasStats } from '../domain/world/state.ts'
import { askModel, canAsk, WITHOUT_THINKING } from './ask-model.ts'
import { isPassed } from './call-queue.ts'
import type { Deps } from './deps.ts'
import { storyParts } from './remember.ts'
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
export function clippedWords({ usage, prompt }: Reply, known: Parameters<typeof learnt>[0]): string {
  const counted = usage?.prompt_tokens
  if (!counted || !learnt(known, prompt.tokens.plain, counted, 0).clipped) return ''
  return `The model read only ${counted} of about ${prompt.tokens.total} tokens: its server cut the beginning off. From now on shorter prompts are sent; to have the whole story told on, start the server with a larger window.`
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

const PROBE_TOKENS = 40

/**
 * Finds out, once for each model and endpoint, whether answers are bound to a JSON Schema there: after the first saved
 * turn of a story that counts something. Any turn goes first; then it is asked after that one.
 */
export async function learnEnforcement(
  deps: Deps,
  adventureId: number,
  asked: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const { reader } = deps.library
  const settings = getSettings(reader)
  const { endpoint_url: url, model, second_call } = settings
  const name = `${url} ${model}`
  if (!canAsk(settings) || second_call === 'off' || asked.has(name)) return
  if (findFacts(reader, url, model).enforces !== null) return
  if (!hasStats(getWorld(reader, adventureId).schema) || findNewest(reader, adventureId)?.type !== 'ai')
    return
  // Behind the story, so that the server does not lose what it has read of it.
  const parts = [...storyParts(deps, adventureId, settings), { role: 'user' as const, text: PROBE.question }]
  const { schema } = PROBE
  try {
    const asks = { model, messages: messagesOf(parts), max_output_tokens: PROBE_TOKENS }
    const question = { ...asks, ...WITHOUT_THINKING, schema }
    const enforces = obeyed(await askModel(deps, question, signal))
    deps.library.write((tx) => keepFacts(tx, url, model, { enforces }))
  } catch (error) {
    if (!isPassed(error)) asked.add(name)
    throw error
  }
}

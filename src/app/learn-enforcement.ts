import { findNewest } from '../db/actions.ts'
import { getWorld } from '../db/tables/adventures.ts'
import { findFacts, keepFacts } from '../db/tables/endpoint-facts.ts'
import { getSettings } from '../db/tables/settings.ts'
import { messagesOf } from '../domain/prompt/prompt.ts'
import { obeyed, PROBE } from '../domain/world/changes-question.ts'
import { hasStats } from '../domain/world/state.ts'
import { canBind } from '../narrator/about-server.ts'
import { askModel, canAsk, WITHOUT_THINKING } from './ask-model.ts'
import { isPassed } from './call-queue.ts'
import type { Deps } from './deps.ts'
import { storyParts } from './remember.ts'

const PROBE_TOKENS = 40

/**
 * Finds out, once for each model and endpoint, whether answers are really bound to a JSON Schema there: after the first
 * saved turn of a story that counts something, where the server can be asked to bind them. Any turn goes first; then it is asked after that one.
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
  const { enforces: known, server } = findFacts(reader, url, model)
  if (known !== null || !canBind(server)) return
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

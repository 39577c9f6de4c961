import type { Reader } from '../../db/database.ts'
import { findNewest } from '../../db/tables/actions/list.ts'
import { getWorld } from '../../db/tables/adventures.ts'
import { findFacts, upsertFacts } from '../../db/tables/endpoint-facts.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { messagesOf } from '../../domain/prompt/prompt.ts'
import type { Settings } from '../../domain/settings.ts'
import { probeResult, SCHEMA_PROBE } from '../../domain/world/prompt/second-call-question.ts'
import { hasStats } from '../../domain/world/state.ts'
import { serverOf } from '../../narrator/servers/servers.ts'
import type { Deps } from '../deps.ts'
import { storyPrompt } from '../prompt/build-prompt.ts'
import { wasPreempted } from '../runtime/call-queue.ts'
import { askModel, canAsk, WITHOUT_THINKING } from './ask-model.ts'

/** Room for an answer with white space between all of its parts. */
const PROBE_TOKENS = 200

/**
 * Finds out, once per model and endpoint, whether the server really enforces a JSON Schema: after the first saved turn
 * of a story with stats, where the server accepts a schema at all. A turn preempts the probe, which is then repeated
 * after it. `failed` collects the models whose probe failed.
 */
export async function probeJsonSchema(
  deps: Deps,
  {
    adventureId,
    failedProbes: failed,
    signal,
  }: { adventureId: number; failedProbes: Set<string>; signal: AbortSignal },
): Promise<void> {
  const { reader } = deps.library
  const settings = getSettings(reader)
  const { endpoint_url: url, model } = settings
  const key = `${url} ${model}`
  if (failed.has(key) || !isProbeDue(reader, adventureId, settings)) return
  // After the story's own prompt, so that the server keeps the story in its cache.
  const prompt = storyPrompt(reader, adventureId, settings)
  const messages = messagesOf([...prompt, { role: 'user', text: SCHEMA_PROBE.question }])
  try {
    const question = { model, messages, max_output_tokens: PROBE_TOKENS, schema: SCHEMA_PROBE.schema }
    const enforces = probeResult(
      await askModel(deps, adventureId, { ...question, ...WITHOUT_THINKING }, signal),
    )
    if (enforces === null) failed.add(key)
    deps.library.write((tx) => upsertFacts(tx, url, model, { enforces }))
  } catch (error) {
    if (!wasPreempted(error)) failed.add(key)
    throw error
  }
}

function isProbeDue(reader: Reader, adventureId: number, settings: Settings): boolean {
  if (!canAsk(settings) || settings.second_call === 'off') return false
  const { enforces, server } = findFacts(reader, settings.endpoint_url, settings.model)
  if (enforces !== null || serverOf(server).schemaFields === null) return false
  return hasStats(getWorld(reader, adventureId).schema) && findNewest(reader, adventureId)?.type === 'ai'
}

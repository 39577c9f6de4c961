import type { Reader, Writer } from '../../../db/database.ts'
import { findFacts, upsertFacts } from '../../../db/tables/endpoint-facts.ts'
import { getSettings } from '../../../db/tables/settings.ts'
import { learnedFacts } from '../../../domain/prompt/model-facts.ts'
import { serverOf } from '../../../narrator/servers/servers.ts'
import { canAsk } from '../../model/ask-model.ts'
import { refreshWindow } from '../../model/learn-model.ts'
import type { Turn } from '../turn.ts'
import type { Reply } from './reply.ts'

/** Some servers tell the window only once the model is loaded, which the first turn has done. Never throws. */
export async function learnLoadedWindow({ deps, settings, signal }: Turn): Promise<void> {
  const { window } = findFacts(deps.library.reader, settings.endpoint_url, settings.model)
  if (window === null) await refreshWindow(deps, settings, signal)
}

/** Learns from a reply how the model's server counts tokens, and whether it cut off the prompt. */
export function learnFromReply(tx: Writer, { usage, prompt }: Reply): void {
  const settings = getSettings(tx)
  const counted = usage?.prompt_tokens ?? (prompt.tokens.method === 'exact' ? prompt.tokens.total : null)
  if (!counted || !canAsk(settings)) return
  const { endpoint_url, model, max_output_tokens } = settings
  const known = findFacts(tx, endpoint_url, model)
  const { facts } = learnedFacts(known, prompt.tokens.plain, counted, max_output_tokens)
  upsertFacts(tx, endpoint_url, model, facts)
}

/** Tells the player that the server read far less than it was sent; '' when it did not. Call it before learnFromReply. */
export function clippedNotice(reader: Reader, { usage, prompt, request }: Reply): string {
  const { endpoint_url, model } = getSettings(reader)
  const known = findFacts(reader, endpoint_url, model)
  const counted = usage?.prompt_tokens
  if (!counted || !learnedFacts(known, prompt.tokens.plain, counted, request.max_output_tokens).clipped)
    return ''
  return `The model read only ${counted} of about ${prompt.tokens.total} tokens: its server cut off the beginning. From now on Inglenook sends shorter prompts. To send more of the story, ${serverOf(known.server).largerWindow}, then save the settings again.`
}

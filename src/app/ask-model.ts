import type { Reader } from '../db/database.ts'
import { findFacts } from '../db/tables/endpoint-facts.ts'
import { getSettings } from '../db/tables/settings.ts'
import { isPractice, type Settings } from '../domain/settings.ts'
import type { Endpoint, Telling } from '../domain/model/model-request.ts'
import { Hider } from '../domain/world/hider.ts'
import { Paths } from '../domain/world/block/path-resolver.ts'
import { readRules } from '../domain/world/rules.ts'
import type { Deps } from './deps.ts'

/** A question to the model beside the story. */
export interface Question
  extends Pick<Telling, 'model' | 'messages' | 'max_output_tokens'>,
    Partial<Pick<Telling, 'schema' | 'reasoning_max_tokens' | 'reasoning_effort'>> {}

/** Said with a schema: what thinks first would have to think in its shape. */
export const WITHOUT_THINKING = { reasoning_max_tokens: -1, reasoning_effort: null } as const

/**
 * Asks the model something in the background and gives its answer, without thoughts and blocks; '' when it says nothing.
 * Any turn goes first: then it throws. Throws the errors of a turn.
 */
export async function askModel(deps: Deps, question: Question, signal: AbortSignal): Promise<string> {
  const settings = getSettings(deps.library.reader)
  const endpoint = knownEndpoint(deps.library.reader, settings)
  using turn = await deps.calls.enterBelow(endpoint.url, signal)
  const telling = {
    ...askedAlways(settings),
    temperature: 0.3,
    ...question,
  }
  const hider = new Hider(new Paths(readRules(null)))
  let answer = ''
  for await (const piece of deps.narrator.tell(endpoint, telling, turn.signal)) {
    if (piece.kind === 'text') answer += hider.push(piece.text)
    if (piece.kind === 'recast') answer = ''
  }
  return (answer + hider.end()).trim()
}

/** The endpoint of the settings, and which server it was seen to be. */
export function knownEndpoint(reader: Reader, settings: Settings): Endpoint {
  const { endpoint_url: url, model, read_timeout_seconds } = settings
  return { url, read_timeout_seconds, server: findFacts(reader, url, model).server }
}

/** What every call to a model says alike: another word there may change the head of a prompt, or load the model anew. */
export function askedAlways(
  settings: Settings,
): Omit<Telling, 'messages' | 'temperature' | 'max_output_tokens'> {
  const { model, api_mode, reasoning_max_tokens, reasoning_effort, num_ctx } = settings
  const { top_p, min_p, repeat_penalty, dry_multiplier, xtc_probability } = settings
  return {
    model,
    api_mode,
    reasoning_max_tokens,
    reasoning_effort,
    num_ctx,
    sampling: { top_p, min_p, repeat_penalty, dry_multiplier, xtc_probability },
  }
}

/** Whether there is a model that can be asked beside the story. */
export function canAsk(settings: Settings): boolean {
  return !isPractice(settings) && settings.model !== ''
}

import type { Reader } from '../../db/database.ts'
import { findFacts } from '../../db/tables/endpoint-facts.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { StoryError } from '../../domain/errors.ts'
import type { Endpoint, ModelRequest } from '../../domain/model/model-request.ts'
import { forEachSampler, isPractice, type Settings } from '../../domain/settings.ts'
import { wholeSentences } from '../../domain/text/sentence-spans.ts'
import { serverOf } from '../../narrator/servers/servers.ts'
import type { Deps } from '../deps.ts'
import type { CallRank } from '../runtime/call-queue.ts'
import { callModel } from './call-model.ts'
import { readInPieces } from './read-in-pieces.ts'

/** A question to the model that is not part of the story. */
interface ModelQuestion
  extends Pick<ModelRequest, 'model' | 'messages' | 'max_output_tokens'>,
    Partial<Pick<ModelRequest, 'schema' | 'reasoning_max_tokens' | 'reasoning_effort' | 'temperature'>> {
  /** True if the model can be stopped, because more than this answer is not wanted. */
  isEnough?: (answer: string) => boolean
  rank?: CallRank
}

/** For questions with a schema: reasoning would have to obey the schema too. */
export const WITHOUT_THINKING = { reasoning_max_tokens: -1, reasoning_effort: null } as const

/**
 * Asks the model, in the background by default. Returns its answer without reasoning, and of prose that reached
 * its limit the whole sentences; '' for an empty one. Throws the errors of a turn, and can be preempted (see `wasPreempted`).
 */
export async function askModel(
  deps: Deps,
  { isEnough = () => false, rank = 'background', ...question }: ModelQuestion,
  signal: AbortSignal,
): Promise<string> {
  const settings = getSettings(deps.library.reader)
  const endpoint = endpointOf(deps, settings)
  const request = { ...commonFields(settings), temperature: 0.3, ...question }
  const asked = { endpoint, request }
  if (rank === 'background' && serverOf(endpoint.server).keepsPrefix) await readInPieces(deps, asked, signal)
  using call = await deps.calls.enter(endpoint.url, signal, rank)
  let answer = ''
  let isCut = false
  for await (const part of callModel(deps, asked, call.signal)) {
    if (part.kind === 'text') answer += part.text
    if (part.kind === 'recast') answer = ''
    if (part.kind === 'end') isCut = part.cut === 'length'
    if (isEnough(answer)) break
  }
  answer = answer.trim()
  return isCut && !question.schema ? wholeSentences(answer) || answer : answer
}

/** The endpoint in the settings, with the kind of server that was recognised there. */
export function knownEndpoint(reader: Reader, settings: Settings): Endpoint {
  const { endpoint_url: url, model, read_timeout_seconds } = settings
  return { url, read_timeout_seconds, server: findFacts(reader, url, model).server }
}

/** The endpoint that tells the story: the practice narrator's, or that in the settings. Throws provider_error. */
export function endpointOf(deps: Deps, settings: Settings): Endpoint {
  const { model, read_timeout_seconds } = settings
  if (isPractice(settings)) return { url: deps.practiceUrl(), read_timeout_seconds, server: 'practice' }
  if (model !== '') return knownEndpoint(deps.library.reader, settings)
  throw new StoryError('provider_error', 'No model is chosen yet. Choose one in Settings.', {
    reason: 'no_model',
  })
}

/** The fields that every request shares. A different value may change the start of the prompt or reload the model. */
export function commonFields(
  settings: Settings,
): Omit<ModelRequest, 'messages' | 'temperature' | 'max_output_tokens'> {
  const { model, api_mode, reasoning_max_tokens, reasoning_effort, num_ctx } = settings
  return {
    model,
    api_mode,
    reasoning_max_tokens,
    reasoning_effort,
    num_ctx,
    sampling: forEachSampler((name) => settings[name]),
  }
}

/** True if a model can make notes in the background: the practice narrator makes none. */
export function canAsk(settings: Settings): boolean {
  return !isPractice(settings) && settings.model !== ''
}

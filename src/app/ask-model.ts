import { getSettings } from '../db/settings.ts'
import { isPractice, type Settings } from '../domain/settings.ts'
import type { Message } from '../domain/telling.ts'
import { Hider } from '../domain/world/hider.ts'
import { Paths } from '../domain/world/resolve.ts'
import { readRules } from '../domain/world/rules.ts'
import type { Deps } from './deps.ts'

/** A question to the model beside the story. */
export interface Question {
  model: string
  messages: readonly Message[]
  max_output_tokens: number
}

/**
 * Asks the model something in the background and gives its answer, without thoughts and blocks; '' when it says nothing.
 * Any turn goes first: then it throws. Throws the errors of a turn.
 */
export async function askModel(deps: Deps, question: Question, signal: AbortSignal): Promise<string> {
  const settings = getSettings(deps.library.reader)
  const endpoint = { url: settings.endpoint_url, read_timeout_seconds: settings.read_timeout_seconds }
  using turn = await deps.calls.enterBelow(endpoint.url, signal)
  const telling = {
    api_mode: settings.api_mode,
    temperature: 0.3,
    reasoning_max_tokens: settings.reasoning_max_tokens,
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

/** Whether there is a model that can be asked beside the story. */
export function canAsk(settings: Settings): boolean {
  return !isPractice(settings) && settings.model !== ''
}

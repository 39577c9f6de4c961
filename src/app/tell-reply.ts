import { getSettings } from '../db/settings.ts'
import type { Action, Cut } from '../domain/action.ts'
import { StoryError } from '../domain/errors.ts'
import { messagesOf, type Prompt } from '../domain/prompt/layout.ts'
import { isPractice, type Settings } from '../domain/settings.ts'
import type { Endpoint, Piece, Telling } from '../domain/telling.ts'
import { isBlank } from '../domain/text.ts'
import type { Deps } from './deps.ts'
import { promptFor } from './prompt.ts'
import { StatusClock } from './status-clock.ts'
import type { TurnEvents } from './turn-events.ts'

/** What the narrator has told, whole, and what it was asked. */
export interface Reply {
  text: string
  /** The same as the model wrote it, white space and all. */
  raw: string
  reasoning: string | null
  cut: Cut | null
  prompt: Prompt
  telling: Telling
}

/** The ways in which a turn can be broken off from outside. */
export interface BreakOff {
  hangUp: AbortSignal
  stopped: AbortSignal
}

/**
 * Asks the narrator for the next passage, or for another attempt at `retried`, and shows it as it comes. Writes
 * nothing. Throws the five error paths of a turn (specification 6.2).
 */
export async function tellReply(
  deps: Deps,
  adventureId: number,
  retried: Action | null,
  { hangUp, stopped }: BreakOff,
  events: TurnEvents,
): Promise<Reply> {
  const settings = getSettings(deps.library.reader)
  const endpoint = endpointOf(deps, settings)
  const prompt = promptFor(deps.library.reader, adventureId, settings, retried)
  const telling = tellingOf(settings, prompt)
  const signal = AbortSignal.any([hangUp, stopped, deps.closing])
  const heard = { text: '', reasoning: '' }
  const end = { cut: null as Cut | null }
  try {
    using _ = await deps.calls.enter(endpoint.url, signal)
    using clock = new StatusClock(endpoint.read_timeout_seconds, events, deps.now)
    for await (const piece of deps.narrator.tell(endpoint, telling, signal))
      hear(piece, heard, end, clock, events)
  } catch (error) {
    if (!signal.aborted) throw error
    if (!stopped.aborted)
      throw new StoryError(
        'disconnected',
        'The page was closed before the narrator had ended. Your line is kept.',
      )
    if (isBlank(heard.text))
      throw new StoryError(
        'disconnected',
        'Stopped before the narrator had told anything. Your line is kept.',
      )
    end.cut = 'stopped'
  }
  if (isBlank(heard.text)) throw emptyReply(heard.reasoning, end.cut)
  const reasoning = isBlank(heard.reasoning) ? null : heard.reasoning.trim()
  return { text: heard.text.trim(), raw: heard.text, reasoning, cut: end.cut, prompt, telling }
}

function hear(
  piece: Piece,
  heard: { text: string; reasoning: string },
  end: { cut: Cut | null },
  clock: StatusClock,
  events: TurnEvents,
): void {
  switch (piece.kind) {
    case 'phase':
      clock.show(piece.phase)
      break
    case 'thinking':
      clock.show('thinking')
      heard.reasoning += piece.text
      events.push({ type: 'reasoning', text: piece.text })
      break
    case 'text':
      clock.show('writing')
      heard.text += piece.text
      events.push({ type: 'chunk', text: piece.text })
      break
    case 'recast':
      heard.reasoning += heard.text
      heard.text = ''
      events.push({ type: 'recast' })
      break
    case 'end':
      end.cut = piece.cut
  }
}

function endpointOf(deps: Deps, settings: Settings): Endpoint {
  const { endpoint_url, model, read_timeout_seconds } = settings
  if (isPractice(settings)) return { url: deps.practiceUrl(), read_timeout_seconds }
  if (model !== '') return { url: endpoint_url, read_timeout_seconds }
  throw new StoryError('provider_error', 'No model is chosen yet. Choose one in Settings.', {
    reason: 'no_model',
  })
}

function tellingOf(settings: Settings, prompt: Prompt): Telling {
  const { model, api_mode, temperature, max_output_tokens, reasoning_max_tokens } = settings
  const mode = isPractice(settings) ? 'chat' : api_mode
  return {
    model,
    api_mode: mode,
    temperature,
    max_output_tokens,
    reasoning_max_tokens,
    messages: messagesOf(prompt.parts),
  }
}

function emptyReply(reasoning: string, cut: Cut | null): StoryError {
  if (isBlank(reasoning))
    return new StoryError(
      'empty_reply',
      'The model answered with nothing. Retry; if it happens again, look at the model and its template in the model server.',
    )
  const advice =
    cut === 'length'
      ? 'It used up its tokens: raise the output tokens in Settings, or allow it reasoning tokens.'
      : 'Retry, raise the output tokens in Settings, or choose a model that thinks less.'
  return new StoryError('empty_reply', `The model only thought and told nothing. ${advice}`)
}

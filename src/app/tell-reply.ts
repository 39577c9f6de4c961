import { getWorld } from '../db/tables/adventures.ts'
import { getSettings } from '../db/tables/settings.ts'
import type { Action, Cut } from '../domain/action.ts'
import { StoryError } from '../domain/errors.ts'
import { PLAYER_LINE } from '../domain/text/player-line.ts'
import { messagesOf, type Prompt } from '../domain/prompt/prompt.ts'
import { isPractice, type Settings } from '../domain/settings.ts'
import type { Endpoint, Telling, Usage } from '../domain/model/model-request.ts'
import { isBlank } from '../lib/text.ts'
import type { Block } from '../domain/world/block/delta.ts'
import type { Proposal } from '../domain/world/delta-report.ts'
import { Paths } from '../domain/world/block/path-resolver.ts'
import { readRules } from '../domain/world/rules.ts'
import { hasStats } from '../domain/world/state.ts'
import { askedAlways, knownEndpoint } from './ask-model.ts'
import { countedPrompt } from './counted-prompt.ts'
import type { Deps } from './deps.ts'
import { queryFor } from './embed-memories.ts'
import { Hearing } from './hearing.ts'
import { askForChanges } from './second-call.ts'
import { StatusClock } from './turn/status-reporter.ts'
import type { TurnEvents } from './turn-events.ts'

/** What the narrator has told, whole, and what it was asked. */
export interface Reply {
  text: string
  /** The same as the model wrote it, white space and all. */
  raw: string
  reasoning: string | null
  cut: Cut | null
  /** What it reported of the world, as far as anything is counted. */
  blocks: Block[]
  /** What it answered when it was asked for the changes by themselves; null when it was not. */
  second: Proposal['second']
  /** Tokens as the server counted them. */
  usage: Usage | null
  /** Milliseconds from the request to the first piece, and to the last. */
  timings: { first: number; total: number }
  prompt: Prompt
  telling: Telling
}

/** The ways in which a turn can be broken off from outside. */
export interface BreakOff {
  hangUp: AbortSignal
  stopped: AbortSignal
}

/**
 * Asks the narrator for the next passage, or for another attempt at `retried`, and shows it as it comes; then, where it
 * has to be, for what changed by it. Writes nothing. Throws the five error paths of a turn (specification 6.2).
 */
export async function tellReply(
  deps: Deps,
  adventureId: number,
  retried: Action | null,
  { hangUp, stopped }: BreakOff,
  events: TurnEvents,
): Promise<Reply> {
  const { reader } = deps.library
  const settings = getSettings(reader)
  const endpoint = endpointOf(deps, settings)
  const signal = AbortSignal.any([hangUp, stopped, deps.closing])
  const query = await queryFor(deps, adventureId, retried, signal).catch(() => null)
  const prompt = await countedPrompt(deps, adventureId, settings, endpoint, retried, query, signal)
  const telling = tellingOf(settings, prompt)
  const { schema } = getWorld(reader, adventureId)
  const heard = new Hearing(hasStats(schema) ? new Paths(readRules(schema)) : null, events)
  const timings = { first: 0, total: 0 }
  let second: Reply['second'] = null
  try {
    // Held over both calls: the server still has the story in mind for the second.
    using _ = await deps.calls.enter(endpoint.url, signal)
    await hear(deps, endpoint, telling, signal, heard, timings, events)
    const { text, raw, blocks } = heard
    const told = { adventureId, retried, settings, endpoint, telling, text, raw, blocks }
    if (!isBlank(text)) second = await askForChanges(deps, told, { hangUp, stopped }, events)
  } catch (error) {
    if (!signal.aborted) throw error
    if (!stopped.aborted)
      throw new StoryError(
        'disconnected',
        `${deps.closing.aborted ? 'Inglenook was stopped' : 'The page was closed'} before the narrator had ended. Your line is kept.`,
      )
    heard.end()
    heard.cut = 'stopped'
    if (isBlank(heard.text))
      throw new StoryError(
        'disconnected',
        'Stopped before the narrator had told anything. Your line is kept.',
      )
  }
  if (isBlank(heard.text)) throw emptyReply(heard)
  const { text, raw, reasoning, cut, blocks, usage } = heard
  // Half a letter would be stored as another one in one place and as it came in the next.
  return {
    text: text.trim().toWellFormed(),
    raw: raw.toWellFormed(),
    reasoning: isBlank(reasoning) ? null : reasoning.trim().toWellFormed(),
    cut,
    blocks,
    second,
    usage,
    timings,
    prompt,
    telling,
  }
}

async function hear(
  deps: Deps,
  endpoint: Endpoint,
  telling: Telling,
  signal: AbortSignal,
  heard: Hearing,
  timings: Reply['timings'],
  events: TurnEvents,
): Promise<void> {
  const asked = deps.now().getTime()
  using clock = new StatusClock(endpoint.read_timeout_seconds, events, deps.now)
  for await (const piece of deps.narrator.tell(endpoint, telling, signal)) {
    if (timings.first === 0 && piece.kind !== 'phase') timings.first = deps.now().getTime() - asked
    heard.hear(piece, clock)
    timings.total = deps.now().getTime() - asked
  }
  heard.end()
}

function endpointOf(deps: Deps, settings: Settings): Endpoint {
  const { model, read_timeout_seconds } = settings
  if (isPractice(settings)) return { url: deps.practiceUrl(), read_timeout_seconds }
  if (model !== '') return knownEndpoint(deps.library.reader, settings)
  throw new StoryError('provider_error', 'No model is chosen yet. Choose one in Settings.', {
    reason: 'no_model',
  })
}

function tellingOf(settings: Settings, prompt: Prompt): Telling {
  return {
    ...askedAlways(settings),
    ...(isPractice(settings) ? { api_mode: 'chat' } : {}),
    temperature: settings.temperature,
    max_output_tokens: settings.max_output_tokens,
    stop: settings.stop_at_player ? [PLAYER_LINE] : [],
    messages: messagesOf(prompt.parts),
  }
}

// Four ways of telling nothing, each with the setting that helps.
function emptyReply({ reasoning, cut, blocks }: Hearing): StoryError {
  if (blocks.length > 0)
    return new StoryError(
      'state_only_reply',
      'The model only reported numbers and told nothing. Nothing was changed. Retry; if it happens again, ask for prose first in “Instructions to the narrator”.',
    )
  const hasThought = !isBlank(reasoning)
  if (cut === 'length')
    return new StoryError(
      'empty_reply',
      `The model reached its limit before it told anything. Raise “Output tokens” in Settings${hasThought ? ', or allow its thinking more “Reasoning tokens”' : ''}.`,
    )
  if (hasThought)
    return new StoryError(
      'empty_reply',
      'The model only thought and told nothing. Retry; if it happens again, allow it more “Reasoning tokens” in Settings, or set them to −1 to ask for none.',
    )
  return new StoryError(
    'empty_reply',
    'The model answered with nothing. See that a model is loaded in the model server, then retry; if it happens again, try the other “Protocol” in Settings.',
  )
}

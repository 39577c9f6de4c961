import { getWorld } from '../../../db/tables/adventures.ts'
import { StoryError } from '../../../domain/errors.ts'
import type { ModelRequest } from '../../../domain/model/model-request.ts'
import { inOtherWords } from '../../../domain/prompt/layout.ts'
import { messagesOf, type Prompt } from '../../../domain/prompt/prompt.ts'
import { echoesOf } from '../../../domain/reply/known-texts.ts'
import { isPractice, type Settings } from '../../../domain/settings.ts'
import { PLAYER_LINES } from '../../../domain/text/player-line.ts'
import { PathResolver } from '../../../domain/world/path-resolver.ts'
import { type Rules, readRules } from '../../../domain/world/rules.ts'
import { hasStats } from '../../../domain/world/state.ts'
import { isBlank, isInvisible } from '../../../lib/text.ts'
import { serverOf } from '../../../narrator/servers/servers.ts'
import { saveInterrupted } from '../../adventure/interrupted-reply.ts'
import { throwCalledCheck } from '../../checks/call-check.ts'
import { recallQuery } from '../../memory/recall-query.ts'
import { commonFields, WITHOUT_THINKING } from '../../model/ask-model.ts'
import { callModel } from '../../model/call-model.ts'
import { refreshWindow } from '../../model/learn-model.ts'
import { loadCards, loadRecall } from '../../prompt/load-recall.ts'
import { toldStory } from '../../prompt/told-story.ts'
import type { Turn } from '../turn.ts'
import { emptyReply } from '../turn-failures.ts'
import { countedPrompt } from './counted-prompt.ts'
import type { Reply } from './reply.ts'
import { ReplyCollector } from './reply-collector.ts'
import { StatusReporter } from './status-reporter.ts'
import { discardedSentence } from './unusable-reply.ts'

/**
 * Asks the narrator for a reply and shows it as it arrives. One in which nothing is good is asked for once more, and one
 * that breaks off is saved beside the story. `calls` gets the turn's place in the call queue, so that the recorder finds the
 * story in the server's cache. Throws provider_error, timeout, empty_reply, state_only_reply, disconnected.
 */
export async function generateReply(turn: Turn, calls: DisposableStack): Promise<Reply> {
  const { deps, adventureId, endpoint, signal } = turn
  // An abort is noticed by the model call.
  await loadCards(deps.library.reader, adventureId, signal).catch(() => {})
  const prompt = await preparedPrompt(turn)
  const request = makeRequest(turn.settings, prompt)
  const place = await deps.calls.enter(endpoint.url, signal).catch((error) => {
    throw interruption(turn, error)
  })
  calls.use(place)
  const first = await collectReply(turn, request, prompt)
  const again = askedAgain(turn, prompt, first)
  const second =
    again &&
    (await collectReply(turn, again.request, again.prompt).catch((error) => keepFirst(turn, first, error)))
  const isFirst = second === null || (second.isWorthless && !first.isWorthless)
  const collector = isFirst ? first : second
  if (isInvisible(collector.text) || (second && collector.isWorthless)) throw emptyReply(collector)
  const reply = {
    ...finishedText(collector),
    prompt,
    request,
    ...(isFirst ? null : again),
  }
  if (collector.failure === null) return reply
  await saveInterrupted(turn, reply, collector.failure)
  throw collector.failure
}

async function preparedPrompt(turn: Turn): Promise<Prompt> {
  const { deps, adventureId, retried, settings, signal } = turn
  const [query] = await Promise.all([
    recallQuery(deps, adventureId, toldStory(deps.library.reader, adventureId, retried), signal).catch(
      () => null,
    ),
    refreshWindow(deps, settings, signal),
    loadRecall(deps.library.reader, adventureId, signal).catch(() => {}),
  ])
  const prompt = await countedPrompt(turn, query)
  return (await throwCalledCheck(turn, prompt)) ? countedPrompt(turn, query) : prompt
}

/**
 * The request for another attempt at a reply in which nothing is good; null for any other reply. It asks in other words, and
 * the reply begins with a character where the server can continue a message.
 */
function askedAgain(
  { settings, events, endpoint }: Turn,
  prompt: Prompt,
  { unusable, received }: ReplyCollector,
): { prompt: Prompt; request: ModelRequest } | null {
  if (unusable === null) return null
  events.push({ type: 'discarded', detail: discardedSentence(unusable) })
  const asked = inOtherWords(prompt)
  const request = makeRequest(settings, asked)
  const continues =
    request.api_mode === 'completion' || serverOf(endpoint.server).continueFields !== undefined
  // A reply that begins with a thought cannot begin with a name.
  if (!continues || asked.character === '' || !isBlank(received.reasoning)) return { prompt: asked, request }
  return { prompt: asked, request: { ...request, ...WITHOUT_THINKING, begun: asked.character } }
}

/** The request for what follows some messages, with the settings of the story. */
function makeRequest(settings: Settings, prompt: Prompt): ModelRequest {
  return {
    ...commonFields(settings),
    ...(isPractice(settings) ? { api_mode: 'chat' } : {}),
    temperature: settings.temperature,
    max_output_tokens: settings.max_output_tokens,
    window: prompt.tokens.budget,
    stop: settings.stop_at_player ? PLAYER_LINES : [],
    messages: messagesOf(prompt.parts),
  }
}

/** Null in a story without stats. */
function findRules({ deps, adventureId }: Turn): Rules | null {
  const { schema } = getWorld(deps.library.reader, adventureId)
  return hasStats(schema) ? readRules(schema) : null
}

/** Receives a reply to its end, or until it breaks off. Throws when it breaks off before any prose. */
async function collectReply(turn: Turn, request: ModelRequest, prompt: Prompt): Promise<ReplyCollector> {
  const earlier = prompt.parts.filter(({ role }) => role === 'assistant').map(({ text }) => text)
  const collector = newCollector(turn, prompt, earlier)
  try {
    await receiveReply(turn, request, collector)
  } catch (error) {
    endBrokenOff(turn, collector, error)
  }
  return collector
}

/** Keeps what is good of the first reply where nothing came of the second. Throws the second's error if nothing is. */
function keepFirst({ stopped }: Turn, first: ReplyCollector, error: unknown): null {
  if (isInvisible(first.text)) throw error
  if (!stopped.aborted) first.failure = error
  return null
}

/** A collector for what follows a prompt. `earlier` are the passages that it must not repeat; itself it must not repeat either. */
function newCollector(turn: Turn, prompt: Prompt, earlier: readonly string[]): ReplyCollector {
  const { settings, events } = turn
  const rules = findRules(turn)
  const names = rules?.npcs.map(({ name }) => name) ?? []
  const paths = rules && new PathResolver(rules)
  return new ReplyCollector(events, {
    echoes: echoesOf(prompt, names, paths),
    earlier: settings.loop_guard && !isPractice(settings) ? earlier : null,
    tokens: settings.max_output_tokens,
  })
}

/** Throws when the reply breaks off, as `Narrator.generate`. */
async function receiveReply(turn: Turn, request: ModelRequest, collector: ReplyCollector): Promise<void> {
  const { deps, endpoint, events, signal } = turn
  const { timings } = collector.received
  const started = deps.now().getTime()
  using status = new StatusReporter(endpoint.read_timeout_seconds, events, deps.now)
  for await (const part of callModel(deps, { endpoint, request }, signal)) {
    if (timings.first === 0 && part.kind !== 'phase') timings.first = deps.now().getTime() - started
    collector.add(part, status)
    timings.total = deps.now().getTime() - started
    if (collector.isEnded) break
  }
  collector.end()
}

/** Ends a reply that broke off: the player stopped it, or something failed. */
function endBrokenOff(turn: Turn, collector: ReplyCollector, error: unknown): void {
  collector.end()
  collector.received.cut = 'stopped'
  if (isInvisible(collector.text)) throw interruption(turn, error)
  if (!turn.stopped.aborted) collector.failure = interruption(turn, error)
}

/** The meaning of an error that came before any prose that could be kept. */
function interruption({ deps, signal, stopped }: Turn, error: unknown): unknown {
  if (!signal.aborted) return error
  const sentence = stopped.aborted
    ? 'Stopped before the narrator wrote anything.'
    : `${deps.closing.aborted ? 'Inglenook was stopped' : 'The page was closed'} before the reply was complete.`
  return new StoryError('disconnected', `${sentence} Your line is saved.`)
}

// Lone surrogates would be stored as one character in some columns and as another elsewhere.
function finishedText(collector: ReplyCollector): Omit<Reply, 'prompt' | 'request'> {
  const { text, cut, received } = collector
  const { raw, reasoning, usage, timings } = received
  return {
    text: text.trim().toWellFormed(),
    raw: raw.toWellFormed(),
    reasoning: isBlank(reasoning) ? null : reasoning.trim().toWellFormed(),
    cut,
    usage,
    timings,
  }
}

import { listNewest } from '../../db/tables/actions/list.ts'
import { findAnswers, getWorld } from '../../db/tables/adventures.ts'
import { findFacts } from '../../db/tables/endpoint-facts.ts'
import { applyRoll } from '../../domain/checks/apply-roll.ts'
import { StoryError } from '../../domain/errors.ts'
import type { Endpoint, ModelRequest, ReplyPart } from '../../domain/model/model-request.ts'
import { filledPassage, filledSchemaForModel } from '../../domain/prompt/filled-texts.ts'
import { isPractice } from '../../domain/settings.ts'
import { parseDelta } from '../../domain/world/block/delta.ts'
import { PathResolver } from '../../domain/world/block/path-resolver.ts'
import { parseSecondCall, type SecondCallAnswer } from '../../domain/world/prompt/second-call-answer.ts'
import { secondCallQuestion } from '../../domain/world/prompt/second-call-question.ts'
import {
  secondCallSchema,
  type WritableStat,
  withoutAbsent,
  writableStats,
} from '../../domain/world/prompt/second-call-schema.ts'
import { reconcile } from '../../domain/world/reconcile.ts'
import { readRules } from '../../domain/world/rules.ts'
import { hasStats } from '../../domain/world/state.ts'
import { printError } from '../../lib/print.ts'
import { WITHOUT_THINKING } from '../model/ask-model.ts'
import { callModel } from '../model/call-model.ts'
import type { EarlyEnd } from '../runtime/recordings.ts'
import type { Reply } from '../turn/reply/reply.ts'
import { StatusReporter } from '../turn/reply/status-reporter.ts'
import type { Turn } from '../turn/turn.ts'
import { turnTarget } from '../turn/turn-target.ts'

/** Seconds allowed for the whole answer, unless the endpoint's own timeout is shorter. */
export const RECORDING_TIMEOUT = 20
/** Enough for eight edits with their quotes. */
const ANSWER_TOKENS = 500
/** Characters after which a model is taken to be rambling. */
const MAX_ANSWER = 8_000

/** A question to the model about a reply, and the paths that its answer may name. */
export interface ChangesQuestion {
  reply: Reply
  request: ModelRequest
  paths: PathResolver
}

interface Answer {
  text: string
  cut: boolean
  prompt_tokens: number | null
  completion_tokens: number | null
}

/** Stands for the answer until there is one, and for good if there never is. */
export const NOT_ANSWERED: NonNullable<Reply['second']> = {
  edits: { delta: {}, refused: [] },
  why: 'The model had not answered before the story went on.',
  answer: '',
  prompt_tokens: null,
  completion_tokens: null,
  milliseconds: 0,
}

/**
 * Asks for the stat changes of a reply. Never throws: whatever fails here, the prose is kept. Aborted by `early` with an
 * {@link EarlyEnd}, and when the service stops.
 */
export async function askForChanges(
  turn: Turn,
  { reply, request, paths }: ChangesQuestion,
  early: AbortSignal,
): Promise<NonNullable<Reply['second']>> {
  const { now } = turn.deps
  const started = now().getTime()
  const answer: Answer = { text: '', cut: false, prompt_tokens: null, completion_tokens: null }
  let edits: SecondCallAnswer | null = null
  let why = ''
  try {
    await collectAnswer(turn, request, answer, early)
    edits = parseSecondCall(answer.text, answer.cut, reply.text, paths)
    why = whyUnusable(edits)
  } catch (error) {
    why = whyFailed(turn, error, early)
  }
  const { text, prompt_tokens, completion_tokens } = answer
  return {
    edits: edits ?? { delta: {}, refused: [] },
    why,
    answer: text,
    prompt_tokens,
    completion_tokens,
    milliseconds: now().getTime() - started,
  }
}

/** The question for the changes of a reply that lacks them; null when none should be asked, or no stat could change. */
export function changesQuestion(turn: Turn, reply: Reply): ChangesQuestion | null {
  const { settings, deps, adventureId } = turn
  if (reply.cut === 'stopped' || settings.second_call === 'off' || isPractice(settings)) return null
  const { reader } = deps.library
  const world = getWorld(reader, adventureId)
  if (!hasStats(world.schema)) return null
  const paths = new PathResolver(readRules(world.schema))
  if (settings.second_call === 'needed' && parseDelta(reply.blocks, paths).recorded === 'whole') return null
  const { index, before, roll } = turnTarget(reader, turn, world)
  const { after } = applyRoll(world.schema, reconcile(world.schema, before).state, roll, index)
  const rules = readRules(filledSchemaForModel(world.schema, findAnswers(reader, adventureId) ?? {}))
  const could = writableStats(rules, after, index)
  const stats = withoutAbsent(could, rules, recentText(turn, reply))
  if (stats.length === 0) return null
  return { reply, paths, request: secondRequest(turn, reply, stats) }
}

/** Passages in which a character who could change was mentioned. */
const RECENT = 4

// A passage may speak of "her" whom an earlier one named.
function recentText({ deps, adventureId }: Turn, { text }: Reply): string {
  const { reader } = deps.library
  const answers = () => findAnswers(reader, adventureId) ?? {}
  const recent = listNewest(reader, adventureId, RECENT).map((action) => filledPassage(action, answers).text)
  return [...recent, text].join('\n')
}

function secondRequest(
  { deps, endpoint }: Turn,
  { request, raw, cleaned, text }: Reply,
  stats: readonly WritableStat[],
): ModelRequest {
  const { enforces } = findFacts(deps.library.reader, endpoint.url, request.model)
  // Samplers that suppress the likeliest tokens would spoil an answer that has to be exact.
  const { sampling: _sampling, stop: _stop, ...same } = request
  return {
    ...same,
    temperature: 0,
    ...WITHOUT_THINKING,
    max_output_tokens: ANSWER_TOKENS,
    messages: [
      ...request.messages,
      { role: 'assistant', text: cleaned ? text : raw },
      { role: 'user', text: secondCallQuestion(stats) },
    ],
    ...(enforces === false ? {} : { schema: secondCallSchema(stats) }),
  }
}

/** Fills `answer` as the model writes, so that a failed call still shows what arrived. */
async function collectAnswer(
  { deps, adventureId, endpoint, events }: Turn,
  request: ModelRequest,
  answer: Answer,
  early: AbortSignal,
): Promise<void> {
  const seconds = timeoutFor(endpoint)
  const signal = AbortSignal.any([early, deps.closing, AbortSignal.timeout(seconds * 1_000)])
  using status = new StatusReporter(seconds, events, deps.now)
  status.report('recording')
  for await (const part of callModel(deps, { adventureId, endpoint, request }, signal)) {
    addPart(answer, part)
    if (answer.text.length > MAX_ANSWER)
      throw new StoryError('provider_error', 'The model did not stop answering.')
  }
}

function addPart(answer: Answer, part: ReplyPart): void {
  if (part.kind === 'text') answer.text += part.text
  if (part.kind === 'recast') answer.text = ''
  if (part.kind === 'end') {
    answer.cut = part.cut !== null
    answer.prompt_tokens = part.usage?.prompt_tokens ?? null
    answer.completion_tokens = part.usage?.completion_tokens ?? null
  }
}

/** Why an answer cannot be used; '' when it can. */
function whyUnusable(edits: SecondCallAnswer | null): string {
  if (edits === null) return 'The model gave no answer that could be read.'
  return edits.refused.length > 0 && Object.keys(edits.delta).length === 0
    ? 'The changes that the model named do not match the passage.'
    : ''
}

const WHY_ENDED: Record<EarlyEnd, string> = {
  stopped: 'You stopped the model before it had answered.',
  changed: 'The story was changed before the model had answered.',
}

function whyFailed({ deps, endpoint }: Turn, error: unknown, early: AbortSignal): string {
  if (early.aborted) return WHY_ENDED[early.reason as EarlyEnd]
  if (deps.closing.aborted) return 'Inglenook was stopped before the model had answered.'
  const isLate = error instanceof StoryError ? error.code === 'timeout' : isTimeout(error)
  if (isLate) return `The model did not answer within ${timeoutFor(endpoint)} s.`
  if (error instanceof StoryError) return error.message
  printError('The second call failed', error)
  return 'Something went wrong in Inglenook itself.'
}

function timeoutFor({ read_timeout_seconds }: Endpoint): number {
  return Math.min(RECORDING_TIMEOUT, read_timeout_seconds)
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

import { getWorld } from '../db/tables/adventures.ts'
import { findFacts } from '../db/tables/endpoint-facts.ts'
import type { Action } from '../domain/action.ts'
import { StoryError } from '../domain/errors.ts'
import { isPractice, type Settings } from '../domain/settings.ts'
import type { Endpoint, Telling } from '../domain/model/model-request.ts'
import { traceOf } from '../domain/trace.ts'
import { changesQuestion } from '../domain/world/changes-question.ts'
import { type Block, readDelta } from '../domain/world/block/delta.ts'
import { editSchema, movableIn } from '../domain/world/edit-schema.ts'
import { type EditsRead, readEdits } from '../domain/world/edits.ts'
import { reconcile } from '../domain/world/reconcile.ts'
import type { Proposal } from '../domain/world/delta-report.ts'
import { Paths } from '../domain/world/block/path-resolver.ts'
import { readRules } from '../domain/world/rules.ts'
import { hasStats } from '../domain/world/state.ts'
import { WITHOUT_THINKING } from './ask-model.ts'
import type { Deps } from './deps.ts'
import { placeOf } from './keep-reply.ts'
import { StatusClock } from './turn/status-reporter.ts'
import type { BreakOff } from './tell-reply.ts'
import type { TurnEvents } from './turn-events.ts'

/** Seconds that a turn waits for the answer; less where the endpoint may not even be silent for so long. */
const PATIENCE = 20
/** Tokens of an answer: eight edits with their quotes. */
const ANSWER_TOKENS = 500
/** Characters after which an answer is none. */
const LONGEST = 8_000

/** A reply whose prose is complete, and how it was asked for. */
export interface Told {
  adventureId: number
  retried: Action | null
  settings: Settings
  endpoint: Endpoint
  telling: Telling
  text: string
  /** The same as the model wrote it. */
  raw: string
  blocks: readonly Block[]
}

/**
 * Asks for the changes of a complete reply by themselves, where the reply does not tell them and the player wants it.
 * Null when nothing was asked. It never throws: whatever happens here, the prose is kept.
 */
export async function askForChanges(
  deps: Deps,
  told: Told,
  breakOff: BreakOff,
  events: TurnEvents,
): Promise<Proposal['second']> {
  const began = deps.now().getTime()
  const call: Answer = { text: '', cut: false, prompt_tokens: null, completion_tokens: null }
  let edits: EditsRead | null = null
  let why = ''
  try {
    const question = questionFor(deps, told)
    if (question === null) return null
    await hearAnswer(deps, told.endpoint, question.telling, breakOff, events, call)
    edits = readEdits(call.text, call.cut, told.text, question.paths)
    why = whyNot(edits)
  } catch (error) {
    why = whyBroken(error, deps, told, breakOff)
  }
  const { text: answer, prompt_tokens, completion_tokens } = call
  return {
    edits: edits ?? { delta: {}, refused: [] },
    why,
    answer,
    prompt_tokens,
    completion_tokens,
    milliseconds: deps.now().getTime() - began,
  }
}

interface Answer {
  text: string
  cut: boolean
  prompt_tokens: number | null
  completion_tokens: number | null
}

function questionFor(deps: Deps, told: Told): { telling: Telling; paths: Paths } | null {
  const { settings, endpoint, telling, adventureId, retried } = told
  if (settings.second_call === 'off' || isPractice(settings)) return null
  const { reader } = deps.library
  const world = getWorld(reader, adventureId)
  if (!hasStats(world.schema)) return null
  const rules = readRules(world.schema)
  const paths = new Paths(rules)
  if (settings.second_call === 'needed' && readDelta(told.blocks, paths).recorded === 'whole') return null
  const { index, before } = placeOf(reader, adventureId, retried, world)
  const movable = movableIn(rules, reconcile(world.schema, before).state, index)
  if (movable.length === 0) return null
  const { enforces } = findFacts(reader, endpoint.url, telling.model)
  // What bars the likeliest words spoils an answer that has to be exact.
  const { sampling: _sampling, stop: _stop, ...same } = telling
  return {
    paths,
    telling: {
      ...same,
      temperature: 0,
      ...WITHOUT_THINKING,
      max_output_tokens: ANSWER_TOKENS,
      messages: [
        ...telling.messages,
        { role: 'assistant', text: told.raw },
        { role: 'user', text: changesQuestion(movable) },
      ],
      ...(enforces === false ? {} : { schema: editSchema(movable) }),
    },
  }
}

async function hearAnswer(
  deps: Deps,
  endpoint: Endpoint,
  telling: Telling,
  { hangUp, stopped }: BreakOff,
  events: TurnEvents,
  answer: Answer,
): Promise<void> {
  const seconds = patienceWith(endpoint)
  const signal = AbortSignal.any([hangUp, stopped, deps.closing, AbortSignal.timeout(seconds * 1_000)])
  using clock = new StatusClock(seconds, events, deps.now)
  clock.show('recording')
  for await (const piece of deps.narrator.tell(endpoint, telling, signal)) {
    if (piece.kind === 'text') answer.text += piece.text
    if (piece.kind === 'recast') answer.text = ''
    if (piece.kind === 'end') {
      answer.cut = piece.cut !== null
      answer.prompt_tokens = piece.usage?.prompt_tokens ?? null
      answer.completion_tokens = piece.usage?.completion_tokens ?? null
    }
    if (answer.text.length > LONGEST)
      throw new StoryError('provider_error', 'The model did not stop answering.')
  }
}

/** Why an answer that came does not count; '' when it does. */
function whyNot(edits: EditsRead | null): string {
  if (edits === null) return 'The model gave no answer that could be read.'
  return edits.refused.length > 0 && Object.keys(edits.delta).length === 0
    ? 'What the model named is not what the passage says.'
    : ''
}

function whyBroken(error: unknown, deps: Deps, { endpoint }: Told, { stopped, hangUp }: BreakOff): string {
  if (stopped.aborted) return 'You stopped the model before it had answered.'
  if (hangUp.aborted) return 'The page was closed before the model had answered.'
  if (deps.closing.aborted) return 'Inglenook was stopped before the model had answered.'
  const isLate = error instanceof StoryError ? error.code === 'timeout' : isTimeout(error)
  if (isLate) return `The model did not answer within ${patienceWith(endpoint)} s.`
  if (error instanceof StoryError) return error.message
  console.error('Changes were not asked for:', traceOf(error))
  return 'Something went wrong in Inglenook itself.'
}

function patienceWith({ read_timeout_seconds }: Endpoint): number {
  return Math.min(PATIENCE, read_timeout_seconds)
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

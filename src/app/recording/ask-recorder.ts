import type { Reader } from '../../db/database.ts'
import { findAnswers } from '../../db/tables/adventures.ts'
import { findFacts, upsertFacts } from '../../db/tables/endpoint-facts.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { isPlayerLine } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import type { Endpoint, Message, ModelRequest } from '../../domain/model/model-request.ts'
import { filledState } from '../../domain/prompt/filled-texts.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'
import { isPractice, type Settings } from '../../domain/settings.ts'
import type { RecorderCall, RecorderResult } from '../../domain/world/delta-report.ts'
import { PathResolver } from '../../domain/world/path-resolver.ts'
import { guideOf } from '../../domain/world/prompt/guide.ts'
import { liveValueLines, liveValuesSection } from '../../domain/world/prompt/live-values.ts'
import { parseAnswer, type RecorderAnswer } from '../../domain/world/recorder/answer.ts'
import { confirmingQuestion, recorderQuestion } from '../../domain/world/recorder/question.ts'
import { confirmingSchema, quotableSentences, recorderSchema } from '../../domain/world/recorder/schema.ts'
import { readRules } from '../../domain/world/rules.ts'
import { parseJson } from '../../lib/json.ts'
import { jsonIn } from '../../lib/json-in-text.ts'
import { fitsSchema } from '../../lib/json-schema.ts'
import { isObject, ownValue } from '../../lib/objects.ts'
import { printError } from '../../lib/print.ts'
import { isBlank } from '../../lib/text.ts'
import { serverOf } from '../../narrator/servers/servers.ts'
import type { Deps } from '../deps.ts'
import { questionAfterStory } from '../memory/question-after-story.ts'
import { commonFields, endpointOf, WITHOUT_THINKING } from '../model/ask-model.ts'
import { callModel } from '../model/call-model.ts'
import { toldStory } from '../prompt/told-story.ts'
import type { EarlyEnd } from '../runtime/recordings.ts'
import type { TurnEvents } from '../runtime/turn-events.ts'
import { StatusReporter } from '../turn/reply/status-reporter.ts'
import { changesOpenTo, NOT_ANSWERED, type RecordedPassage } from './recorded-passage.ts'

/** Enough for eight changes besides their quotes. */
const ANSWER_TOKENS = 500
/** Enough for a path and yes or no. */
const CONFIRMING_TOKENS = 30
/** Characters, with those of reasoning, after which a model is taken to be rambling. */
const MAX_WRITTEN = 20_000
/** The temperatures of both attempts: the same request at 0 would get the same answer again. */
const TEMPERATURES = [0, 0.5]

/** The events that show the progress of a recording, and the turn's place in the call queue. */
export interface RecordingTurn {
  events?: TurnEvents | undefined
  place?: Disposable | undefined
  /** A sentence for `done`. */
  notice?: string
}

/** A question to the recorder, and the model that is asked. */
interface RecorderQuestion {
  endpoint: Endpoint
  settings: Settings
  request: ModelRequest
  paths: PathResolver
}

/**
 * Asks which values a passage changes, once more if the answer cannot be read, and then about the changes that it names.
 * Never throws: whatever fails here, the prose is kept. Aborted by `early` with an {@link EarlyEnd}, and when the service stops.
 */
export async function askRecorder(
  deps: Deps,
  passage: RecordedPassage,
  { events, place }: RecordingTurn,
  early: AbortSignal,
): Promise<RecorderResult & { call: RecorderCall }> {
  using held = new DisposableStack()
  if (place) held.use(place)
  const started = deps.now().getTime()
  const call = { ...NOT_ANSWERED.call, why: 'The model gave no answer that could be read.' }
  let answer: RecorderResult['answer'] = null
  try {
    const settings = getSettings(deps.library.reader)
    const endpoint = endpointOf(deps, settings)
    if (!place) held.use(await deps.calls.enter(endpoint.url, AbortSignal.any([early, deps.closing])))
    if (events)
      held.use(new StatusReporter(endpoint.read_timeout_seconds, events, deps.now)).report('recording')
    const question = questionAbout(deps, passage, { endpoint, settings })
    if (question === null)
      return { answer: { delta: {}, because: {}, refused: [] }, call: { ...call, why: '' } }
    for (const temperature of TEMPERATURES) {
      const request = { ...question.request, temperature }
      const isCut = await collectAnswer(deps, { ...question, request }, call, early)
      learnFromAnswer(deps, question, call.answer, isCut)
      const named = parseAnswer(call.answer, isCut, passage.action.text, question.paths)
      if (named === null) continue
      answer = await withoutDenied(deps, question, { named, call }, early)
      call.why = ''
      break
    }
  } catch (error) {
    call.why = whyFailed(deps, error, early)
  }
  return { answer, call: { ...call, milliseconds: deps.now().getTime() - started } }
}

/** The named changes without those that the model denies when it is asked once more. Its answer is added to that of the call. */
async function withoutDenied(
  deps: Deps,
  question: RecorderQuestion,
  { named, call }: { named: RecorderAnswer; call: RecorderCall },
  early: AbortSignal,
): Promise<RecorderAnswer> {
  const paths = Object.keys(named.delta)
  if (paths.length === 0) return named
  const { messages, schema } = question.request
  const request: ModelRequest = {
    ...question.request,
    messages: [...messages.slice(0, -1), { role: 'user', text: confirmingQuestion(paths) }],
    max_output_tokens: CONFIRMING_TOKENS * (paths.length + 1),
    ...(schema === undefined ? {} : { schema: confirmingSchema(paths) }),
  }
  const said = { ...call, answer: '' }
  await collectAnswer(deps, { ...question, request }, said, early)
  call.answer += `\n${said.answer}`
  const answers = jsonIn(said.answer)
  const isDenied = (path: string) =>
    isObject(answers) && /^(no|false)$/i.test(String(ownValue(answers, path)))
  return {
    ...named,
    delta: Object.fromEntries(Object.entries(named.delta).filter(([path]) => !isDenied(path))),
  }
}

/** Null if nothing can change. */
function questionAbout(
  deps: Deps,
  passage: RecordedPassage,
  { endpoint, settings }: Pick<RecorderQuestion, 'endpoint' | 'settings'>,
): RecorderQuestion | null {
  const { reader } = deps.library
  const { action, target, world } = passage
  const { text, adventure_id } = action
  const { schema } = world
  const { rules, state, stats } = changesOpenTo(reader, adventure_id, { schema, target, text })
  if (stats.length === 0) return null
  const task = recorderQuestion(stats)
  const max_output_tokens = ANSWER_TOKENS + estimateTokens(text)
  const { server } = endpoint
  const everybody = new Set(rules.npcs.map(({ id }) => id))
  const answers = findAnswers(reader, adventure_id) ?? {}
  const values = liveValueLines(rules, filledState(state, schema, answers), everybody)
  const messages =
    serverOf(server).keepsPrefix && !action.hidden
      ? questionAfterStory(
          deps,
          adventure_id,
          { ...settings, summary_model: '' },
          { task, max_output_tokens },
        ).messages
      : alone(reader, passage, { guide: guideOf(rules), values: liveValuesSection(values), task })
  const takesSchema = findFacts(reader, endpoint.url, settings.model).enforces !== false
  // Samplers that suppress the likeliest tokens would spoil an answer that has to be exact.
  const { sampling: _, ...common } = commonFields(settings)
  const request: ModelRequest = {
    ...common,
    ...(isPractice(settings) ? { api_mode: 'chat' } : {}),
    ...WITHOUT_THINKING,
    temperature: 0,
    max_output_tokens,
    messages,
    ...(takesSchema ? { schema: recorderSchema(stats, quotableSentences(text)) } : {}),
  }
  return { endpoint, settings, request, paths: new PathResolver(readRules(schema)) }
}

/** The question behind the guide, the values and the newest two passages. */
function alone(
  reader: Reader,
  { action }: RecordedPassage,
  { guide, values, task }: { guide: string; values: string; task: string },
): Message[] {
  const before: string[] = []
  for (const { type, text } of toldStory(reader, action.adventure_id, action).back()) {
    if (!isBlank(text)) before.unshift(text)
    if (!isPlayerLine(type)) break
  }
  return [
    { role: 'system', text: guide },
    { role: 'user', text: [values, ...before].join('\n\n') },
    { role: 'assistant', text: action.text },
    { role: 'user', text: task },
  ]
}

/** Fills `call` as the model writes, so that a failed call still shows what arrived. Returns whether the answer was cut off. */
async function collectAnswer(
  deps: Deps,
  { endpoint, request }: RecorderQuestion,
  call: RecorderCall,
  early: AbortSignal,
): Promise<boolean> {
  const signal = AbortSignal.any([early, deps.closing])
  let isCut = false
  let written = 0
  call.answer = ''
  for await (const part of callModel(deps, { endpoint, request }, signal)) {
    if (part.kind === 'text') call.answer += part.text
    if (part.kind === 'text' || part.kind === 'thinking') written += part.text.length
    if (part.kind === 'recast') call.answer = ''
    if (part.kind === 'end') {
      isCut = part.cut !== null
      call.prompt_tokens = part.usage?.prompt_tokens ?? null
      call.completion_tokens = part.usage?.completion_tokens ?? null
    }
    if (written > MAX_WRITTEN) throw new StoryError('provider_error', 'The model did not stop answering.')
  }
  return isCut
}

/** An answer that breaks the schema shows that the server does not enforce it. */
function learnFromAnswer(
  { library }: Deps,
  { endpoint, settings, request }: RecorderQuestion,
  answer: string,
  isCut: boolean,
): void {
  if (request.schema === undefined || serverOf(endpoint.server).schemaFields === null || isPractice(settings))
    return
  const isBroken = isCut ? !/^\s*(\{|$)/.test(answer) : !fitsSchema(request.schema, parseJson(answer))
  if (isBroken) library.write((tx) => upsertFacts(tx, endpoint.url, settings.model, { enforces: false }))
}

const WHY_ENDED: Record<EarlyEnd, string> = {
  stopped: 'You stopped the model before it had answered.',
  late: 'The model had not answered before the story went on.',
  changed: 'The story was changed before the model had answered.',
}

function whyFailed({ closing }: Deps, error: unknown, early: AbortSignal): string {
  if (early.aborted) return WHY_ENDED[early.reason as EarlyEnd]
  if (closing.aborted) return 'Inglenook was stopped before the model had answered.'
  if (error instanceof StoryError) return error.message
  printError('The recording failed', error)
  return 'Something went wrong in Inglenook itself.'
}

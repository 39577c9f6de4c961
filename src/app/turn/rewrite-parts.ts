import type { Reader, Writer } from '../../db/database.ts'
import { invalidateFrom } from '../../db/stories/invalidate.ts'
import { findNewest } from '../../db/tables/actions/list.ts'
import { updateLiveVariant } from '../../db/tables/actions/write.ts'
import { getAdventure, getWorld } from '../../db/tables/adventures.ts'
import { findFacts } from '../../db/tables/endpoint-facts.ts'
import type { Action } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import type { ModelRequest } from '../../domain/model/model-request.ts'
import {
  REWRITE_SCHEMA,
  type RewrittenPart,
  rewriteTasks,
  rewrittenWords,
  withParts,
} from '../../domain/model/rewrite.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'
import type { Span } from '../../domain/text/sentence-spans.ts'
import { rewrittenVariant } from '../../domain/variant.ts'
import { hashOf } from '../../lib/hash.ts'
import { isBlank } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'
import { questionAfterStory } from '../memory/question-after-story.ts'
import { commonFields, WITHOUT_THINKING } from '../model/ask-model.ts'
import { callModel } from '../model/call-model.ts'
import { waitForRecording } from '../recording/record-passage.ts'
import type { TurnEvent } from '../runtime/turn-events.ts'
import { doneEvent } from './end-events.ts'
import { writeWhenFree } from './reply/save-reply.ts'
import { StatusReporter } from './reply/status-reporter.ts'
import { type Disconnect, type Played, startTurn } from './start-turn.ts'
import { makeTurn, type OpenTurn, type Turn } from './turn.ts'
import { allVariants, implicitVariant, liveFrom } from './variants.ts'

/** Parts of the newest narration, and how they are to be rewritten. */
interface Rewrite {
  /** The parts, in order and apart from each other. */
  spans: Span[]
  /** Hash of the text in which they are. */
  hash: string
  how: string
}

/**
 * Rewrites parts of the newest narration: a new variant, in which everything else stands byte for byte as it was, its stat
 * changes and rolls included. Nothing is written unless every part is complete. Throws not_found, not_last,
 * changed_elsewhere, invalid, turn_in_progress; later failures are `error` events.
 */
export function rewriteParts(
  deps: Deps,
  adventureId: number,
  rewrite: Rewrite,
  disconnect: Disconnect,
): ReadableStream<TurnEvent> {
  const { reader } = deps.library
  getAdventure(reader, adventureId)
  const retried = getRewritten(reader, adventureId, rewrite)
  if (rewrite.spans.length === 0) throw new StoryError('invalid', 'Choose at least one sentence to rewrite.')
  if (isBlank(rewrite.how)) throw new StoryError('invalid', 'Say how to rewrite it.')
  const lock = deps.locks.takeForLine(adventureId)
  return startTurn({ deps, adventureId, disconnect, retried }, lock, (turn) => playRewrite(turn, rewrite))
}

function getRewritten(reader: Reader, adventureId: number, { hash }: Rewrite): Action {
  const newest = findNewest(reader, adventureId)
  if (newest?.type !== 'ai')
    throw new StoryError('not_last', 'Only the narrator’s last passage can be rewritten. Edit the others.')
  if (hashOf(newest.text) === hash) return newest
  throw new StoryError('changed_elsewhere', 'This passage has changed. Look at it, then choose again.')
}

async function playRewrite(open: OpenTurn, rewrite: Rewrite): Promise<Played> {
  await waitForRecording(open)
  const { deps, adventureId } = open
  const action = getRewritten(deps.library.reader, adventureId, rewrite)
  const turn = makeTurn(open, action)
  const text = await rewrittenText(turn, action.text, rewrite).catch((error) => {
    throw turn.signal.aborted ? stopped() : error
  })
  await writeWhenFree(turn, (tx, now) => writeRewrite(tx, turn, rewrite, text, now))
  deps.idle.storyChanged(adventureId)
  deps.turnCounts.countAccepted(adventureId)
  open.events.push(doneEvent(turn, action.id, ''))
  return { recorded: null }
}

function stopped(): StoryError {
  return new StoryError('disconnected', 'Rewriting was stopped. The passage has not changed.')
}

/** Asks for one part after the other, and shows each with the text before it once it is whole. */
async function rewrittenText(turn: Turn, text: string, { spans, how }: Rewrite): Promise<string> {
  const { deps, events, endpoint, signal } = turn
  using _ = await deps.calls.enter(endpoint.url, signal)
  const done: { span: Span; words: string }[] = []
  let shown = 0
  const show = (kept: string) => kept !== '' && events.push({ type: 'chunk', text: kept })
  for (const span of spans) {
    show(text.slice(shown, span.start))
    const soFar = withParts(text.slice(0, span.start), done)
    const part = { before: soFar, part: text.slice(span.start, span.end), after: text.slice(span.end) }
    const words = await askForPart(turn, part, how)
    done.push({ span, words })
    show(words)
    shown = span.end
  }
  show(text.slice(shown))
  return withParts(text, done)
}

/** New words in place of a part, from the first or a second request. Throws empty_reply, and the errors of the endpoint. */
async function askForPart(turn: Turn, part: RewrittenPart, how: string): Promise<string> {
  for (const task of rewriteTasks(part, how)) {
    const { text, isCut } = await answerTo(turn, requestFor(turn, task, part))
    const words = rewrittenWords(text.toWellFormed(), part, isCut)
    if (words !== '' && words !== part.part) return words
  }
  throw new StoryError(
    'empty_reply',
    'The model did not change this part. Describe the change in other words, or choose more text.',
  )
}

/** The request after the prompt of the story, which the server still has in its cache. */
function requestFor({ deps, adventureId, settings, endpoint }: Turn, task: string, { part }: RewrittenPart) {
  const max_output_tokens = answerTokens(part)
  const story = { ...settings, summary_model: '' }
  const question = questionAfterStory(deps, adventureId, story, { task, max_output_tokens })
  const { enforces } = findFacts(deps.library.reader, endpoint.url, question.model)
  const schema = enforces === false ? {} : { schema: REWRITE_SCHEMA }
  return {
    ...commonFields(settings),
    temperature: settings.temperature,
    ...question,
    ...WITHOUT_THINKING,
    ...schema,
  }
}

async function answerTo({ deps, endpoint, events, signal }: Turn, request: ModelRequest) {
  using status = new StatusReporter(endpoint.read_timeout_seconds, events, deps.now)
  const answer = { text: '', isCut: false }
  for await (const part of callModel(deps, { endpoint, request }, signal)) {
    if (part.kind === 'phase') status.report(part.phase, part)
    if (part.kind === 'thinking' || part.kind === 'text')
      status.report(part.kind === 'text' ? 'writing' : 'thinking')
    if (part.kind === 'text') answer.text += part.text
    if (part.kind === 'recast') answer.text = ''
    if (part.kind === 'end') answer.isCut = part.cut !== null
  }
  return answer
}

/** Room for new words that are twice as long, and for a few sentences in place of a few words. */
function answerTokens(part: string): number {
  return 2 * estimateTokens(part) + 120
}

function writeRewrite(tx: Writer, turn: Turn, rewrite: Rewrite, text: string, now: Date): void {
  const { adventureId } = turn
  const action = getRewritten(tx, adventureId, rewrite)
  const world = getWorld(tx, adventureId)
  const variants = allVariants(tx, action, world)
  const live = variants[action.variant_index] ?? implicitVariant(action, world)
  const isEndNew = rewrite.spans.at(-1)?.end === action.text.trimEnd().length
  const cut = isEndNew ? null : action.cut
  const variant = rewrittenVariant(live, { text, how: rewrite.how.trim(), cut, now })
  invalidateFrom(tx, adventureId, action.index)
  updateLiveVariant(tx, action.id, {
    ...liveFrom(variant),
    variants: [...variants, variant],
    variant_index: variants.length,
  })
}

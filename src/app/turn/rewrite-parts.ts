import type { Reader, Writer } from '../../db/database.ts'
import { invalidateFrom } from '../../db/stories/invalidate.ts'
import { findNewest } from '../../db/tables/actions/list.ts'
import { updateLiveVariant } from '../../db/tables/actions/write.ts'
import { getAdventure, getWorld } from '../../db/tables/adventures.ts'
import type { Action } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import { type RewrittenPart, rewriteTask, rewrittenWords, withParts } from '../../domain/model/rewrite.ts'
import { replyTokens } from '../../domain/prompt/budget.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'
import type { Span } from '../../domain/text/sentence-spans.ts'
import { rewrittenVariant } from '../../domain/variant.ts'
import { hashOf } from '../../lib/hash.ts'
import { isBlank, isInvisible } from '../../lib/text.ts'
import type { Deps } from '../deps.ts'
import { promptWithRoom, storyParts } from '../prompt/build-prompt.ts'
import { waitForRecording } from '../recording/record-passage.ts'
import type { TurnLock } from '../runtime/turn-lock.ts'
import { doneEvent } from './end-events.ts'
import { makeRequest, newCollector, receiveReply } from './reply/generate-reply.ts'
import { writeWhenFree } from './reply/save-reply.ts'
import { type Played, startTurn } from './start-turn.ts'
import { makeTurn, type OpenTurn, type Turn } from './turn.ts'
import type { TurnEvents } from './turn-events.ts'
import { emptyReply } from './turn-failures.ts'
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
 * changes and rolls included (docs/rules.md 5.10). Nothing is written unless every part is complete. Throws not_found, not_last,
 * changed_elsewhere, invalid, turn_in_progress; later failures are `error` events.
 */
export function rewriteParts(
  deps: Deps,
  adventureId: number,
  rewrite: Rewrite,
  disconnected: AbortSignal,
): TurnEvents {
  const { reader } = deps.library
  getAdventure(reader, adventureId)
  getRewritten(reader, adventureId, rewrite)
  if (rewrite.spans.length === 0) throw new StoryError('invalid', 'Choose at least one sentence to rewrite.')
  if (isBlank(rewrite.how)) throw new StoryError('invalid', 'Say how to rewrite it.')
  const lock = deps.locks.takeForLine(adventureId)
  const start = { deps, adventureId, repeatsSteering: false, disconnected }
  return startTurn(start, lock, (turn) => playRewrite(turn, lock, rewrite))
}

/** The narration to rewrite. */
function getRewritten(reader: Reader, adventureId: number, { hash }: Rewrite): Action {
  const newest = findNewest(reader, adventureId)
  if (newest?.type !== 'ai')
    throw new StoryError('not_last', 'Only the narrator’s last passage can be rewritten. Edit the others.')
  if (hashOf(newest.text) === hash) return newest
  throw new StoryError('changed_elsewhere', 'This passage has changed. Look at it, then choose again.')
}

async function playRewrite(open: OpenTurn, lock: TurnLock, rewrite: Rewrite): Promise<Played> {
  using _ = lock
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

/** Asks for one part after the other, and shows the passage as it grows. */
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
    done.push({ span, words: await askForPart(turn, part, how) })
    shown = span.end
  }
  show(text.slice(shown))
  return withParts(text, done)
}

/** Asks for new words in place of a part. Throws empty_reply for an answer without any new ones, and the errors of the endpoint. */
async function askForPart(turn: Turn, part: RewrittenPart, how: string): Promise<string> {
  const task = rewriteTask(part, how)
  const { prompt, request } = askedRequest(turn, task, part)
  // It may repeat the passage, but not itself.
  const collector = newCollector(turn, prompt, [])
  await receiveReply(turn, request, collector)
  const words = rewrittenWords(collector.text.toWellFormed(), part, collector.cut !== null)
  if (words !== '' && words !== part.part) return words
  if (isInvisible(collector.text) || collector.cut === 'length') throw emptyReply(collector)
  throw new StoryError(
    'empty_reply',
    'The model did not change this part. Describe the change in other words, or choose more text.',
  )
}

/** The question after the prompt of the story, which the server still has in its cache. */
function askedRequest(turn: Turn, task: string, { part }: RewrittenPart) {
  const { deps, adventureId, settings } = turn
  const reserve = Math.max(0, estimateTokens(task) + answerTokens(part) - replyTokens(settings))
  const next = promptWithRoom(deps, { adventureId, settings, reserve })
  const parts = storyParts(next)
  const request = makeRequest(settings, {
    ...next,
    parts: [...parts, { role: 'user', label: 'history', text: task }],
  })
  return { prompt: { ...next, parts }, request: { ...request, max_output_tokens: answerTokens(part) } }
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

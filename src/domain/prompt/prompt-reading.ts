import { type Static, Type } from '@sinclair/typebox'
import { nullable, oneOf } from '../../lib/typebox.ts'
import type { Message, Usage } from '../model/model-request.ts'

/** Why a server reads more of a prompt than the new line. */
export const READ_REASONS = {
  'new story': 'it was the first turn of the story',
  cut: 'the oldest passages were cut from the prompt',
  'edited passage':
    'a passage in the prompt was changed since (edited, undone, stat updates were added, or the server writes it in another way)',
  'changed plot': 'the instructions, the plot or the summary at its beginning were changed',
  'other model': 'another model was used before',
  'server restarted': 'the model server, or Inglenook, was restarted or had dropped it',
  'another story': 'another story was played in between',
  'server keeps nothing': 'the model server does not keep prompts',
} as const

export type ReadReason = keyof typeof READ_REASONS

export const WhyRead = nullable(
  Type.Unsafe<ReadReason>({
    ...oneOf(Object.keys(READ_REASONS)),
    description: 'Why more than the new line and its notes was read; null if it was not, or unknown',
  }),
)

/** How much of a prompt the server processed, and why. */
export const PromptReading = Type.Object({
  anew: Type.Integer({ description: 'Tokens processed; estimated if the server does not report them' }),
  why: WhyRead,
})
export type PromptReading = Static<typeof PromptReading>

/** A prompt as it was sent, and what the server had read before. Tokens as the server counts them. */
interface SentPrompt {
  messages: readonly Message[]
  usage: Usage | null
  /** The player's line with its notes. */
  own: number
  /** What was not read before, as far as we know. */
  expected: number
  /** Whether the story has no reply yet. */
  isFirstTurn: boolean
  /** What the server had read last, for this story and model or for others. Null after a restart of this service. */
  before: { messages: readonly Message[]; isSameStory: boolean; isSameModel: boolean } | null
  /** Whether the server has ever reused a part of a prompt. */
  hasReused: boolean
}

/** Tokens that a chat template may add to a turn. */
const TEMPLATE = 64

/** Compares what a server read with what it had to. */
export function promptReading(sent: SentPrompt): PromptReading {
  const { usage, expected, own } = sent
  const reported =
    usage?.prompt_tokens != null && usage.cached_tokens != null
      ? usage.prompt_tokens - usage.cached_tokens
      : null
  const anew = Math.max(0, Math.round(reported ?? expected))
  return { anew, why: anew <= own + TEMPLATE ? null : readReason(sent, reported) }
}

function readReason(sent: SentPrompt, reported: number | null): ReadReason {
  const { before, expected, isFirstTurn, hasReused, usage } = sent
  if (isFirstTurn) return 'new story'
  if (before === null) return 'server restarted'
  if (!before.isSameModel) return 'other model'
  if (!before.isSameStory) return 'another story'
  // Most of it, and more than we know a reason for: the server did not have what it had read. A smaller part is a reply that
  // the server's template writes differently from the original, so it counts as changed.
  const isMost = reported !== null && reported > (usage?.cached_tokens ?? 0)
  if (isMost && reported > expected * 1.5 + TEMPLATE)
    return hasReused ? 'server restarted' : 'server keeps nothing'
  return firstDifference(before.messages, sent.messages)
}

function firstDifference(before: readonly Message[], now: readonly Message[]): ReadReason {
  const front = (messages: readonly Message[]) => messages.findIndex(({ role }) => role !== 'system')
  const opening = now[front(now)]?.text
  const moved = before.findIndex(({ role, text }) => role !== 'system' && text === opening)
  if (moved > front(before)) return 'cut'
  return before[0]?.role === 'system' && before[0].text !== now[0]?.text ? 'changed plot' : 'edited passage'
}

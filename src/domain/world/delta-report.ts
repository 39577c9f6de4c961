import { type Static, Type } from '@sinclair/typebox'
import { hashOf } from '../../lib/hash.ts'
import { isObject, objectIn, ownValue } from '../../lib/objects.ts'
import { cutTo } from '../../lib/text.ts'
import { nullable } from '../../lib/typebox.ts'
import { applyRoll } from '../checks/apply-roll.ts'
import type { Roll } from '../checks/roll.ts'
import { type DeltaParse, type DeltaStatus, parseDelta, type StateBlock } from './block/delta.ts'
import { PathResolver } from './block/path-resolver.ts'
import { isOfTheModel, replayBlock } from './prompt/replay-block.ts'
import type { SecondCallAnswer } from './prompt/second-call-answer.ts'
import { isUnchanged, type Reconciled, reconcile } from './reconcile.ts'
import { referee, refused, SECOND_CALL_REASONS, type Verdict, type VerdictReason } from './referee.ts'
import { readRules } from './rules.ts'
import type { StatSchema, WorldState } from './state.ts'

/** The second call for the changes of a reply, and its cost. */
export const SecondCall = Type.Object({
  why: Type.String({ description: 'Why its changes do not count; empty if they do' }),
  answer: Type.String({ description: 'The raw reply' }),
  prompt_tokens: nullable(Type.Integer()),
  completion_tokens: nullable(Type.Integer()),
  milliseconds: Type.Number(),
})
export type SecondCall = Static<typeof SecondCall>

/**
 * The result of judging the changes of one variant. The first three keys come from the earlier release (docs/rules.md 6);
 * `verdicts` contains the same with numbers and reasons.
 */
interface DeltaReport {
  applied: { path: string; old: unknown; new: unknown }[]
  clamped: { path: string; old: unknown; new: unknown }[]
  rejected: { path: string; reason: VerdictReason }[]
  verdicts: Verdict[]
  recorded: DeltaStatus
  /** The hash of the schema that applied. */
  schema: string
  /** The block that represents this version in later prompts, if its own cannot be used. */
  block: string
  /** Whether nothing had to be corrected: then later prompts contain the reply as the model wrote it. */
  clean: boolean
  /** Absent if the reply itself reported its changes. */
  second_call?: SecondCall
  /** What had to be reconciled with the schema first. */
  reconciled?: Omit<Reconciled, 'state'>
}

/** The world state after a reply, and how it came about. */
interface Recording {
  delta: Record<string, unknown>
  report: DeltaReport
  state: WorldState
}

/** The changes that a reply proposes: in its own blocks, and in the response to a second call if there was one. */
export interface Proposal {
  blocks: readonly StateBlock[]
  second: (SecondCall & { edits: SecondCallAnswer }) | null
}

/** Where a reply is judged: the state before it, the index of its action, and what the dice decided before it. */
export interface TurnTarget {
  before: WorldState
  index: number
  roll: Roll | null
}

/**
 * Judges the changes that a reply proposes, after what the dice have changed. Those of a second call replace those in its
 * blocks.
 */
export function recordDelta(
  schema: StatSchema,
  { before, index, roll }: TurnTarget,
  proposal: Proposal,
): Recording {
  const paths = new PathResolver(readRules(schema))
  const { state: fitted, ...reconciled } = reconcile(schema, before, paths.rules)
  const dice = applyRoll(schema, fitted, roll, index)
  const { edits, ...second_call } = proposal.second ?? { edits: null }
  const answered = proposal.second?.why === '' ? edits : null
  const blocks = answered ? [] : proposal.blocks
  const parsed: DeltaParse = answered
    ? { delta: answered.delta, unread: [], recorded: 'asked' }
    : parseDelta(blocks, paths)
  // The stored form is judged, so that an audit can judge it again.
  const delta = storableDelta(parsed.delta)
  const { after, verdicts: judged } = referee(schema, dice.after, delta, index, paths)
  const proposed = [...judged, ...unreadable(parsed, blocks), ...(edits?.refused ?? [])]
  const verdicts = [...dice.verdicts, ...proposed]
  const report: DeltaReport = {
    ...verdictsToShow(verdicts),
    verdicts,
    recorded: parsed.recorded,
    schema: hashOf(JSON.stringify(schema)),
    block: replayBlock(verdicts),
    clean: isClean(blocks, proposed, parsed.recorded),
    ...('why' in second_call ? { second_call } : {}),
    ...(isUnchanged({ state: fitted, ...reconciled }) ? {} : { reconciled }),
  }
  return { delta, report, state: after }
}

const WHOLE_REPORT = 'the report'

/** Refusals of what could not be read. */
function unreadable({ unread, recorded }: DeltaParse, blocks: readonly StateBlock[]): Verdict[] {
  const isTooLong = blocks.some(({ tooLong }) => tooLong)
  const isUnread = recorded === 'unread' && unread.length === 0 && !isTooLong
  return [
    ...unread.map((path) => refused(path === '' ? WHOLE_REPORT : path, null, 'not readable')),
    ...(isUnread ? [refused(WHOLE_REPORT, null, 'not readable')] : []),
    ...(isTooLong ? [refused(WHOLE_REPORT, null, 'too long to read')] : []),
  ]
}

/** The lists of the earlier release, made from verdicts. */
export function verdictsToShow(
  verdicts: readonly Verdict[],
): Pick<DeltaReport, 'applied' | 'clamped' | 'rejected'> {
  const moves = verdicts.filter((one) => one.verdict !== 'refused')
  const entry = ({ path, old, new: value }: (typeof moves)[number]) => ({ path, old, new: value })
  return {
    applied: moves.map(entry),
    clamped: moves.filter(({ verdict }) => verdict === 'limited').map(entry),
    rejected: verdicts.flatMap((one) =>
      one.verdict === 'refused' ? [{ path: one.path, reason: one.reason }] : [],
    ),
  }
}

/** Adds the player's own changes to the report of a variant. */
export function withManual(report: unknown, manual: readonly Verdict[]): Record<string, unknown> {
  const stored = isObject(report) ? report : {}
  const verdicts = [...verdictsOf(stored), ...manual]
  return { ...stored, ...verdictsToShow(verdicts), verdicts }
}

/** The verdicts of a stored report. A report of the earlier release has only lists to make them from. */
export function verdictsOf(report: unknown): Verdict[] {
  if (!isObject(report)) return []
  const verdicts = ownValue(report, 'verdicts')
  if (Array.isArray(verdicts))
    return verdicts.filter((one): one is Verdict => isObject(one) && typeof one.path === 'string')
  const clamped = new Set(list(report.clamped).map(({ path }) => path))
  return [
    ...list(report.applied).map(({ path, old, new: value }): Verdict => {
      const given =
        typeof old === 'number' && typeof value === 'number' ? Number((value - old).toFixed(6)) : value
      const move = { path: String(path), asked: given, given, old, new: value }
      return clamped.has(path)
        ? { verdict: 'limited', ...move, reason: 'a limit' }
        : { verdict: 'applied', ...move }
    }),
    ...list(report.rejected).map(({ path, reason }) => refused(String(path), null, reason as VerdictReason)),
  ]
}

/** The second call of a stored report; null if there was none. */
export function secondCallIn(report: unknown): SecondCall | null {
  const call = objectIn(report, 'second_call')
  return typeof call.why === 'string' ? (call as unknown as SecondCall) : null
}

/** The verdicts on what the reply itself proposed, without those on the response to a second call. */
export function verdictsOnReply(report: unknown): Verdict[] {
  if (isObject(report) && report.recorded === 'asked') return []
  return verdictsOf(report).filter(({ reason }) => SECOND_CALL_REASONS.every((one) => reason !== one))
}

/** Why none of a reply's changes were recorded, in a sentence; '' if some were, or if there was no second call. */
export function whyNotRecorded(report: unknown): string {
  const isRecorded =
    (isObject(report) && report.recorded === 'whole') ||
    verdictsOf(report).some(({ verdict }) => isOfTheModel(verdict) && verdict !== 'refused')
  return isRecorded ? '' : (secondCallIn(report)?.why ?? '')
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((one) => isObject(one) && typeof one.path === 'string') : []
}

function isClean(
  blocks: readonly StateBlock[],
  verdicts: readonly Verdict[],
  recorded: DeltaStatus,
): boolean {
  return recorded === 'whole' && blocks.length === 1 && verdicts.every(({ verdict }) => verdict === 'applied')
}

const MAX_ENTRIES = 400
/** One more than the longest text that an author may write. */
const MAX_VALUE = 4_001
const MAX_PATH = 200

// The proposal is stored for the player to see, within limits.
function storableDelta(delta: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(delta)
    .slice(0, MAX_ENTRIES)
    .map(([path, value]) => [
      path.slice(0, MAX_PATH),
      typeof value === 'string' ? cutTo(value, MAX_VALUE) : value,
    ])
  return Object.fromEntries(entries)
}

import { type Static, Type } from '@sinclair/typebox'
import { hashOf } from '../../lib/hash.ts'
import { isObject, objectIn, ownValue } from '../../lib/objects.ts'
import { cutTo } from '../../lib/text.ts'
import { nullable, oneOf } from '../../lib/typebox.ts'
import { applyRoll } from '../checks/apply-roll.ts'
import type { Roll } from '../checks/roll.ts'
import { PathResolver } from './path-resolver.ts'
import { isUnchanged, type Reconciled, reconcile } from './reconcile.ts'
import type { RecorderAnswer } from './recorder/answer.ts'
import { referee, refused, type Verdict, type VerdictReason } from './referee.ts'
import { readRules } from './rules.ts'
import type { StatSchema, WorldState } from './state.ts'

export const RecorderCall = Type.Object({
  why: Type.String({ description: 'Why no changes are recorded; empty if they are' }),
  answer: Type.String({ description: 'The raw reply' }),
  prompt_tokens: nullable(Type.Integer()),
  completion_tokens: nullable(Type.Integer()),
  milliseconds: Type.Number(),
})
export type RecorderCall = Static<typeof RecorderCall>

/** A verdict as the API document describes it: looser than the type, as old records are. */
export const RecordedVerdict = Type.Unsafe<Verdict>(
  Type.Object({
    verdict: oneOf(['applied', 'corrected', 'limited', 'manual', 'rolled', 'refused']),
    path: Type.String(),
    asked: Type.Unknown({ description: 'What was proposed: a change to a number, otherwise a new value' }),
    given: Type.Optional(Type.Unknown({ description: 'What was granted, in the same terms' })),
    old: Type.Optional(Type.Unknown()),
    new: Type.Optional(Type.Unknown()),
    reason: Type.Optional(Type.String()),
    because: Type.Optional(Type.String({ description: 'The sentence of the passage that tells the change' })),
  }),
)

/** The recorder's answer about a passage: null before it has answered, or if that cannot be read. */
export interface RecorderResult {
  answer: RecorderAnswer | null
  /** Null in a story whose passages are not recorded. */
  call: RecorderCall | null
}

/** The record of a passage that nobody was asked about. */
export const NOT_ASKED: RecorderResult = { answer: null, call: null }

/** The first three keys come from the earlier release; `verdicts` has the same in full. */
interface DeltaReport {
  applied: { path: string; old: unknown; new: unknown }[]
  clamped: { path: string; old: unknown; new: unknown }[]
  rejected: { path: string; reason: VerdictReason }[]
  verdicts: Verdict[]
  recorded: 'asked' | 'none'
  schema: string
  /** Under a name that stored records have. */
  second_call?: RecorderCall
  /** Reconciliation with the schema before the changes. */
  reconciled?: Omit<Reconciled, 'state'>
}

interface WorldRecord {
  delta: Record<string, unknown>
  report: DeltaReport
  state: WorldState
}

/** The state before a passage, the index of its action, and the verdicts of the dice before it. */
export interface TurnTarget {
  before: WorldState
  index: number
  roll: Roll | null
}

/** Judges the changes that the recorder names, after what the dice have changed. */
export function recordDelta(
  schema: StatSchema,
  { before, index, roll }: TurnTarget,
  { answer, call }: RecorderResult,
): WorldRecord {
  const paths = new PathResolver(readRules(schema))
  const { state: fitted, ...reconciled } = reconcile(schema, before, paths.rules)
  const dice = applyRoll(schema, fitted, roll, index)
  // The stored form is judged, so that an audit can judge it again.
  const delta = storableDelta(answer?.delta ?? {})
  const { after, verdicts: judged } = referee(schema, dice.after, delta, index, paths)
  const told = judged.map((verdict) => withSentence(verdict, answer))
  const verdicts = [...dice.verdicts, ...told, ...(answer?.refused ?? [])]
  const report: DeltaReport = {
    ...verdictsToShow(verdicts),
    verdicts,
    recorded: answer === null ? 'none' : 'asked',
    schema: hashOf(JSON.stringify(schema)),
    ...(call && { second_call: { ...call, why: call.why || whyUnusable(verdicts) } }),
    ...(isUnchanged({ state: fitted, ...reconciled }) ? {} : { reconciled }),
  }
  return { delta, report, state: after }
}

function withSentence(verdict: Verdict, answer: RecorderAnswer | null): Verdict {
  const because = ownValue(answer?.because ?? {}, verdict.path)
  return because === undefined ? verdict : { ...verdict, because }
}

/** Reason for which a readable answer records nothing; '' if it records something, or says that there is nothing. */
function whyUnusable(verdicts: readonly Verdict[]): string {
  const asked = verdicts.filter(({ verdict }) => verdict !== 'rolled')
  return asked.length > 0 && asked.every(({ verdict }) => verdict === 'refused')
    ? 'None of the changes that the model named could be applied.'
    : ''
}

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

export function withManual(report: unknown, manual: readonly Verdict[]): Record<string, unknown> {
  const stored = isObject(report) ? report : {}
  const verdicts = [...verdictsOf(stored), ...manual]
  return { ...stored, ...verdictsToShow(verdicts), verdicts }
}

/** A report of the earlier release has only lists to make them from. */
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

/** Null if there was none. */
export function recorderCallIn(report: unknown): RecorderCall | null {
  const call = objectIn(report, 'second_call')
  return typeof call.why === 'string' ? (call as unknown as RecorderCall) : null
}

/** True if the recorder answered, or a state block of an older version was read. */
export function isAnswered(report: unknown): boolean {
  return isObject(report) && ['asked', 'whole', 'cut'].includes(String(report.recorded))
}

/** A sentence; '' if some changes were recorded, or if nobody was asked. */
export function whyNotRecorded(report: unknown): string {
  const isRecorded =
    (isObject(report) && report.recorded === 'whole') ||
    verdictsOf(report).some(({ verdict }) => !NOT_OF_THE_MODEL.has(verdict))
  return isRecorded ? '' : (recorderCallIn(report)?.why ?? '')
}

/** Verdicts on changes that are not the model's: refused, or made by the player or the dice. */
const NOT_OF_THE_MODEL: ReadonlySet<Verdict['verdict']> = new Set(['refused', 'manual', 'rolled'])

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((one) => isObject(one) && typeof one.path === 'string') : []
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

import { cutTo } from '../../lib/text.ts'
import { type Block, type Reading, type Recorded, readDelta } from './block/delta.ts'
import type { EditsRead } from './edits.ts'
import { isObject, objectIn, ownValue } from '../../lib/objects.ts'
import { isUnchanged, type Reconciled, reconcile } from './reconcile.ts'
import { type Reason, referee, refused, SECOND_CALL_REASONS, type Verdict } from './referee.ts'
import { replayBlock } from './prompt/replay-block.ts'
import { Paths } from './block/path-resolver.ts'
import { readRules } from './rules.ts'
import type { StatSchema, WorldState } from './state.ts'

/** How the changes of a reply were asked for by themselves, and what that cost. */
export interface SecondCall {
  /** Why its changes do not count, in a sentence for the player; '' when they do. */
  why: string
  /** The answer as it came. */
  answer: string
  prompt_tokens: number | null
  completion_tokens: number | null
  milliseconds: number
}

/**
 * What was made of the changes of one attempt. The first three keys are the earlier release's (sheet 4.2); `verdicts`
 * tells the same with numbers and reasons.
 */
export interface Report {
  applied: { path: string; old: unknown; new: unknown }[]
  clamped: { path: string; old: unknown; new: unknown }[]
  rejected: { path: string; reason: Reason }[]
  verdicts: Verdict[]
  recorded: Recorded
  /** The mark of the schema by which it was judged. */
  schema: string
  /** The block with which this attempt stands in later prompts, where its own cannot. */
  block: string
  /** Nothing had to be put right: the reply goes back into prompts as it came. */
  clean: boolean
  /** Absent where the reply alone told what changed. */
  second_call?: SecondCall
  /** What had to be fitted to the schema before. */
  reconciled?: Omit<Reconciled, 'state'>
}

/** The world after a reply, with the report of how it came about. */
export interface Recording {
  delta: Record<string, unknown>
  report: Report
  state: WorldState
}

/** What a reply proposes: in blocks of its own, and in answer to a second call where there was one. */
export interface Proposal {
  blocks: readonly Block[]
  second: (SecondCall & { edits: EditsRead }) | null
}

/**
 * Judges what a reply proposes against the world before it. What a second call gave takes the place of the blocks. `mark`
 * stands for the schema in the report.
 */
export function record(
  schema: StatSchema,
  mark: string,
  before: WorldState,
  proposal: Proposal,
  turn: number,
): Recording {
  const { state: fitted, ...reconciled } = reconcile(schema, before)
  const { edits, ...second_call } = proposal.second ?? { edits: null }
  const asked = proposal.second?.why === '' ? edits : null
  const blocks = asked ? [] : proposal.blocks
  const reading: Reading = asked
    ? { delta: asked.delta, unread: [], recorded: 'asked' }
    : readDelta(blocks, new Paths(readRules(schema)))
  const { unread, recorded } = reading
  // What is judged is what is kept, so that it can be judged again.
  const delta = storableDelta(reading.delta)
  const { after, verdicts: judged } = referee(schema, fitted, delta, turn)
  const verdicts = [
    ...judged,
    ...unread.map((path) => refused(path === '' ? 'the report' : path, null, 'not readable')),
    ...(recorded === 'unread' && unread.length === 0 && !blocks.some(({ tooLong }) => tooLong)
      ? [refused('the report', null, 'not readable')]
      : []),
    ...(blocks.some(({ tooLong }) => tooLong) ? [refused('the report', null, 'too long to read')] : []),
    ...(edits?.refused ?? []),
  ]
  const report: Report = {
    ...listed(verdicts),
    verdicts,
    recorded,
    schema: mark,
    block: replayBlock(verdicts),
    clean: isClean(blocks, verdicts, recorded),
    ...('why' in second_call ? { second_call } : {}),
    ...(isUnchanged({ state: fitted, ...reconciled }) ? {} : { reconciled }),
  }
  return { delta, report, state: after }
}

/** The lists of the earlier release, from verdicts. */
export function listed(verdicts: readonly Verdict[]): Pick<Report, 'applied' | 'clamped' | 'rejected'> {
  const moves = verdicts.filter((one) => one.verdict !== 'refused')
  const plain = ({ path, old, new: value }: (typeof moves)[number]) => ({ path, old, new: value })
  return {
    applied: moves.map(plain),
    clamped: moves.filter(({ verdict }) => verdict === 'limited').map(plain),
    rejected: verdicts.flatMap((one) =>
      one.verdict === 'refused' ? [{ path: one.path, reason: one.reason }] : [],
    ),
  }
}

/** Adds the player's own changes to what an attempt did. */
export function withManual(report: unknown, manual: readonly Verdict[]): Record<string, unknown> {
  const kept = isObject(report) ? report : {}
  const verdicts = [...verdictsOf(kept), ...manual]
  return { ...kept, ...listed(verdicts), verdicts }
}

/** The verdicts of a stored report. For one of the earlier release they are made from its lists. */
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
    ...list(report.rejected).map(({ path, reason }) => refused(String(path), null, reason as Reason)),
  ]
}

/** How the changes of a stored report were asked for; null where they were not. */
export function secondCallIn(report: unknown): SecondCall | null {
  const kept = objectIn(report, 'second_call')
  return typeof kept.why === 'string' ? (kept as unknown as SecondCall) : null
}

/** The verdicts on what the reply itself proposed; what a second call answered is not in the story. */
export function verdictsOnReply(report: unknown): Verdict[] {
  if (isObject(report) && report.recorded === 'asked') return []
  return verdictsOf(report).filter(({ reason }) => SECOND_CALL_REASONS.every((own) => reason !== own))
}

/** Why nothing of what a reply changed is recorded, in a sentence; '' when something is, or nobody asked for it. */
export function whyNotRecorded(report: unknown): string {
  const isRecorded =
    (isObject(report) && report.recorded === 'whole') ||
    verdictsOf(report).some(({ verdict }) => verdict !== 'refused' && verdict !== 'manual')
  return isRecorded ? '' : (secondCallIn(report)?.why ?? '')
}

function list(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((one) => isObject(one) && typeof one.path === 'string') : []
}

function isClean(blocks: readonly Block[], verdicts: readonly Verdict[], recorded: Recorded): boolean {
  return recorded === 'whole' && blocks.length === 1 && verdicts.every(({ verdict }) => verdict === 'applied')
}

const MOST_ENTRIES = 400
/** One more than an author's own texts may have. */
const LONGEST_VALUE = 4_001

// What is proposed is kept for the player to see, within reason.
function storableDelta(delta: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(delta)
    .slice(0, MOST_ENTRIES)
    .map(([path, value]) => [
      path.slice(0, 200),
      typeof value === 'string' ? cutTo(value, LONGEST_VALUE) : value,
    ])
  return Object.fromEntries(entries)
}

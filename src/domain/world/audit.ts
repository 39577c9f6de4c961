import type { Variant } from '../variant.ts'
import { setByHand } from './manual-change.ts'
import { isObject, objectIn } from '../../lib/objects.ts'
import { type Adjusted, reconcile } from './reconcile.ts'
import { type Reason, referee, SECOND_CALL_REASONS, type Verdict } from './referee.ts'
import { verdictsOf } from './delta-report.ts'
import type { StatSchema, WorldState } from './state.ts'

/** One action as the audit reads it, attempts and all. */
export interface Audited {
  id: number
  index: number
  type: string
  text: string
  variant_index: number
  world_delta: unknown
  world_state_before: WorldState | null
  variants: Variant[]
  /** Another program has told or written it. */
  is_elsewhere?: boolean
}

/** Something that does not add up: at which action, and at which path ('' for the action itself). */
export interface Finding {
  action_id: number
  index: number
  path: string
  what: string
}

export interface Audit {
  ok: boolean
  /** Narrations looked at, and their attempts. */
  turns: number
  attempts: number
  /** Attempts that were judged a second time, because their schema is still the same. */
  judged_again: number
  findings: Finding[]
  /** Places where the numbers begin anew for a reason: a refresh, rows that are older than verdicts, and what a file brought. */
  breaks: { action_id: number; index: number; what: string }[]
}

type Values = Map<string, unknown>

const MOST_FINDINGS = 200

/**
 * Checks what was recorded, turn by turn: that each change says truly what was before and after, that nothing else moved,
 * that each turn begins where the last one ended, and that the same schema would judge again as it did.
 */
export class Auditor {
  private readonly audit: Audit = {
    ok: true,
    turns: 0,
    attempts: 0,
    judged_again: 0,
    findings: [],
    breaks: [],
  }
  /** What the last action left; null before the first, and where it cannot be known. */
  private reached: Values | null = null
  private isOld = false
  private last: Audited | null = null

  /**
   * `mark` is that of the schema, as reports carry it. `known` are places where the numbers begin anew, each behind the
   * action of an index.
   */
  constructor(
    private readonly schema: StatSchema,
    private readonly mark: string,
    private readonly known: readonly { since: number; what: string }[] = [],
  ) {}

  /** The next action of the story, in order. */
  add(action: Audited): void {
    if (isBreak(action)) {
      this.last = action
      this.addBreak(action)
      return
    }
    const before = action.world_state_before
    if (before) this.checkStart(action, before)
    this.last = action
    if (action.type === 'ai') this.addNarration(action, before)
    else if (before) this.reached = this.moved(action, valuesOf(before), verdictsOf(action.world_delta))
  }

  /** The end of the story; `live` is the world as the player sees it. */
  finish(live: WorldState): Audit {
    const end = valuesOf(reconcile(this.schema, live).state)
    if (this.last && this.reached && !this.isBroken(this.last, this.reached, end, Number.MAX_SAFE_INTEGER)) {
      if (!this.isOld) this.compare(this.last, this.reached, end, 'is not what the story left')
      else if (differences(this.reached, end).length > 0) this.addOld(this.last, AFTER_OLD)
    }
    this.audit.ok = this.audit.findings.length === 0
    return this.audit
  }

  /** What does not add up so far. */
  get findings(): readonly Finding[] {
    return this.audit.findings
  }

  // What the file says of this passage is taken as it is, and so is what comes of it.
  private addBreak({ id, index, type, variants }: Audited): void {
    if (type === 'ai') this.audit.turns++
    this.audit.attempts += variants.length
    this.audit.breaks.push({ action_id: id, index, what: IMPORT_BREAK })
    this.reached = null
    this.isOld = false
  }

  private checkStart(action: Audited, before: WorldState): void {
    if (this.reached === null) return
    const values = valuesOf(before)
    const differing = differences(this.reached, values)
    if (differing.length === 0 || this.isBroken(action, this.reached, values, action.index)) return
    if (this.isOld) this.addOld(action, AFTER_OLD)
    else if (action.is_elsewhere) this.addOld(action, 'was told by another program')
    else
      for (const path of differing)
        this.find(action, path, 'begins with another value than the last turn left')
  }

  private addOld({ id, index }: Audited, what: string): void {
    this.audit.breaks.push({ action_id: id, index, what })
  }

  /** Whether a known break between the last action and `index` tells why the values differ; then it is listed. */
  private isBroken({ id, index }: Audited, reached: Values, found: Values, until: number): boolean {
    const from = this.last?.index ?? -1
    const known = this.known.find(({ since }) => from <= since && since < until)
    if (known === undefined || differences(reached, found).length === 0) return false
    this.audit.breaks.push({ action_id: id, index, what: known.what })
    return true
  }

  private addNarration(action: Audited, before: WorldState | null): void {
    this.audit.turns++
    const live = action.variants[action.variant_index]
    if (action.variants.length > 0 && live?.text !== action.text)
      this.find(action, '', 'shows another text than its live attempt')
    const ends = action.variants.map((variant) => this.addAttempt(action, before, variant))
    const end = ends[action.variant_index]
    this.isOld = !isObject(action.world_delta) || !Array.isArray(action.world_delta.verdicts)
    this.reached =
      end ??
      (before ? this.moved(action, valuesOf(before), verdictsOf(action.world_delta), this.isOld) : null)
    // The earlier release lists beside a turn what moved, and neither what it limited nor what it refused.
    const same = this.isOld ? sameValues : sameMoves
    if (live?.world_state && !same(verdictsOf(live.world_state.report), verdictsOf(action.world_delta)))
      this.find(action, '', 'lists other changes than its live attempt')
  }

  private addAttempt(action: Audited, before: WorldState | null, { world_state }: Variant): Values | null {
    this.audit.attempts++
    if (!world_state || !isObject(world_state.state)) return null
    const after = valuesOf(world_state.state)
    if (before === null) return after
    const verdicts = verdictsOf(world_state.report)
    const fitted = this.fitted(valuesOf(before), world_state.report, after)
    const moved = this.moved(action, fitted, verdicts)
    if (this.isSetBehindBreak(action, verdicts)) return after
    this.compare(action, moved, after, 'moved without a record')
    if (isObject(world_state.report) && world_state.report.schema === this.mark)
      this.judgeAgain(action, before, world_state.delta, verdicts, after)
    return after
  }

  /** Whether the player set something after the numbers had begun anew at this action: it stands on what they were then. */
  private isSetBehindBreak({ index }: Audited, verdicts: readonly Verdict[]): boolean {
    return (
      verdicts.some(({ verdict }) => verdict === 'manual') && this.known.some(({ since }) => since === index)
    )
  }

  /** The values after some recorded changes; each has to say truly what was there before. */
  private moved(action: Audited, start: Values, verdicts: readonly Verdict[], lenient = false): Values {
    const values = new Map(start)
    const isBehindBreak = this.isSetBehindBreak(action, verdicts)
    for (const one of verdicts) {
      if (one.verdict === 'refused') continue
      const isFree = lenient || (isBehindBreak && one.verdict === 'manual')
      if (!isFree && values.has(one.path) && !same(values.get(one.path), one.old))
        this.find(
          action,
          one.path,
          `is recorded to have been ${said(one.old)}, and was ${said(values.get(one.path))}`,
        )
      values.set(one.path, one.new)
    }
    return values
  }

  /** What reconciling is recorded to have done. */
  private fitted(before: Values, report: unknown, after: Values): Values {
    const { added, removed, changed } = objectIn(report, 'reconciled') as Record<string, unknown>
    const values = new Map(before)
    for (const path of strings(removed))
      for (const known of before.keys())
        if (known === path || known.startsWith(`${path}.`)) values.delete(known)
    for (const path of strings(added)) values.set(path, after.get(path))
    for (const { path, new: value } of (Array.isArray(changed) ? changed : []) as Adjusted[])
      values.set(path, value)
    // A value that was added and then moved was at its beginning in between.
    for (const one of verdictsOf(report).toReversed())
      if (one.verdict !== 'refused' && strings(added).includes(one.path)) values.set(one.path, one.old)
    return values
  }

  private judgeAgain(
    action: Audited,
    before: WorldState,
    delta: Record<string, unknown>,
    verdicts: readonly Verdict[],
    after: Values,
  ): void {
    this.audit.judged_again++
    const again = referee(this.schema, reconcile(this.schema, before).state, delta, action.index)
    const manual = verdicts.filter(({ verdict }) => verdict === 'manual')
    const judged = verdicts.filter((one) => one.verdict !== 'manual' && !isOfTheBlock(one))
    if (!sameMoves(judged, again.verdicts)) this.find(action, '', 'would be judged otherwise today')
    // What was asked, not what came of it: a bound may be finer than any number that can be asked for.
    const byHand = Object.fromEntries(manual.map((one) => [one.path, one.asked]))
    const { after: state } = setByHand(this.schema, again.after, byHand)
    this.compare(action, valuesOf(state), after, 'would come out otherwise today')
  }

  private compare(action: Audited, expected: Values, found: Values, what: string): void {
    for (const path of differences(expected, found))
      this.find(action, path, `${what}: ${said(expected.get(path))}, found ${said(found.get(path))}`)
  }

  private find({ id, index }: Audited, path: string, what: string): void {
    if (this.audit.findings.length < MOST_FINDINGS)
      this.audit.findings.push({ action_id: id, index, path, what })
  }
}

const AFTER_OLD = 'follows a turn that kept no verdicts'

/** Marks, in a record or in an attempt, a passage whose numbers did not follow from its records when a file brought it. */
export const IMPORT_BREAK = 'import'

function isBreak({ world_delta, variants }: Audited): boolean {
  return (
    (isObject(world_delta) && world_delta.break === IMPORT_BREAK) ||
    variants.some((variant) => variant.break === IMPORT_BREAK)
  )
}

/** Every value of a state by its path; reached milestones are true, others absent. */
export function valuesOf(state: WorldState): Values {
  const values: Values = new Map()
  const put = (prefix: string, holder: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(holder)) values.set(`${prefix}.${name}`, value)
  }
  put('world', objectIn(state, 'world'))
  put('player', objectIn(state, 'player'))
  put('flags', objectIn(state, 'flags'))
  for (const [id, own] of Object.entries(objectIn(state, 'npc'))) put(`npc.${id}`, isObject(own) ? own : {})
  for (const [id, entry] of Object.entries(objectIn(state, 'milestones')))
    if (entry === true || (isObject(entry) && entry.reached === true)) values.set(`milestones.${id}`, true)
  return values
}

function differences(one: Values, other: Values): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (path) => !same(one.get(path), other.get(path)),
  )
}

// A milestone that was taken back by hand is false in the record and absent in the state.
function same(one: unknown, other: unknown): boolean {
  return one === other || (!one && !other && typeof (one ?? other) === 'boolean')
}

function sameMoves(one: readonly Verdict[], other: readonly Verdict[]): boolean {
  const plain = (verdicts: readonly Verdict[]) =>
    verdicts.map((verdict) => [
      verdict.path,
      verdict.verdict,
      'new' in verdict ? verdict.new : verdict.reason,
    ])
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other))
}

function sameValues(one: readonly Verdict[], other: readonly Verdict[]): boolean {
  const plain = (verdicts: readonly Verdict[]) =>
    verdicts.flatMap((verdict) => ('new' in verdict ? [[verdict.path, verdict.new]] : []))
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other))
}

// Refused before it came to the referee.
const BEFORE: ReadonlySet<string> = new Set<Reason>([
  'not readable',
  'too long to read',
  ...SECOND_CALL_REASONS,
])

function isOfTheBlock(verdict: Verdict): boolean {
  return verdict.verdict === 'refused' && BEFORE.has(verdict.reason)
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function said(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return 'a text'
  // Old and hand-made files hold anything.
  return value !== null && typeof value === 'object' ? 'no value' : String(value)
}

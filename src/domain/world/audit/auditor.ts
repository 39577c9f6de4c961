import { isObject } from '../../../lib/objects.ts'
import { applyRoll } from '../../checks/apply-roll.ts'
import { type Roll, rollFault, toldFault } from '../../checks/roll.ts'
import type { Variant, VariantWorld } from '../../variant.ts'
import { verdictsOf } from '../delta-report.ts'
import { applyManualChange } from '../manual-change.ts'
import { PathResolver } from '../path-resolver.ts'
import { reconcile } from '../reconcile.ts'
import { referee, UNJUDGED_REASONS, type Verdict } from '../referee.ts'
import { readRules } from '../rules.ts'
import type { StatSchema, WorldState } from '../state.ts'
import { valuesByPath } from '../state-diff.ts'
import type { Audit, AuditedAction } from './audit.ts'
import {
  describe,
  differences,
  haveSameMoves,
  haveSameValues,
  isSame,
  reconciledValues,
  type Values,
} from './recorded-values.ts'

/** A point where the values start over, after the action with the index `since`. */
export interface WorldBreak {
  since: number
  what: string
}

interface Start {
  state: WorldState
  values: Values
}

interface RecordedVariant {
  action: AuditedAction
  world: VariantWorld
  roll: Roll | null
  before: WorldState
  after: Values
  verdicts: readonly Verdict[]
}

const MAX_FINDINGS = 200

/**
 * Checks the records turn by turn: each change states correctly what was before and after, nothing else moved, each turn
 * starts where the last one ended, and under an unchanged schema the referee would judge the same way again.
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
  /** The values after the last action; null before the first one and where they cannot be known. */
  private reached: Values | null = null
  private lacksVerdicts = false
  private last: AuditedAction | null = null
  /** The roll of the lines since the last narration. */
  private thrown: Roll | null = null

  private resolver: PathResolver | null = null

  /** `schemaHash` is the hash of the schema as reports contain it. */
  constructor(
    private readonly schema: StatSchema,
    private readonly schemaHash: string,
    private readonly known: readonly WorldBreak[] = [],
  ) {}

  add(action: AuditedAction): void {
    if (isImportBreak(action)) {
      this.last = action
      this.addImportBreak(action)
      return
    }
    const before = action.world_state_before && {
      state: action.world_state_before,
      values: valuesByPath(action.world_state_before),
    }
    if (before) this.checkStart(action, before.values)
    this.last = action
    this.checkThrown(action)
    if (action.type === 'ai') this.addNarration(action, before)
    else if (before) this.reached = this.replayed(action, before.values, verdictsOf(action.world_delta))
  }

  /** Ends the story; `live` is the world state that the player sees. */
  finish(live: WorldState): Audit {
    const end = valuesByPath(reconcile(this.schema, live, this.paths.rules).state)
    if (this.last && this.reached && !this.isBroken(this.last, this.reached, end, Number.MAX_SAFE_INTEGER)) {
      if (!this.lacksVerdicts) this.compare(this.last, this.reached, end, 'differs from the end of the story')
      else if (differences(this.reached, end).length > 0) this.addBreak(this.last, AFTER_MISSING_VERDICTS)
    }
    this.audit.ok = this.audit.findings.length === 0
    return this.audit
  }

  get findings(): Audit['findings'] {
    return this.audit.findings
  }

  // For this passage and its result, the file is trusted.
  private addImportBreak(action: AuditedAction): void {
    if (action.type === 'ai') this.audit.turns++
    this.audit.attempts += action.variants.length
    this.addBreak(action, IMPORT_BREAK)
    this.thrown = action.type === 'ai' ? null : (action.roll ?? null)
    this.reached = null
    this.lacksVerdicts = false
  }

  private checkStart(action: AuditedAction, values: Values): void {
    if (this.reached === null) return
    const differing = differences(this.reached, values)
    if (differing.length === 0 || this.isBroken(action, this.reached, values, action.index)) return
    if (this.lacksVerdicts) this.addBreak(action, AFTER_MISSING_VERDICTS)
    else if (action.is_elsewhere) this.addBreak(action, 'was written by another program')
    else
      for (const path of differing)
        this.addFinding(action, path, 'starts with a different value than the last turn ended with')
  }

  private addBreak({ id, index }: AuditedAction, what: string): void {
    this.audit.breaks.push({ action_id: id, index, what })
  }

  /** True if a known break between the last action and `until` explains differing values, which is then listed. */
  private isBroken(action: AuditedAction, reached: Values, found: Values, until: number): boolean {
    const from = this.last?.index ?? -1
    const known = this.known.find(({ since }) => from <= since && since < until)
    if (known === undefined || differences(reached, found).length === 0) return false
    this.addBreak(action, known.what)
    return true
  }

  private checkThrown(action: AuditedAction): void {
    const { type, roll = null, world_state_before: before } = action
    if (type === 'ai' || roll === null) return
    this.thrown = roll
    this.addFault(action, rollFault({ schema: this.schema, mark: this.schemaHash }, roll, before))
  }

  private checkTold(action: AuditedAction, { roll }: Variant): void {
    if (roll === undefined) return
    const marked = { schema: this.schema, mark: this.schemaHash }
    this.addFault(action, rollFault(marked, roll, null) || toldFault(roll, this.thrown))
  }

  private addFault(action: AuditedAction, what: string): void {
    if (what !== '') this.addFinding(action, '', what)
  }

  private addNarration(action: AuditedAction, before: Start | null): void {
    this.audit.turns++
    const live = action.variants[action.variant_index]
    if (action.variants.length > 0 && live?.text !== action.text)
      this.addFinding(action, '', 'shows a different text than its current version')
    const recorded = verdictsOf(action.world_delta)
    const ends = action.variants.map((variant) => this.addVariant(action, before, variant))
    this.thrown = null
    this.lacksVerdicts = !isObject(action.world_delta) || !Array.isArray(action.world_delta.verdicts)
    this.reached =
      ends[action.variant_index] ??
      (before ? this.replayed(action, before.values, recorded, this.lacksVerdicts) : null)
    // The earlier release lists only what moved, not what it limited or refused.
    const agree = this.lacksVerdicts ? haveSameValues : haveSameMoves
    if (live?.world_state && !agree(verdictsOf(live.world_state.report), recorded))
      this.addFinding(action, '', 'lists different changes than its current version')
  }

  private addVariant(action: AuditedAction, before: Start | null, variant: Variant): Values | null {
    const { world_state: world, roll = null } = variant
    this.audit.attempts++
    this.checkTold(action, variant)
    if (!world || !isObject(world.state)) return null
    const after = valuesByPath(world.state)
    if (before === null) return after
    const verdicts = verdictsOf(world.report)
    const start = reconciledValues(before.values, world.report, after)
    const replayed = this.replayed(action, start, verdicts)
    if (this.isSetAfterBreak(action, verdicts)) return after
    this.compare(action, replayed, after, 'changed without a record')
    if (isObject(world.report) && world.report.schema === this.schemaHash)
      this.judgeAgain({ action, world, roll, before: before.state, after, verdicts })
    return after
  }

  /** True if the player set something after the values had started over at this action. */
  private isSetAfterBreak({ index }: AuditedAction, verdicts: readonly Verdict[]): boolean {
    return (
      verdicts.some(({ verdict }) => verdict === 'manual') && this.known.some(({ since }) => since === index)
    )
  }

  /** The values after the recorded changes. Unless `lenient`, each change must state the old value correctly. */
  private replayed(
    action: AuditedAction,
    start: Values,
    verdicts: readonly Verdict[],
    lenient = false,
  ): Values {
    const values = new Map(start)
    const isAfterBreak = this.isSetAfterBreak(action, verdicts)
    for (const one of verdicts) {
      if (one.verdict === 'refused') continue
      const isUnchecked = lenient || (isAfterBreak && one.verdict === 'manual')
      if (!isUnchecked && values.has(one.path) && !isSame(values.get(one.path), one.old))
        this.addFinding(
          action,
          one.path,
          `is recorded as having been ${describe(one.old)}, but was ${describe(values.get(one.path))}`,
        )
      values.set(one.path, one.new)
    }
    return values
  }

  private judgeAgain({ action, world, roll, before, after, verdicts }: RecordedVariant): void {
    this.audit.judged_again++
    const { state: fitted } = reconcile(this.schema, before, this.paths.rules)
    const dice = applyRoll(this.schema, fitted, roll, action.index)
    const again = referee(this.schema, dice.after, world.delta, action.index, this.paths)
    const manual = verdicts.filter(({ verdict }) => verdict === 'manual')
    const judged = verdicts.filter((one) => one.verdict !== 'manual' && !isBeforeReferee(one))
    if (!haveSameMoves(judged, [...dice.verdicts, ...again.verdicts]))
      this.addFinding(action, '', 'would be judged differently now')
    // Uses the requested value rather than the result: a bound may be finer than any number that can be requested.
    const values = Object.fromEntries(manual.map((one) => [one.path, one.asked]))
    const { after: state } = manual.length > 0 ? applyManualChange(this.schema, again.after, values) : again
    this.compare(action, valuesByPath(state), after, 'would come out differently now')
  }

  private compare(action: AuditedAction, expected: Values, found: Values, what: string): void {
    for (const path of differences(expected, found))
      this.addFinding(
        action,
        path,
        `${what}: expected ${describe(expected.get(path))}, found ${describe(found.get(path))}`,
      )
  }

  /** The paths of the schema; made when they are needed, since behind each break of an import another audit begins. */
  private get paths(): PathResolver {
    this.resolver ??= new PathResolver(readRules(this.schema))
    return this.resolver
  }

  private addFinding({ id, index }: AuditedAction, path: string, what: string): void {
    if (this.audit.findings.length < MAX_FINDINGS)
      this.audit.findings.push({ action_id: id, index, path, what })
  }
}

const AFTER_MISSING_VERDICTS = 'follows a turn without recorded verdicts'

/** Marks an imported passage, in its record or in a variant, whose values did not follow from its records. */
export const IMPORT_BREAK = 'import'

function isImportBreak({ world_delta, variants }: AuditedAction): boolean {
  return (
    (isObject(world_delta) && world_delta.break === IMPORT_BREAK) ||
    variants.some((variant) => variant.break === IMPORT_BREAK)
  )
}

function isBeforeReferee({ verdict, reason }: Verdict): boolean {
  return verdict === 'refused' && UNJUDGED_REASONS.some((one) => one === reason)
}

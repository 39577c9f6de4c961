import type { Reader, Writer } from '../../db/database.ts'
import { listNewest } from '../../db/tables/actions/list.ts'
import { getVariants } from '../../db/tables/actions/variants.ts'
import { updateLiveVariant, updateWorldBefore, updateWorldDelta } from '../../db/tables/actions/write.ts'
import { type AdventureWorld, findAnswers, getWorld, updateWorldState } from '../../db/tables/adventures.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { type Action, isPlayerLine } from '../../domain/action.ts'
import { applyRoll } from '../../domain/checks/apply-roll.ts'
import { filledPassage, filledSchemaForModel } from '../../domain/prompt/filled-texts.ts'
import type { Variant } from '../../domain/variant.ts'
import {
  isAnswered,
  type RecorderResult,
  recordDelta,
  type TurnTarget,
  verdictsOf,
  whyNotRecorded,
  withManual,
} from '../../domain/world/delta-report.ts'
import { applyManualChange } from '../../domain/world/manual-change.ts'
import { reconcile } from '../../domain/world/reconcile.ts'
import { type WritableStat, withoutAbsent, writableStats } from '../../domain/world/recorder/schema.ts'
import { readRules } from '../../domain/world/rules.ts'
import { hasStats, type StatSchema, type WorldState } from '../../domain/world/state.ts'
import { allVariants, liveFrom } from '../turn/variants.ts'

/** The newest narration of a story with stats, and the player's lines that wait after it. */
export interface RecordedPassage {
  action: Action
  variants: Variant[]
  live: Variant
  /** Oldest first. */
  lines: Action[]
  target: TurnTarget
  world: AdventureWorld & { schema: StatSchema }
}

/** The most lines that are read after a narration; more are hardly ever sent without a reply. */
const MAX_LINES = 10

/** Null if the story does not end with a narration and lines of the player, or if dice were thrown since. */
export function findRecorded(reader: Reader, adventureId: number): RecordedPassage | null {
  const newest = listNewest(reader, adventureId, MAX_LINES)
  const at = newest.findIndex(({ type }) => !isPlayerLine(type))
  const action = newest[at]
  const lines = newest.slice(0, at).reverse()
  if (action?.type !== 'ai' || lines.some(({ roll }) => roll !== null)) return null
  const world = getWorld(reader, adventureId)
  const variants = allVariants(reader, action, world)
  const live = variants[action.variant_index]
  const { schema } = world
  if (live === undefined || !hasStats(schema)) return null
  const before = getVariants(reader, action.id).world_state_before ?? world.state
  const target = { before, index: action.index, roll: live.roll ?? null }
  return { action, variants, live, lines, target, world: { ...world, schema } }
}

/** Stands for the answer until there is one, and for good if the service is killed before. */
export const NOT_ANSWERED = {
  answer: null,
  call: {
    why: 'The model had not answered before the story went on.',
    answer: '',
    prompt_tokens: null,
    completion_tokens: null,
    milliseconds: 0,
  },
} satisfies RecorderResult

/** True if the setting is on, and the passage can change something. */
export function isRecorded(
  reader: Reader,
  adventureId: number,
  { target, world, text }: { target: TurnTarget; world: AdventureWorld; text: string },
): boolean {
  const { schema } = world
  if (!hasStats(schema) || getSettings(reader).second_call === 'never') return false
  return changesOpenTo(reader, adventureId, { schema, target, text }).stats.length > 0
}

/** True if the newest narration has not been recorded, or was edited, or the setting is off. */
export function offersRecord(reader: Reader, adventureId: number): boolean {
  const passage = findRecorded(reader, adventureId)
  if (passage === null) return false
  const { live } = passage
  const isMissing = !isAnswered(live.world_state?.report) || whyNotRecorded(live.world_state?.report) !== ''
  return isMissing || live.edited === true || getSettings(reader).second_call === 'never'
}

/** Passages in which a character who could change was mentioned. */
const RECENT = 4

/** The values that a passage can change, with the rules and its starting state, as the model is sent them. */
export function changesOpenTo(
  reader: Reader,
  adventureId: number,
  { schema, target, text }: { schema: StatSchema; target: TurnTarget; text: string },
) {
  const { index, before, roll } = target
  const answers = findAnswers(reader, adventureId) ?? {}
  const { after: state } = applyRoll(schema, reconcile(schema, before).state, roll, index)
  const rules = readRules(filledSchemaForModel(schema, answers))
  // A passage may speak of "her" whom an earlier one named.
  const recent = listNewest(reader, adventureId, RECENT).map((one) => filledPassage(one, () => answers).text)
  const stats: WritableStat[] = withoutAbsent(
    writableStats(rules, state, index),
    rules,
    [...recent, text].join('\n'),
  )
  return { rules, state, stats }
}

/**
 * Writes the recorder's answer into the live version of a passage, with the player's own changes on top, unless the
 * story has changed since it was asked. Lines that wait start from the new state.
 */
export function writeRecord(tx: Writer, asked: RecordedPassage, result: RecorderResult): void {
  const { adventure_id } = asked.action
  const found = findRecorded(tx, adventure_id)
  if (found === null || identityOf(found) !== identityOf(asked)) return
  const { action, variants, live, lines, target, world } = found
  const record = recordDelta(world.schema, target, result)
  const manual = manualAgain(world.schema, record.state, live.world_state?.report)
  const report = manual.verdicts.length > 0 ? withManual(record.report, manual.verdicts) : record.report
  const recorded = { ...live, world_state: { ...record, report, state: manual.after } }
  updateLiveVariant(tx, action.id, {
    ...liveFrom(recorded),
    variants: variants.with(action.variant_index, recorded),
    variant_index: action.variant_index,
  })
  let state = manual.after
  for (const line of lines) {
    updateWorldBefore(tx, line.id, state)
    const { after, verdicts } = manualAgain(world.schema, state, line.world_delta)
    if (line.world_delta !== null) updateWorldDelta(tx, line.id, withManual(null, verdicts))
    state = after
  }
  updateWorldState(tx, adventure_id, state)
}

/** Equal for the same passage with the same values. */
function identityOf({ action, live, world }: RecordedPassage): string {
  const { id, variant_index, text } = action
  return JSON.stringify([id, variant_index, text, live, world.state, world.schema])
}

/** Sets again what the player set by hand. */
function manualAgain(schema: StatSchema, state: WorldState, report: unknown) {
  const manual = verdictsOf(report).filter(({ verdict }) => verdict === 'manual')
  return applyManualChange(schema, state, Object.fromEntries(manual.map(({ path, asked }) => [path, asked])))
}

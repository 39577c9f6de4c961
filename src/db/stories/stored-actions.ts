import { rollFrom } from '../../domain/checks/roll.ts'
import { actionAtPosition } from '../../domain/portable/action-indexes.ts'
import {
  type PortableAction,
  type PortableActions,
  withoutSoleVariant,
} from '../../domain/portable/portable.ts'
import { type Variant, variantFrom, wasEditedElsewhere } from '../../domain/variant.ts'
import { isoTime, parseListColumn, parseObjectColumn } from '../column-values.ts'
import type { Reader } from '../database.ts'
import { type ActionPosition, FIRST_POSITION } from '../tables/actions/position.ts'
import { listBookmarks } from '../tables/bookmarks.ts'

export type ActionRow = Pick<PortableAction, 'type' | 'text' | 'reasoning' | 'cut' | 'variant_index'> &
  Record<'world_delta' | 'world_state_before' | 'variants' | 'roll', string | null> & {
    id: number
    index: number
    hidden: number
    created_at: string
  }

export const PAGE = 100

/** Parts of each action: its versions, and the state before it. Both together are most of a story. */
export interface ActionParts {
  versions: boolean
  states: boolean
}

const ALL_PARTS: ActionParts = { versions: true, states: true }

/** The actions of a stored story, read in pages. The story must not change meanwhile. */
export class StoredActions implements PortableActions {
  readonly length: number
  /** The indexes as they are stored, where they are not the positions; else null. */
  readonly indexes: readonly number[] | null
  private readonly bookmarks: ReadonlyMap<number, string>

  constructor(
    private readonly reader: Reader,
    private readonly adventureId: number,
    private readonly parts = ALL_PARTS,
  ) {
    this.indexes = findIndexes(reader, adventureId)
    this.length = this.indexes?.length ?? countActions(reader, adventureId)
    const bookmarks = listBookmarks(reader, adventureId)
    this.bookmarks = new Map(bookmarks.map(({ action_id, name }) => [action_id, name]))
  }

  [Symbol.iterator](): Generator<PortableAction> {
    return this.from(0)
  }

  *from(position: number): Generator<PortableAction> {
    const index = this.indexes?.[position] ?? position
    const states = this.parts.states ? 'world_state_before' : 'NULL AS world_state_before'
    const versions = this.parts.versions ? 'variants' : 'NULL AS variants'
    for (let last: ActionPosition = position === 0 ? FIRST_POSITION : { index, id: -1 }; ; ) {
      const rows = this.reader.all<ActionRow>(
        `SELECT id, "index", type, text, reasoning, world_delta, ${states}, ${versions}, variant_index, cut, roll, hidden, created_at
           FROM actions WHERE adventure_id = ? AND ("index", id) > (?, ?) ORDER BY "index", id LIMIT ?`,
        this.adventureId,
        last.index,
        last.id,
        PAGE,
      )
      for (const row of rows) yield this.actionOf(row)
      const end = rows.at(-1)
      if (end === undefined || rows.length < PAGE) return
      last = end
    }
  }

  *entries(): Generator<[number, PortableAction]> {
    let index = 0
    for (const action of this) yield [index++, action]
  }

  private actionOf(row: ActionRow): PortableAction {
    const action = withoutSoleVariant(portableAction(row))
    const mark = this.bookmarks.get(row.id)
    if (mark !== undefined) action.mark = mark
    return this.indexes ? actionAtPosition(action, this.indexes) : action
  }
}

function countActions(reader: Reader, adventureId: number): number {
  return reader.value('SELECT count(*) FROM actions WHERE adventure_id = ?', adventureId) ?? 0
}

function findIndexes(reader: Reader, adventureId: number): number[] | null {
  const sql = 'SELECT "index" FROM actions WHERE adventure_id = ? ORDER BY "index"'
  const indexes = reader.column<number>(sql, adventureId)
  return indexes.every((index, position) => index === position) ? null : indexes
}

export function portableAction(
  row: Omit<ActionRow, 'index'>,
  variants: readonly Variant[] = parseListColumn(row.variants).map(variantFrom),
): PortableAction {
  const live = Math.min(Math.max(0, row.variant_index), Math.max(0, variants.length - 1))
  const roll = row.type === 'ai' ? null : rollFrom(parseObjectColumn(row.roll))
  const action: PortableAction = {
    type: row.type,
    text: row.text,
    reasoning: row.reasoning,
    variants: variants.map((variant, i) => portableVariant(variant, i === live ? row.text : variant.text)),
    variant_index: live,
    cut: variants.length > 0 ? (variants[live]?.cut ?? null) : row.cut,
    world_delta: parseObjectColumn(row.world_delta),
    world_state_before: parseObjectColumn(row.world_state_before),
    created_at: isoTime(row.created_at) || null,
  }
  if (roll) action.roll = roll
  if (row.hidden === 1) action.hidden = true
  return action
}

// Leaves out unknown fields: early builds stored whole prompts in a variant. If its text differs from the action's, the
// action was edited and its text counts. Statements, because spreading takes as long as reading the row.
function portableVariant(variant: Variant, text: string): Variant {
  const { reasoning, created_at, raw_output, world_state, cut, roll, steering, timing, rewritten } = variant
  const portable: Variant = { text, reasoning, created_at: created_at && (isoTime(created_at) || null) }
  if (typeof raw_output === 'string') portable.raw_output = raw_output
  if (variant.cleaned === true) portable.cleaned = true
  if (world_state) portable.world_state = world_state
  if (cut) portable.cut = cut
  if (roll) portable.roll = roll
  if (steering !== undefined) portable.steering = steering
  if (timing) portable.timing = timing
  if (rewritten !== undefined) portable.rewritten = rewritten
  if (wasEditedElsewhere(variant) || text !== variant.text) portable.edited = true
  return portable
}

/** The actions of a branch that no earlier one has, by their positions. */
interface OwnActions {
  actions: StoredActions
  first: number
}

/** The actions of several branches one after the other, each of them once. */
export class BranchActions implements PortableActions {
  readonly length: number

  constructor(private readonly branches: readonly OwnActions[]) {
    this.length = branches.reduce((sum, { actions, first }) => sum + actions.length - first, 0)
  }

  *[Symbol.iterator](): Generator<PortableAction> {
    for (const { actions, first } of this.branches) yield* actions.from(first)
  }

  *entries(): Generator<[number, PortableAction]> {
    let index = 0
    for (const action of this) yield [index++, action]
  }
}

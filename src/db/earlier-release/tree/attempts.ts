import { type Variant, type VariantWorld, variantFrom } from '../../../domain/variant.ts'
import { isObject } from '../../../lib/objects.ts'
import { isoTime, parseListColumn, parseObjectColumn } from '../../column-values.ts'
import type { Reader, Writer } from '../../database.ts'
import { inflatedSnapshot } from '../../tables/actions/snapshots.ts'
import type { TreeColumns, TreeNode } from './read-tree.ts'

interface Row {
  text: string
  reasoning: string | null
  created_at: string
  world_delta: string | null
  world_state_after: string | null
  variants: string | null
  context_snapshot: Uint8Array | null
}

/** The attempts at a turn as one row stores them. */
interface StoredTurn {
  variants: Variant[]
  /** Whether the stored prompt of the row is one: that of a later attempt has only its result. */
  hasPrompt: boolean
  /** Whether the row records changes of the world, as every row whose attempts have world states does. */
  hasDelta: boolean
}

/** Bytes of a stored prompt that may be none. */
const MAX_OUTCOME = 4_096

/** The ids of rows of a story whose attempts or prompts have to be looked into, besides those with several attempts. */
export function listOddRows(reader: Reader, adventureId: number): Set<number> {
  const ids = reader.column<number>(
    `SELECT id FROM actions WHERE adventure_id = ?
        AND (coalesce(variants, 'null') <> 'null' OR octet_length(context_snapshot) < ${MAX_OUTCOME})`,
    adventureId,
  )
  return new Set(ids)
}

/** Gives a row of a line the attempts at its turn, of which its node is the live one. */
export function updateAttempts(tx: Writer, id: number, node: TreeNode, columns: TreeColumns): void {
  const { variants, hasPrompt, hasDelta } = attemptsAt(tx, node, columns)
  const live = variants[node.attempts.indexOf(node)]
  tx.update('actions', id, {
    ...(hasDelta || !live?.world_state ? {} : { world_delta: JSON.stringify({ delta: {}, applied: [] }) }),
    variants: variants.length === 0 ? null : JSON.stringify(variants),
    variant_count: variants.length,
    variant_index: variants.length === 0 ? 0 : node.attempts.indexOf(node),
    ...(hasPrompt ? {} : { context_snapshot: null }),
  })
}

function attemptsAt(reader: Reader, node: TreeNode, { world_state_after }: TreeColumns): StoredTurn {
  const rows = node.attempts.map(({ id }) => ({ id, ...attemptRow(reader, id, world_state_after) }))
  // What is known of attempts that were made before they became rows.
  const earlier = rows.flatMap(({ variants }) => parseListColumn(variants).map(variantFrom))
  const attempts = rows.map((row) => {
    const outcome = inflatedSnapshot(row.context_snapshot)
    const known = taken(earlier, row.text)
    return {
      id: row.id,
      hasDelta: parseObjectColumn(row.world_delta) !== null,
      isPrompt: row.context_snapshot === null || [outcome?.sections, outcome?.parts].some(Array.isArray),
      known,
      variant: variantOf(row, outcome ?? {}, known, rows.length === 1),
    }
  })
  const own = attempts.find(({ id }) => id === node.id)
  const isPlain = attempts.length === 1 && own?.known === undefined
  return {
    variants: isPlain ? [] : attempts.map(({ variant }) => variant),
    hasPrompt: own?.isPrompt ?? true,
    hasDelta: own?.hasDelta ?? true,
  }
}

/** Takes the first attempt with a text from a list: several may have the same. */
function taken(attempts: Variant[], text: string): Variant | undefined {
  const at = attempts.findIndex((attempt) => attempt.text === text)
  return at < 0 ? undefined : attempts.splice(at, 1)[0]
}

function attemptRow(reader: Reader, id: number, hasState: boolean): Row {
  const row = reader.get<Row>(
    `SELECT text, reasoning, created_at, world_delta, ${hasState ? 'world_state_after' : 'NULL AS world_state_after'},
            variants, context_snapshot FROM actions WHERE id = ?`,
    id,
  )
  if (row === null) throw new Error(`the action ${id} is gone`)
  return row
}

function variantOf(
  row: Row,
  outcome: Record<string, unknown>,
  known: Variant | undefined,
  isSole: boolean,
): Variant {
  const { raw_output } = outcome
  const world_state = isSole ? known?.world_state : worldOf(row, outcome.world_state, known)
  return {
    ...(typeof raw_output === 'string' ? { raw_output } : {}),
    ...known,
    text: row.text,
    reasoning: row.reasoning,
    created_at: known?.created_at ?? (isoTime(row.created_at) || null),
    ...(world_state ? { world_state } : {}),
  }
}

/** The lists that the earlier release expects in a report. */
const NO_CHANGES = { applied: [], clamped: [], rejected: [] }

/** How an attempt changed the world; undefined where there is none or it is not known. What is known of it may say more. */
function worldOf(row: Row, outcome: unknown, known: Variant | undefined): VariantWorld | undefined {
  const state = parseObjectColumn(row.world_state_after) ?? {}
  if (Object.keys(state).length === 0 || Bun.deepEquals(state, known?.world_state?.state))
    return known?.world_state
  const { delta, ...recorded } = parseObjectColumn(row.world_delta) ?? {}
  const stored = isObject(outcome) ? outcome : {}
  const report = { ...NO_CHANGES, ...(isObject(stored.report) ? stored.report : recorded) }
  return { delta: isObject(delta) ? delta : isObject(stored.delta) ? stored.delta : {}, report, state }
}

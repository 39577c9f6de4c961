import { BLOCK_LABEL } from './guide.ts'
import { isObject, setOwn } from '../../../lib/objects.ts'
import type { Verdict } from '../referee.ts'

/**
 * The block with which a past turn is shown again: what was accepted, never what was refused, so that the model does not
 * learn from its faults. Changes that moved nothing are left out; those of the player's hand are not the model's.
 */
export function replayBlock(verdicts: readonly Verdict[]): string {
  const accepted: Record<string, unknown> = {}
  for (const one of verdicts)
    if (one.verdict !== 'refused' && one.verdict !== 'manual' && one.old !== one.new)
      setOwn(accepted, one.path, one.given)
  return fenced(JSON.stringify(accepted))
}

/** The same for a turn of the earlier release, which kept only old and new values. */
export function replayOfApplied(applied: unknown): string {
  const accepted: Record<string, unknown> = {}
  for (const entry of Array.isArray(applied) ? applied : []) {
    const { path, old, new: value } = isObject(entry) ? entry : {}
    if (typeof path !== 'string' || old === value) continue
    const isNumber = typeof old === 'number' && typeof value === 'number'
    setOwn(accepted, path, isNumber ? Number((value - old).toFixed(6)) : value)
  }
  return Object.keys(accepted).length === 0 ? '' : fenced(JSON.stringify(accepted))
}

function fenced(body: string): string {
  return `\`\`\`${BLOCK_LABEL}\n${body}\n\`\`\``
}

import { isObject, setOwn } from '../../../lib/objects.ts'
import type { Verdict } from '../referee.ts'
import { BLOCK_LABEL } from './guide.ts'

/**
 * The state block that the prompt shows for a past turn. It contains what was accepted and never what was refused, so
 * that the model does not learn from its mistakes. It leaves out changes without effect and those made by the player or
 * the dice.
 */
export function replayBlock(verdicts: readonly Verdict[]): string {
  const accepted: Record<string, unknown> = {}
  for (const one of verdicts)
    if (isOfTheModel(one.verdict) && one.verdict !== 'refused' && one.old !== one.new)
      setOwn(accepted, one.path, one.given)
  return fenced(JSON.stringify(accepted))
}

/** Whether a verdict is about something that the model proposed, rather than made by the player or the dice. */
export function isOfTheModel(verdict: Verdict['verdict']): boolean {
  return verdict !== 'manual' && verdict !== 'rolled'
}

/** The same for a turn of the earlier release, which stored only old and new values. */
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

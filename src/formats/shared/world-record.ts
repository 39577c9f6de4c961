import { isObject } from '../../lib/objects.ts'

const KINDS: ReadonlySet<unknown> = new Set([
  'applied',
  'corrected',
  'limited',
  'manual',
  'rolled',
  'refused',
])

/**
 * Checks that a file's record of a variant's changes has the shape that pages, prompts and the audit read
 * (domain/world/report.ts). The audit finds out if it is true.
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false
  const { delta, applied, clamped, rejected, verdicts, recorded, block, reconciled } = value
  return (
    isNoneOr(delta, isObject) &&
    [applied, clamped, rejected].every((list) => isNoneOr(list, listOf(isMove))) &&
    isNoneOr(verdicts, listOf(isVerdict)) &&
    [recorded, block].every((text) => isNoneOr(text, isText)) &&
    isNoneOr(reconciled, isReconciled)
  )
}

type Claim = (value: unknown) => boolean

function isNoneOr(value: unknown, claim: Claim): boolean {
  return value === undefined || value === null || claim(value)
}

function listOf(claim: Claim): Claim {
  return (value) => Array.isArray(value) && value.every(claim)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isPlain(value: unknown): boolean {
  return value === undefined || value === null || typeof value !== 'object'
}

function isMove(value: unknown): boolean {
  if (!isObject(value) || !isText(value.path)) return false
  return isPlain(value.old) && isPlain(value.new) && isNoneOr(value.reason, isText)
}

function isVerdict(value: unknown): boolean {
  return isMove(value) && isObject(value) && KINDS.has(value.verdict) && isPlain(value.given)
}

function isReconciled(value: unknown): boolean {
  if (!isObject(value)) return false
  const { added, removed, changed } = value
  return (
    isNoneOr(added, listOf(isText)) && isNoneOr(removed, listOf(isText)) && isNoneOr(changed, listOf(isMove))
  )
}

import { isObject } from '../lib/objects.ts'
import type { Draw } from './seeded-random.ts'

type Schema = Record<string, unknown>

/** An answer to the recorder's question from the schema of the answer alone: a small change, or none. */
export function practiceAnswer(schema: object, draw: Draw): string {
  const edit = at(schema, 'properties', 'edits', 'items', 'properties')
  const sentences = listAt(edit, 'because', 'enum')
  const changes = listAt(edit, 'changes', 'items', 'anyOf').filter(isObject)
  const change = draw(10) < 8 ? changes[draw(Math.max(1, changes.length))] : undefined
  if (change === undefined) return '{"edits": []}'
  const because = sentences[draw(Math.max(1, sentences.length))]
  const { path, by, to } = at(change, 'properties') as Record<string, Schema>
  const value = by ? { by: amountOf(by, draw) } : { to: valueFor(to ?? {}, draw) }
  return JSON.stringify({ edits: [{ because, changes: [{ path: path?.const, ...value }] }] })
}

/** Small, and one in ten far over the cap, so that players see the referee at work. */
function amountOf({ minimum = -2, maximum = 2 }: Schema, draw: Draw): number {
  const sign = draw(2) === 0 || Number(minimum) >= 0 ? 1 : -1
  const most = Math.abs(Number(sign > 0 ? maximum : minimum))
  if (draw(10) === 0) return sign * 4 * Math.min(most, 25)
  return sign * (1 + draw(Math.max(1, Math.floor(Math.min(most, 10) / 2))))
}

function valueFor({ enum: options, const: only, type }: Schema, draw: Draw): unknown {
  if (Array.isArray(options)) return options[draw(options.length)]
  if (type === 'boolean') return draw(2) === 0
  return type === 'string' ? 'as before' : only
}

function at(holder: unknown, ...names: string[]): Schema {
  return names.reduce<Schema>(
    (inner, name) => (isObject(inner[name]) ? inner[name] : {}),
    isObject(holder) ? holder : {},
  )
}

function listAt(holder: Schema, ...names: string[]): unknown[] {
  const last = names.pop() ?? ''
  const list = at(holder, ...names)[last]
  return Array.isArray(list) ? list : []
}

import { isObject, objectIn } from '../lib/objects.ts'
import { cutTo } from '../lib/text.ts'
import { type Draw, drawFrom, seedOf } from './seeded-random.ts'

/** Maximum of a capped number: numbers without a cap have a larger one. */
const MAX_CAP = 1_000

/**
 * Answers the recorder's question from its JSON Schema: mostly no change, else a small one. One number in ten exceeds
 * its cap, so that players see the referee at work. Deterministic; {} for any other schema.
 */
export function recorderAnswer(schema: unknown): object {
  const draw = drawFrom(seedOf([JSON.stringify(schema) ?? ''], 0))
  const edit = objectIn(objectIn(objectIn(schema, 'properties'), 'edits'), 'items')
  const { because, changes } = objectIn(edit, 'properties')
  if (because === undefined || changes === undefined) return {}
  return { edits: draw(10) < 6 ? [] : [sample(edit, draw)] }
}

/** A random value that a schema allows. */
function sample(schema: unknown, draw: Draw): unknown {
  if (!isObject(schema)) return {}
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return pick(schema.enum, draw)
  const options = schema.anyOf ?? schema.oneOf
  if (Array.isArray(options)) return sample(pick(mostlyNumbers(options, draw), draw), draw)
  if (isObject(schema.items)) return [sample(schema.items, draw)]
  switch (schema.type) {
    case 'integer':
    case 'number':
      return sampleNumber(schema, draw)
    case 'boolean':
      return draw(2) === 0
    case 'string':
      return cutTo(pick(TEXTS, draw), numberIn(schema.maxLength, Number.POSITIVE_INFINITY))
    default:
      return Object.fromEntries(
        Object.entries(objectIn(schema, 'properties')).map(([name, value]) => [name, sample(value, draw)]),
      )
  }
}

function mostlyNumbers(options: readonly unknown[], draw: Draw): readonly unknown[] {
  const numbers = options.filter((option) => 'by' in objectIn(option, 'properties'))
  return numbers.length > 0 && draw(6) > 0 ? numbers : options
}

function sampleNumber(schema: Record<string, unknown>, draw: Draw): number {
  const low = numberIn(schema.minimum, Number.NEGATIVE_INFINITY)
  const high = numberIn(schema.maximum, Number.POSITIVE_INFINITY)
  if (high <= MAX_CAP && draw(10) === 0) return high + 1 + draw(3)
  const small = [-3, -2, -1, 1, 2, 3].filter((by) => low <= by && by <= high)
  return small.length > 0 ? pick(small, draw) : Math.min(Math.max(1, low), high)
}

function pick<Item>(items: readonly Item[], draw: Draw): Item {
  return items[draw(items.length)] as Item
}

/** Values for any text: a mood, a place, a time of day. */
const TEXTS = ['something else', 'not quite the same', 'hard to say'] as const

function numberIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

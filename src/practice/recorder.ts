import { isObject } from '../lib/objects.ts'
import { cutTo } from '../lib/text.ts'
import { type Draw, drawFrom, seedOf } from './seeded-random.ts'

type Schema = Record<string, unknown>

/** Maximum of a capped number: numbers without a cap have a larger one. */
const MAX_CAP = 1_000

/**
 * Answers the recorder's question from its JSON Schema: mostly no change, else a small one. One number in ten exceeds
 * its cap, so that players see the referee at work. Deterministic; {} for any other schema.
 */
export function recorderAnswer(schema: unknown): object {
  const sample = new Sampler(schema, drawFrom(seedOf([JSON.stringify(schema) ?? ''], 0)))
  return sample.edits()
}

class Sampler {
  private readonly root: unknown
  private readonly draw: Draw

  constructor(root: unknown, draw: Draw) {
    this.root = root
    this.draw = draw
  }

  edits(): object {
    const edits = this.resolved(this.properties(this.resolved(this.root)).edits)
    const item = this.resolved(edits.items)
    const { because, changes } = this.properties(item)
    if (because === undefined || changes === undefined) return {}
    return { edits: this.draw(10) < 6 ? [] : [this.valueOf(item)] }
  }

  private properties({ properties }: Schema): Schema {
    return isObject(properties) ? properties : {}
  }

  private resolved(schema: unknown): Schema {
    let found = schema
    for (let depth = 0; depth < 10 && isObject(found) && typeof found.$ref === 'string'; depth++)
      found = found.$ref
        .split('/')
        .slice(1)
        .reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), this.root)
    return isObject(found) ? found : {}
  }

  private valueOf(part: unknown): unknown {
    const schema = this.resolved(part)
    if ('const' in schema) return schema.const
    if (Array.isArray(schema.enum)) return this.pick(schema.enum)
    const options = schema.anyOf ?? schema.oneOf
    if (Array.isArray(options)) return this.valueOf(this.pick(this.likely(options)))
    if (isObject(schema.items)) return [this.valueOf(schema.items)]
    switch (schema.type) {
      case 'integer':
      case 'number':
        return this.amount(schema)
      case 'boolean':
        return this.draw(2) === 0
      case 'string':
        return cutTo(this.pick(TEXTS), numberIn(schema.maxLength, Number.POSITIVE_INFINITY))
      default:
        return Object.fromEntries(
          Object.entries(this.properties(schema)).map(([name, value]) => [name, this.valueOf(value)]),
        )
    }
  }

  private likely(options: unknown[]): unknown[] {
    const numbers = options.filter((option) => 'by' in this.properties(this.resolved(option)))
    return numbers.length > 0 && this.draw(6) > 0 ? numbers : options
  }

  private amount(schema: Schema): number {
    const low = numberIn(schema.minimum, Number.NEGATIVE_INFINITY)
    const high = numberIn(schema.maximum, Number.POSITIVE_INFINITY)
    if (high <= MAX_CAP && this.draw(10) === 0) return high + 1 + this.draw(3)
    const small = [-3, -2, -1, 1, 2, 3].filter((by) => low <= by && by <= high)
    return small.length > 0 ? this.pick(small) : Math.min(Math.max(1, low), high)
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[this.draw(items.length)] as Item
  }
}

/** Values for any text: a mood, a place, a time of day. */
const TEXTS = ['something else', 'not quite the same', 'hard to say'] as const

function numberIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

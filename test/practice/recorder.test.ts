import { describe, expect, test } from 'bun:test'
import { recorderAnswer } from '../../src/practice/recorder.ts'
import { type Draw, drawFrom } from '../../src/practice/seeded-random.ts'

/** A value that may change, and whether an answer may hold a value for it. */
interface Change {
  path: string
  field: 'by' | 'to'
  schema: Record<string, unknown>
  allows: (value: unknown) => boolean
}

const whole = (low: number, high: number) => (value: unknown) =>
  Number.isInteger(value) && low <= Number(value) && Number(value) <= high

const KINDS: ((draw: Draw) => Omit<Change, 'path'>)[] = [
  (draw) => {
    const [minimum, maximum] = [-draw(20), draw(20)]
    return { field: 'by', schema: { type: 'integer', minimum, maximum }, allows: whole(minimum, maximum) }
  },
  () => ({ field: 'by', schema: { type: 'number' }, allows: (value) => typeof value === 'number' }),
  () => ({ field: 'to', schema: { type: 'boolean' }, allows: (value) => typeof value === 'boolean' }),
  () => ({ field: 'to', schema: { const: true }, allows: (value) => value === true }),
  () => {
    const options = ['calm', 'wary', '']
    return { field: 'to', schema: { enum: options }, allows: (value) => options.includes(String(value)) }
  },
  (draw) => {
    const maxLength = 1 + draw(40)
    return {
      field: 'to',
      schema: { type: 'string', maxLength },
      allows: (value) => typeof value === 'string' && value.length <= maxLength,
    }
  },
]

const SENTENCES = ['The lamp gutters.', 'You take “the key”.', '雨が降る。', 'Nobody speaks.']

/** A random question of the recorder: the changes that it allows, and its schema. */
function question(draw: Draw) {
  const changes = Array.from({ length: 1 + draw(8) }, (_, i): Change => {
    const kind = KINDS[draw(KINDS.length)] ?? KINDS[0]
    return { path: `player.stat_${i}`, ...(kind as (draw: Draw) => Omit<Change, 'path'>)(draw) }
  })
  const sentences = SENTENCES.slice(0, 1 + draw(SENTENCES.length))
  const because = { enum: sentences }
  const edit = {
    type: 'object',
    properties: {
      because: because,
      changes: {
        type: 'array',
        minItems: 1,
        items: {
          anyOf: changes.map(({ path, field, schema }) => ({
            type: 'object',
            properties: { path: { const: path }, [field]: schema },
          })),
        },
      },
    },
  }
  const schema = {
    type: 'object',
    properties: { edits: { type: 'array', maxItems: 8, items: edit } },
    title: String(draw(1_000_000)),
  }
  return { changes, sentences, schema }
}

interface Edit {
  because: string
  changes: { path: string; by?: number; to?: unknown }[]
}

test('answers to 900 schemas are valid, most of them without a change, one amount in ten over its cap', () => {
  const draw = drawFrom(11)
  const seen = { none: 0, amounts: 0, over: 0, others: 0 }
  for (let i = 0; i < 900; i++) {
    const { changes, sentences, schema } = question(draw)
    const { edits } = recorderAnswer(schema) as { edits: Edit[] }
    if (edits.length === 0) seen.none++
    for (const edit of edits) {
      expect(sentences).toContain(edit.because)
      expect(edit.changes).toHaveLength(1)
      for (const { path, ...given } of edit.changes) {
        const change = changes.find((one) => one.path === path)
        if (change === undefined) throw new Error(`${path} is not in the schema`)
        const { field, schema, allows } = change
        expect(Object.keys(given)).toEqual([field])
        const value = given[field]
        const isOver = Number(value) > Number(schema.maximum)
        if (field === 'to') seen.others++
        else if (isOver) seen.over++
        else if ('maximum' in schema) seen.amounts++
        if (!isOver) expect(allows(value)).toBe(true)
      }
    }
  }
  expect(seen.none).toBeWithin(450, 700)
  expect(seen.others).toBeLessThan((900 - seen.none) / 2)
  expect(seen.over / (seen.over + seen.amounts)).toBeWithin(0.04, 0.17)
})

describe('an answer', () => {
  test('is the same for the same question', () => {
    const { schema } = question(drawFrom(3))
    expect(recorderAnswer(schema)).toEqual(recorderAnswer(structuredClone(schema)))
  })

  test('has small amounts', () => {
    const schema = (i: number) => ({
      properties: {
        edits: {
          items: {
            properties: {
              because: { enum: ['You run.'] },
              changes: {
                items: {
                  properties: {
                    path: { const: 'x' },
                    by: { type: 'integer', minimum: -9_999, maximum: 9_999 },
                  },
                },
              },
            },
          },
        },
      },
      title: String(i),
    })
    const amounts = Array.from({ length: 300 }, (_, i) => recorderAnswer(schema(i)) as { edits: Edit[] })
      .flatMap(({ edits }) => edits)
      .flatMap(({ changes }) => changes.map(({ by }) => by))
    expect([...new Set(amounts)].sort()).toEqual([-1, -2, -3, 1, 2, 3])
  })

  test.each([
    [undefined],
    [null],
    [true],
    [{}],
    [{ type: 'object', properties: { answer: { const: 'x' } } }],
    [{ properties: { edits: { items: { properties: { because: {} } } } } }],
  ])('to another schema is empty: %j', (schema) => {
    expect(recorderAnswer(schema)).toEqual({})
  })
})

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { sizeOfJson } from '../../src/lib/json.ts'

/** The same, counted in the value itself. */
function sizeOf(value: unknown): ReturnType<typeof sizeOfJson> {
  if (value === null || typeof value !== 'object') return { depth: 0, values: 1, members: 0 }
  const items = Object.values(value)
  const below = items.map(sizeOf)
  const commas = Math.max(0, items.length - 1)
  return {
    depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
    values: 2 + commas + below.reduce((sum, { values }) => sum + values - 1, 0),
    members: Math.max(
      commas > 0 && !Array.isArray(value) ? items.length : 0,
      ...below.map((one) => one.members),
    ),
  }
}

test('the size of a JSON text is that of its value, whatever its strings contain', () => {
  const text = fc.string({ unit: fc.constantFrom('\\', '"', ',', '{', '[', '}', ']', 'a') })
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      text,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(fc.property(value, (one) => expect(sizeOfJson(JSON.stringify(one))).toEqual(sizeOf(one))))
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { StoryError } from '../../src/domain/errors.ts'
import { parseFile } from '../../src/formats/detect.ts'
import { ReceiptBuilder } from '../../src/formats/shared/receipt.ts'
import { runs } from '../support/depth.ts'
import { cardChunk, pngWith } from '../support/files/card-png.ts'
import { BUCKETS, faultsOf } from '../support/files/receipt-faults.ts'
import { mutated } from './mutations.ts'
import { read, SAMPLES, sample, sampleText } from './samples.ts'

/** What a file is to its receipt: JSON as it is, a chat line by line. */
function fileOf(name: string, text: string): unknown {
  if (!name.endsWith('.jsonl')) return JSON.parse(text)
  const values = text.split('\n').filter((line) => line.trim() !== '')
  return { lines: values.map((line) => tolerant(line)) }
}

function tolerant(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

describe('every key of a file is in exactly one list', () => {
  for (const { name } of SAMPLES.filter(({ name }) => /\.jsonl?$/.test(name)))
    test(name, () => {
      const text = sampleText(name)
      const { receipt } = read(text)
      expect(faultsOf(fileOf(name, text), receipt)).toEqual([])
    })

  test('of a picture, whose text chunks are its keys', () => {
    const [first, third] = [sample('card-v2.json'), sample('card-v3.json')]
    const note = { type: 'tEXt', data: Buffer.from('Software\0a brush') }
    const chunks = [cardChunk('chara', first, 'tEXt'), note, cardChunk('ccv3', third, 'zTXt')]
    const { receipt } = parseFile(pngWith(chunks), 'odo.png')
    const file = { chara: '', Software: '', ccv3: third, picture: '' }
    expect(faultsOf(file, receipt)).toEqual([])
    expect(receipt.dropped.map(({ path }) => path)).toEqual(expect.arrayContaining(['chara', 'Software']))
    expect(receipt.taken).toContainEqual({ path: 'picture', note: 'Picture.' })
  })

  test('of files that somebody has meddled with', () => {
    const texts = SAMPLES.filter(({ name }) => name.endsWith('.json')).map(({ name }) => sampleText(name))
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
        (text, dice) => {
          const file = mutated(JSON.parse(text), dice)
          try {
            expect(faultsOf(file, read(file).receipt)).toEqual([])
          } catch (error) {
            if (!(error instanceof StoryError)) throw error
          }
        },
      ),
      { numRuns: runs(3_000) },
    )
  })
})

describe('a receipt', () => {
  test('counts every key once, whatever was judged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.infiniteStream(fc.nat(9)), (value, dice) => {
        const root = { top: value }
        const reading = new ReceiptBuilder()
        judgeAtRandom(reading, root, () => dice.next().value ?? 0)
        expect(faultsOf(root, reading.build(root))).toEqual([])
      }),
    )
  })

  test('names alike places once, with their count', () => {
    const { receipt } = read(Array.from({ length: 40 }, (_, i) => ({ keys: 'a', value: 'b', odd: i })))
    expect(receipt.taken).toContainEqual({ path: '[].keys', note: 'Triggers. (40 places)' })
    expect(receipt.dropped).toEqual([{ path: '[].odd', note: 'Not supported. (40 places)' }])
  })

  test('folds keys of one kind into a line, place by place', () => {
    const { receipt } = read({
      entries: [
        { key: 'a', content: 'b', x: 1, y: 2, z: 3 },
        { key: 'c', content: 'd', x: 1 },
      ],
    })
    expect(receipt.dropped).toEqual([{ path: 'entries[].{x, y, z}', note: 'Not supported. (3 keys)' }])
  })

  test('names the first place of each fate where alike places fared differently', () => {
    const { receipt } = read([
      { keys: 'a', value: 'b' },
      { keys: 'a', value: 'x'.repeat(50_001) },
      { keys: 'a', value: 'b' },
    ])
    expect(receipt.taken).toContainEqual({ path: '[0].value', note: 'Entry. (and 1 more like it)' })
    expect(receipt.changed).toEqual([{ path: '[1].value', note: 'Entry, shortened to 50000 characters.' }])
  })

  test('is short, whatever a file holds', () => {
    const keys = Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [`key${i}`, i]))
    const { receipt } = read({ title: 'Wide', prompt: 'x', memory: '', ...keys })
    expect(receipt.dropped).toHaveLength(9)
    expect(receipt.dropped[0]).toEqual({
      path: `{${Array.from({ length: 40 }, (_, i) => `key${i}`).join(', ')}}`,
      note: 'Not supported. (40 keys)',
    })
    expect(receipt.dropped.at(-1)).toEqual({ path: '…', note: 'And 14700 more.' })
  })

  test('shows odd keys so that they can be distinguished', () => {
    const { receipt } = read(`{"memory":"x","prompt":"y","__proto__":1,"a.b":2,"":3,"${'k'.repeat(99)}":4}`)
    expect(receipt.dropped.map(({ path }) => path)).toEqual([
      '__proto__',
      `${'k'.repeat(60)}…`,
      '["a.b"]',
      '[""]',
    ])
  })
})

function judgeAtRandom(reading: ReceiptBuilder, holder: object, roll: () => number): void {
  reading.expand(holder as Record<string, unknown>)
  for (const [key, value] of Object.entries(holder)) {
    const dice = roll()
    const bucket = BUCKETS[dice]
    if (bucket) reading.note(bucket, holder as Record<string, unknown>, key, 'Because.')
    if (value !== null && typeof value === 'object' && dice % 2 === 0) judgeAtRandom(reading, value, roll)
  }
}

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { StoryError } from '../../src/domain/errors.ts'
import { addTo, emptyReceipt } from '../../src/domain/portable/receipt.ts'
import { parseFile } from '../../src/formats/detect.ts'
import { ReceiptBuilder } from '../../src/formats/shared/receipt.ts'
import { runs } from '../support/depth.ts'
import { cardChunk, pngWith } from '../support/files/card-png.ts'
import { faultsOf, keysIn } from '../support/files/receipt-faults.ts'
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

describe('nothing of a file is lost unsaid', () => {
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
    const file = { chara: true, Software: true, ccv3: third, picture: true }
    expect(faultsOf(file, receipt)).toEqual([])
    expect(keysIn(receipt.left)).toEqual(expect.arrayContaining(['chara', 'Software']))
    expect(keysIn(receipt.came)).toContain('picture')
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
  test('says every place of a file, whatever was judged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.infiniteStream(fc.nat(9)), (value, dice) => {
        const root = { top: value }
        const reading = new ReceiptBuilder()
        judgeAtRandom(reading, root, () => dice.next().value ?? 0)
        expect(faultsOf(root, reading.build(root))).toEqual([])
      }),
    )
  })

  test('says alike things once, with their count and where they stand', () => {
    const { receipt } = read(
      Array.from({ length: 40 }, (_, i) => ({ keys: 'a', value: 'b', odd: i + 1, strange: i === 0 })),
    )
    expect(receipt.came).toContainEqual({ what: 'Triggers', count: 40, keys: ['[].keys'] })
    expect(receipt.left).toEqual([{ what: 'Not used', count: 41, keys: ['[].odd', '[].strange'] }])
  })

  test('counts the items of a list that come in', () => {
    const { receipt } = read({ entries: [{ key: 'a', content: 'b' }, { key: 'c' }, { content: 'd' }, 5] })
    expect(receipt.came).toContainEqual({ what: 'Story cards', count: 2, keys: ['entries'] })
    expect(receipt.left).toEqual([
      { what: 'Empty entry', count: 1, keys: ['entries[]'] },
      { what: 'Not a valid item', count: 1, keys: ['entries[]'] },
    ])
  })

  test('has alike places that fared differently in two sections', () => {
    const { receipt } = read([
      { keys: 'a', value: 'b' },
      { keys: 'a', value: 'x'.repeat(50_001) },
      { keys: 'a', value: 'b' },
    ])
    expect(receipt.came).toContainEqual({ what: 'Entry', count: 2, keys: ['[].value'] })
    expect(receipt.changed).toMatchObject([{ count: 1, keys: ['[].value'] }])
  })

  test('does not mention an unknown key without a value', () => {
    for (const odd of [null, '', ' ', false, 0, [], {}])
      expect(read({ title: 'A', prompt: 'x', memory: '', odd }).receipt.left).toEqual([])
  })

  test('is short, whatever a file holds', () => {
    const keys = Object.fromEntries(Array.from({ length: 15_000 }, (_, i) => [`key${i}`, 1]))
    const { receipt } = read({ title: 'Wide', prompt: 'x', memory: '', ...keys })
    expect(receipt.left).toMatchObject([{ count: 15_000 }])
    expect(receipt.left[0]?.keys).toEqual([...Object.keys(keys).slice(0, 100), '…'])
  })

  test('is short, however many things a file has', () => {
    const receipt = emptyReceipt()
    for (let i = 0; i < 300; i++) addTo(receipt, 'left', { what: `thing ${i}`, count: 2, keys: ['a'] })
    expect(receipt.left).toHaveLength(101)
    expect(receipt.left.at(-1)).toEqual({ what: '…', count: 400, keys: ['a'] })
  })

  test('shows odd keys so that they can be distinguished', () => {
    const { receipt } = read(`{"memory":"x","prompt":"y","__proto__":1,"a.b":2,"":3,"${'k'.repeat(99)}":4}`)
    expect(keysIn(receipt.left)).toEqual(['__proto__', '["a.b"]', '[""]', `${'k'.repeat(60)}…`])
  })
})

const SECTIONS = ['came', 'changed', 'left'] as const

function judgeAtRandom(reading: ReceiptBuilder, holder: object, roll: () => number): void {
  reading.expand(holder as Record<string, unknown>)
  for (const [key, value] of Object.entries(holder)) {
    const dice = roll()
    const section = SECTIONS[dice]
    if (section) reading.note(section, 'Because', holder as Record<string, unknown>, key)
    if (value !== null && typeof value === 'object' && dice % 2 === 0) judgeAtRandom(reading, value, roll)
  }
}

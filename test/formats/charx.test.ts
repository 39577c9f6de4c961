import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { StoryError } from '../../src/domain/errors.ts'
import { makeCharx } from '../../src/formats/character-card/make-card.ts'
import { parseFile } from '../../src/formats/detect.ts'
import { bytesInMemory } from '../../src/formats/zip/byte-source.ts'
import { makeZip, type ZipEntry } from '../../src/formats/zip/make-zip.ts'
import { readZip } from '../../src/formats/zip/read-zip.ts'
import { concatBytes } from '../../src/lib/bytes.ts'
import { runs } from '../support/depth.ts'
import { noisyPng, PICTURE } from '../support/files/card-png.ts'
import { jpeg } from '../support/files/pictures.ts'
import { readUpload } from '../support/files/planned.ts'
import { AT, LAMP_ROAD } from '../support/files/portable.ts'
import { keysIn } from '../support/files/receipt-faults.ts'
import { bytesOf, sample } from './samples.ts'

const ICON = new Uint8Array(Buffer.from(PICTURE, 'base64'))
const zip = (...entries: ZipEntry[]) => concatBytes([...makeZip(entries)])

function card(uri = 'embeded://assets/icon/images/0.png') {
  const third = sample('card-v3.json')
  return { ...third, data: { ...third.data, assets: [{ type: 'icon', name: 'main', ext: 'png', uri }] } }
}

const charx = (icon: Uint8Array = ICON, uri?: string) =>
  zip(
    { name: 'card.json', bytes: bytesOf(card(uri)) },
    { name: 'assets/icon/images/0.png', bytes: icon, stored: true },
    { name: '../../etc/passwd', bytes: bytesOf('x') },
  )

function refusal(bytes: Uint8Array): string {
  try {
    parseFile(bytes, 'a.charx')
  } catch (error) {
    if (error instanceof StoryError) return error.message
    throw error
  }
  return 'It was read.'
}

/** An archive with the number at an offset of its first directory entry replaced. */
function lying(bytes: Uint8Array, offset: number, value: number): Uint8Array {
  const copy = new Uint8Array(bytes)
  const view = new DataView(copy.buffer)
  const start = view.getUint32(copy.length - 6, true)
  view.setUint32(start + offset, value, true)
  return copy
}

/** An archive whose entries all have the bytes of its first one, of 256 KB. */
function shared(count: number): Uint8Array {
  const whole = zip({ name: 'a', bytes: new Uint8Array(256 * 1024) })
  const end = whole.length - 22
  const start = new DataView(whole.buffer).getUint32(whole.length - 6, true)
  const entries = Array.from({ length: count }, () => whole.slice(start, end))
  const record = whole.slice(end)
  const view = new DataView(record.buffer)
  for (const at of [8, 10]) view.setUint16(at, count, true)
  view.setUint32(12, count * (end - start), true)
  return concatBytes([whole.slice(0, start), ...entries, record])
}

/** The fields of a directory entry that may stand in its ZIP64 field, in their order there. */
const [SIZE, PACKED, OFFSET] = [24, 20, 42]

/** An archive of one file, with some numbers of its entry moved to a ZIP64 field, and its end to a ZIP64 record. */
function zip64(bytes: Uint8Array, fields: readonly number[], change = (wide: bigint[]) => wide): Uint8Array {
  const end = new DataView(bytes.buffer, bytes.length - 22)
  const [size, start] = [end.getUint32(12, true), end.getUint32(16, true)]
  const entry = Buffer.from(bytes.slice(start, start + size))
  const wide = change(fields.map((field) => BigInt(entry.readUInt32LE(field))))
  for (const field of fields) entry.writeUInt32LE(2 ** 32 - 1, field)
  entry.writeUInt16LE(fields.length > 0 ? 9 + wide.length * 8 : 0, 30)
  const longs = (...values: bigint[]) => {
    const buffer = Buffer.alloc(values.length * 8)
    for (const [i, value] of values.entries()) buffer.writeBigUInt64LE(value, i * 8)
    return buffer
  }
  // Another field stands before it.
  const extra =
    fields.length > 0 ? [Buffer.from([9, 9, 1, 0, 7, 1, 0, wide.length * 8, 0]), longs(...wide)] : []
  const directory = Buffer.concat([entry, ...extra])
  const at = BigInt(start + directory.length)
  const record = [
    Buffer.from('PK\x06\x06'),
    longs(44n),
    Buffer.alloc(12),
    longs(1n, 1n, BigInt(directory.length), BigInt(start)),
  ]
  const locator = [Buffer.from('PK\x06\x07'), Buffer.alloc(4), longs(at), Buffer.from([1, 0, 0, 0])]
  const last = Buffer.concat([
    Buffer.from('PK\x05\x06'),
    Buffer.alloc(4),
    Buffer.alloc(12, 255),
    Buffer.alloc(2),
  ])
  return concatBytes([bytes.slice(0, start), directory, ...record, ...locator, last])
}

test('a scenario is written as an archive with its picture, and read back whole', () => {
  const scenario = { ...LAMP_ROAD, image: `data:image/png;base64,${PICTURE}` }
  const bytes = concatBytes([...makeCharx(scenario, ICON, AT)])
  const files = readZip(bytesInMemory(bytes))
  if (typeof files === 'string') throw new Error(files)
  expect(files.map(({ name }) => name)).toEqual(['card.json', 'assets/icon/images/main.png'])
  expect(files[1]?.read()).toEqual(ICON)
  const { spec, data } = JSON.parse(new TextDecoder().decode(files[0]?.read() ?? ICON))
  expect(spec).toBe('chara_card_v3')
  expect(data.assets).toEqual([
    { type: 'icon', uri: 'embeded://assets/icon/images/main.png', name: 'main', ext: 'png' },
  ])
  expect(parseFile(bytes, 'a').scenarios).toEqual([scenario])
  const { inglenook: _, ...extensions } = data.extensions
  const foreign = zip(
    { name: 'card.json', bytes: bytesOf({ spec, data: { ...data, extensions } }) },
    { name: 'assets/icon/images/main.png', bytes: ICON },
  )
  expect(parseFile(foreign, 'a').scenarios[0]).toMatchObject({ title: scenario.title, image: scenario.image })
})

test('a module of RisuAI is named, with a way out where its lore is in no other file', () => {
  const third = sample('card-v3.json')
  const { character_book, ...data } = third.data
  expect(character_book.entries).toBeArray()
  const noteOf = (value: object) => {
    const files = [
      { name: 'card.json', bytes: bytesOf({ ...third, data: value }) },
      { name: 'module.risum', bytes: bytesOf('o') },
    ]
    const { left } = parseFile(zip(...files), 'a.charx').receipt
    return left.find(({ keys }) => keys.includes('["module.risum"]'))?.what
  }
  expect(noteOf(third.data)).toMatch(/its lore is in card.json/)
  expect(noteOf(data)).toMatch(/export its lorebook there as JSON/)
})

describe('a character card in an archive', () => {
  test('comes with its icon as cover, and every file is in the receipt', () => {
    const { kind, scenarios, receipt } = parseFile(charx(), 'a')
    expect(kind).toBe('character-card')
    expect(scenarios[0]).toMatchObject({ title: 'Odo Marr', image: `data:image/png;base64,${PICTURE}` })
    expect(receipt.came).toContainEqual({
      what: 'Picture',
      count: 1,
      keys: ['["assets/icon/images/0.png"]'],
    })
    expect(keysIn(receipt.left)).toContain('["../../etc/passwd"]')
  })

  test('is found behind a picture', async () => {
    const behind = concatBytes([await jpeg(), charx()])
    expect(parseFile(behind, 'a').scenarios[0]).toMatchObject({
      title: 'Odo Marr',
      image: expect.stringMatching(/^data/),
    })
  })

  test('has a large icon scaled down, and one that is missing left out', async () => {
    const { preview, files } = await readUpload({ bytes: charx(noisyPng(400, 300)), name: 'a' })
    expect(files[0]?.scenarios[0]?.image).toStartWith('data:image/webp')
    expect(preview.receipt.changed).toContainEqual({
      what: expect.stringContaining('scaled down'),
      count: 1,
      keys: ['["assets/icon/images/0.png"]'],
    })
    expect(parseFile(charx(ICON, 'embeded://elsewhere.png'), 'a').scenarios[0]?.image).toBe('')
  })

  const single = () => zip({ name: 'card.json', bytes: bytesOf(card()) })
  for (const fields of [[], [SIZE], [SIZE, PACKED], [OFFSET], [SIZE, PACKED, OFFSET]])
    test(`is read with ${fields.length} of its numbers in a ZIP64 field (${fields})`, async () => {
      for (const before of [new Uint8Array(), await jpeg()])
        expect(parseFile(concatBytes([before, zip64(single(), fields)]), 'a').scenarios[0]).toMatchObject({
          title: 'Odo Marr',
        })
    })

  const all = [SIZE, PACKED, OFFSET]
  const refused: [what: string, bytes: () => Uint8Array, sentence: RegExp][] = [
    [
      'of ZIP64 that says it holds exabytes',
      () => zip64(single(), all, (wide) => wide.with(0, 2n ** 64n - 1n)),
      /more/,
    ],
    [
      'of ZIP64 packed too tightly',
      () => zip64(single(), all, (wide) => wide.with(0, 10_000_000n)),
      /tightly/,
    ],
    [
      'of ZIP64 whose file is longer than it says',
      () => zip64(single(), all, (wide) => wide.with(0, 20n)),
      /card.json/,
    ],
    [
      'of ZIP64 whose file lies elsewhere',
      () => zip64(single(), all, (wide) => wide.with(2, 2n ** 40n)),
      /card.json/,
    ],
    ['of ZIP64 whose numbers are missing', () => zip64(single(), all, () => []), /more/],
    ['of ZIP64 that is cut off', () => zip64(single(), all).slice(0, -30), /broken/],
    ['without a card', () => zip({ name: 'a.txt', bytes: bytesOf('x') }), /no character card/],
    ['with another card.json', () => zip({ name: 'card.json', bytes: bytesOf('[1]') }), /no character card/],
    ['cut off', () => charx().slice(0, -30), /broken/],
    [
      'with more files than any card',
      () => zip(...Array.from({ length: 2_001 }, () => ({ name: 'a', bytes: ICON }))),
      /more/,
    ],
    ['with a long name', () => zip({ name: 'a'.repeat(301), bytes: ICON }), /more/],
    ['packed too tightly', () => zip({ name: 'card.json', bytes: new Uint8Array(10_000_000) }), /tightly/],
    ['of many files with the same few bytes', () => shared(400), /tightly/],
    ['that says it holds gigabytes', () => lying(charx(), 24, 2 ** 32 - 1), /more/],
    ['whose file is longer than it says', () => lying(charx(), 24, 20), /card.json/],
    ['whose file lies elsewhere', () => lying(charx(), 42, 2 ** 31), /card.json/],
  ]
  for (const [what, bytes, sentence] of refused) test(what, () => expect(refusal(bytes())).toMatch(sentence))

  test('that is a bomb is not unpacked', () => {
    const bomb = lying(zip({ name: 'card.json', bytes: new Uint8Array(60_000_000) }), 24, 200_000)
    const before = process.memoryUsage().rss
    expect(refusal(bomb)).toMatch(/card.json/)
    expect(process.memoryUsage().rss - before).toBeLessThan(30 * 1024 * 1024)
  })

  test('ten thousand that somebody has meddled with are read or refused', () => {
    const archives = [charx(), zip64(single(), all)]
    fc.assert(
      fc.property(
        fc.constantFrom(...archives),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
        fc.nat(),
        (whole, flips, cut) => {
          const bytes = whole.slice(0, cut % 3 === 0 ? cut % whole.length : whole.length)
          for (const [at, byte] of flips) if (bytes.length > 0) bytes[at % bytes.length] = byte
          const files = readZip(bytesInMemory(bytes))
          if (typeof files !== 'string') for (const { read } of files) read()
          expect(refusal(bytes)).toMatch(/\.$/)
        },
      ),
      { numRuns: runs(10_000) },
    )
  })
})

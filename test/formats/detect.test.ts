import { describe, expect, test } from 'bun:test'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { StoryError } from '../../src/domain/errors.ts'
import { MAX_IMPORT_BYTES } from '../../src/domain/limits.ts'
import { parseFile } from '../../src/formats/detect.ts'
import { titleFrom } from '../../src/formats/file-name.ts'
import { runs } from '../support/depth.ts'
import { cardChunk, headerOf, pngWith } from '../support/files/card-png.ts'
import { mutated } from './mutations.ts'
import { bytesOf, read, SAMPLES, sample, sampleText } from './samples.ts'

/** The sentence with which a file is refused. */
function refusal(bytes: Uint8Array): string {
  try {
    parseFile(bytes, 'a file')
  } catch (error) {
    if (error instanceof StoryError && error.code === 'import_refused') return error.message
    throw error
  }
  return 'It was read.'
}

describe('a file is known by its bytes', () => {
  for (const { name, kind, bytes } of SAMPLES)
    test(name, () => expect(parseFile(bytes, 'misleading.png.json').kind).toBe(kind))

  test('there are 30 samples and more, three of each format at least', () => {
    const counts = Map.groupBy(SAMPLES, ({ kind }) => kind)
    expect(SAMPLES.length).toBeGreaterThan(30)
    expect(counts.size).toBe(21)
    for (const [kind, samples] of counts) expect([kind, samples.length >= 3]).toEqual([kind, true])
  })

  test('a byte order mark in front changes nothing', () => {
    const text = sampleText('card-v1.json')
    expect(read(`\ufeff${text}`)).toEqual(read(text))
  })

  test('its name gives a title to what has none', () => {
    expect(read(sampleText('kobold-chat.json'), 'C:\\saves\\A night.json').adventures[0]?.title).toBe(
      'A night',
    )
    expect([titleFrom('../../etc/passwd'), titleFrom(''), titleFrom('x'.repeat(999)).length]).toEqual([
      'passwd',
      'Imported',
      200,
    ])
  })
})

describe('what is refused, and why', () => {
  const zip = Buffer.from('PK\x03\x04card.json')
  const cases: [what: string, bytes: Uint8Array, sentence: RegExp][] = [
    ['nothing', new Uint8Array(), /empty/],
    ['too much', new Uint8Array(MAX_IMPORT_BYTES + 1), /larger than 20 MB/],
    ['a zip that is cut off', new Uint8Array(zip), /zip archive is broken/],
    ['a packed nothing', new Uint8Array(gzipSync('{}')), /no story/],
    ['a packed file that is cut off', new Uint8Array(gzipSync('{"a": 1}')).slice(0, 12), /broken/],
    ['a packed bomb', new Uint8Array(gzipSync(new Uint8Array(70_000_000))), /more than 64 MB/],
    ['a library', bytesOf('SQLite format 3\0 and more'), /whole library/],
    ['a JPEG', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2]), /does not contain a character/],
    ['a WebP', bytesOf('RIFF1234WEBPVP8 '), /does not contain a character/],
    ['a PNG without a card', pngWith([]), /does not contain a character/],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), /UTF-8/],
    ['UTF-16', new Uint8Array(Buffer.from('\ufeff{"a":1}', 'utf16le')), /UTF-16/],
    ['a broken character in YAML', bytesOf('name: Odo\ngreeting: "Sit.\n'), /YAML/],
    ['one that holds itself', bytesOf('name: &a\n  b: *a\ngreeting: x\n'), /YAML/],
    [
      'one that holds far more',
      bytesOf(`name: Odo\ngreeting: x\na: &a [${'x,'.repeat(9_000)}]\nb: [${'*a,'.repeat(9_000)}]\n`),
      /YAML/,
    ],
    [
      'settings in YAML',
      bytesOf('# mine\nservices:\n  web:\n    image: x\nports: [1]\n'),
      /YAML, but no character/,
    ],
    ['spaces', bytesOf(' \n'), /no words/],
    ['signs of no text', bytesOf('Once\0upon'), /not text/],
    ['other archives', bytesOf('Rar!\x1a\x07'), /RAR/],
    ['half a file', bytesOf(sampleText('card-v2.json').slice(0, 300)), /cut off/],
    ['personas', bytesOf('{"persona_descriptions": {}}'), /personas of SillyTavern/],
    ['a number', bytesOf('5'), /no story that Inglenook can read/],
    ['null', bytesOf('null'), /no story/],
    ['an empty list', bytesOf('[]'), /no story/],
    ['an empty object', bytesOf('{}'), /no story/],
    ['a list without cards', bytesOf('[1,"a",{"b":1}]'), /no story/],
    ['cards without a word', bytesOf('{"cards":[{"keys":" ","value":""},5]}'), /no story card with text/],
    ['a title', bytesOf('{"title":"My shopping app"}'), /no story/],
    ['a title and a prompt', bytesOf('{"title":"x","prompt":"y","type":"object"}'), /no story/],
    ['two texts and neither title nor opening', bytesOf('{"memory":"a","authors_note":"b"}'), /no story/],
    ['a schema', bytesOf('{"title":"x","properties":{"prompt":{},"memory":{}}}'), /no story/],
    ['texts that are none', bytesOf('{"prompt":{},"memory":[],"storyCards":{}}'), /no story/],
    ['names and values', bytesOf('[{"name":"a","value":"b"}]'), /no story/],
    ['cards of a game', bytesOf('{"cards":[{"title":"Ace","value":11}]}'), /no story/],
    ['news', bytesOf('{"entries":[{"title":"a","content":"b"}]}'), /no story/],
    ['a tool', bytesOf('{"prompt":"x","actions":[{"name":"a"}]}'), /no story/],
    ['an unknown format', bytesOf('{"format":"ai-dnd-adventure-v9","title":"x"}'), /ai-dnd-adventure-v9/],
    ['NaN', bytesOf('{"title":"x","prompt":NaN}'), /begins like JSON/],
    ['a newer version of ours', bytesOf('{"format":"inglenook-scenario","version":2}'), /newer Inglenook/],
    ['no version of ours', bytesOf('{"format":"inglenook-adventure","version":"1"}'), /which format version/],
    ['a chat without a word', bytesOf('{"user_name":"a"}\n{"mes":""}'), /no message/],
    ['a book without a word', bytesOf('{"entries":{"0":{"key":["a"],"content":""}}}'), /no entry/],
    ['brackets without end', bytesOf('['.repeat(1_000_000)), /deeper than 100/],
    ['nested objects', bytesOf(`{"title":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`), /deeper than 100/],
    ['millions of values', bytesOf(`[${'1,'.repeat(2_500_000)}1]`), /more values/],
    [
      'more cards than any book has',
      bytesOf(`[${'{"keys":"","value":"a"},'.repeat(10_000)}{}]`),
      /more than 10000/,
    ],
    [
      'more memories than any story has',
      bytesOf(`{"format":"ai-dnd-adventure-v1","memories":[${'{},'.repeat(20_000)}{}]}`),
      /its list “memories” is of more than 20000/,
    ],
    ['a picture that is cut off', pngWith([]).subarray(0, 40), /cut off/],
    [
      'a picture with a broken card',
      pngWith([{ type: 'tEXt', data: Buffer.from('chara\0{') }]),
      /text “chara”/,
    ],
    ['a deep line of a chat', bytesOf(`{"mes":"a"}\n${'['.repeat(500)}`), /deeper than 100/],
  ]
  for (const [what, bytes, sentence] of cases)
    test(what, () => {
      const said = refusal(bytes)
      expect(said).toMatch(sentence)
      expect(said).toMatch(/\.$/)
    })
})

describe('names of every object are names like any other', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']
  for (const name of names)
    test(name, () => {
      const own = sampleText('own-adventure-counted.json')
        .replaceAll('Your name', name)
        .replaceAll('"lamp"', `"${name}"`)
      const [adventure] = read(own).adventures
      expect(Object.entries(adventure?.placeholders ?? {})).toEqual([[name, 'Mira']])
      for (const { bytes } of SAMPLES)
        try {
          parseFile(bytesOf(`{"${name}":{"polluted":true},${new TextDecoder().decode(bytes).slice(1)}`), 'x')
        } catch (error) {
          expect(error).toBeInstanceOf(StoryError)
        }
      expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    })
})

describe('a character in a picture', () => {
  const [second, third] = [sample('card-v2.json'), sample('card-v3.json')]
  const title = (bytes: Uint8Array) => parseFile(bytes, 'x.png').scenarios[0]?.title

  for (const how of ['tEXt', 'zTXt', 'iTXt', 'iTXt packed'] as const) {
    test(`is found in ${how}, before its pixels and behind them`, () => {
      expect(title(pngWith([cardChunk('chara', second, how)]))).toBe('Odo')
      expect(title(pngWith([], [cardChunk('Chara', second, how)]))).toBe('Odo')
    })
  }

  test('is read as JSON too, in the encoding of PNG or in UTF-8', () => {
    const json = JSON.stringify({ ...second, data: { ...second.data, name: 'Müller' } })
    for (const encoding of ['utf8', 'latin1'] as const)
      expect(title(pngWith([{ type: 'tEXt', data: Buffer.from(`chara\0${json}`, encoding) }]))).toBe('Müller')
  })

  test('is taken from the newer of two chunks, wherever they stand', () => {
    const old = { ...second, data: { ...second.data, name: 'Old' } }
    expect(title(pngWith([cardChunk('chara', old, 'tEXt')], [cardChunk('ccv3', third, 'tEXt')]))).toBe(
      'Odo Marr',
    )
    expect(title(pngWith([cardChunk('ccv3', third, 'tEXt')], [cardChunk('chara', old, 'tEXt')]))).toBe(
      'Odo Marr',
    )
  })

  test('is taken from the older chunk when the newer one is broken', () => {
    const broken = { type: 'tEXt', data: Buffer.from('ccv3\0!!!') }
    expect(title(pngWith([broken, cardChunk('chara', second, 'tEXt')]))).toBe('Odo')
  })

  test('needs no true checksum, and may have text chunks beside it', () => {
    const other = { type: 'tEXt', data: Buffer.from('parameters\0a night market') }
    expect(title(pngWith([other, { ...cardChunk('chara', second, 'tEXt'), isWrong: true }]))).toBe('Odo')
  })

  test('may be plain JSON, base64 with line breaks, or base64 of the other alphabet', () => {
    const json = JSON.stringify(second)
    const base64 = Buffer.from(json).toString('base64')
    for (const text of [json, base64.replace(/.{60}/g, '$&\n'), Buffer.from(json).toString('base64url')])
      expect(title(pngWith([{ type: 'tEXt', data: Buffer.from(`chara\0${text}`) }]))).toBe('Odo')
  })

  test('brings its picture along, without the character in it', () => {
    const [scenario] = parseFile(pngWith([cardChunk('chara', second, 'tEXt')]), 'x.png').scenarios
    expect(scenario?.image).toStartWith('data:image/png;base64,')
    expect(Buffer.from(scenario?.image.split(',')[1] ?? '', 'base64').includes('chara')).toBe(false)
  })

  test('comes without a picture that is broken, animated or far too large', () => {
    const card = cardChunk('chara', second, 'tEXt')
    const whole = pngWith([card])
    const pictures = [
      pngWith([card], [], headerOf(100_000, 100_000)),
      pngWith([card], [], headerOf(0, 2)),
      pngWith([card, { type: 'acTL', data: new Uint8Array(8) }]),
      new Uint8Array(Buffer.concat([whole, Buffer.from('<script>')])),
      whole.subarray(0, whole.length - 12),
    ]
    for (const bytes of pictures) {
      const { scenarios, receipt } = parseFile(bytes, 'x.png')
      expect(scenarios[0]).toMatchObject({ title: 'Odo', image: '' })
      expect(receipt.left).toContainEqual({
        what: expect.stringContaining('too large'),
        count: 1,
        keys: ['picture'],
      })
    }
  })

  test('that unpacks to more than any card is refused', () => {
    const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024, 'A'))
    for (const type of ['zTXt', 'iTXt']) {
      const head = type === 'zTXt' ? 'chara\0\0' : 'chara\0\x01\0\0\0'
      const chunk = { type, data: Buffer.concat([Buffer.from(head, 'latin1'), bomb]) }
      const before = process.memoryUsage().rss
      expect(refusal(pngWith([chunk]))).toMatch(/cannot be read/)
      expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 * 1024)
    }
  })

  test('that is cut off is refused, or read as far as it goes', () => {
    const bytes = pngWith([cardChunk('chara', second, 'tEXt')])
    for (let length = 8; length < bytes.length; length += 41)
      expect(['It was read.', 'cannot', 'cut off']).toContainEqual(
        expect.stringMatching(
          refusal(bytes.subarray(0, length)).match(/read\.|cannot|cut off/)?.[0] ?? 'nothing',
        ),
      )
  })
})

describe('ten thousand files that somebody has meddled with', () => {
  const outcome = (bytes: Uint8Array): string => {
    try {
      parseFile(bytes, 'fuzz')
      return 'read'
    } catch (error) {
      if (error instanceof StoryError) return error.code
      throw error
    }
  }
  const known = ['read', 'import_refused']

  test('bits that flipped and ends that went', () => {
    const dice = fc.record({
      file: fc.constantFrom(...SAMPLES),
      flips: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 20 }),
      keep: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    })
    fc.assert(
      fc.property(dice, ({ file, flips, keep }) => {
        const bytes = file.bytes.slice(0, keep === null ? undefined : Math.floor(keep * file.bytes.length))
        for (const [at, byte] of flips) if (bytes.length > 0) bytes[at % bytes.length] = byte
        expect(known).toContain(outcome(bytes))
      }),
      { numRuns: runs(4_000) },
    )
  })

  test('values that nobody expects, in files and in pictures', () => {
    const files = SAMPLES.filter(({ name }) => name.endsWith('.json')).map(({ name }) => sample(name))
    const dice = fc.array(fc.nat(), { minLength: 1, maxLength: 25 })
    fc.assert(
      fc.property(fc.constantFrom(...files), dice, fc.boolean(), (file, rolls, isPicture) => {
        const changed = mutated(file, rolls)
        const bytes = isPicture ? pngWith([cardChunk('ccv3', changed, 'zTXt')]) : bytesOf(changed)
        expect(known).toContain(outcome(bytes))
      }),
      { numRuns: runs(5_000) },
    )
  })

  test('lines of chats', () => {
    const lines = ['chat-swipes.jsonl', 'chat-old.jsonl', 'chat-broken.jsonl'].flatMap((name) =>
      sampleText(name).split('\n'),
    )
    const dice = fc.array(fc.tuple(fc.constantFrom(...lines), fc.array(fc.nat(), { maxLength: 6 })), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(dice, (chosen) => {
        const text = chosen.map(([line, rolls]) => meddledLine(line, rolls)).join('\n')
        expect(known).toContain(outcome(bytesOf(text)))
      }),
      { numRuns: runs(1_500) },
    )
  })

  function meddledLine(line: string, rolls: number[]): string {
    try {
      return JSON.stringify(mutated(JSON.parse(line), rolls)) ?? ''
    } catch {
      return line
    }
  }

  test('checksums are computed as the standard says, so that these pictures are pictures', () => {
    expect(crc32('IEND').toString(16)).toBe('ae426082')
  })
})

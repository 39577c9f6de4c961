import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PathResolver } from '../../../../src/domain/world/path-resolver.ts'
import { parseAnswer } from '../../../../src/domain/world/recorder/answer.ts'
import { referee } from '../../../../src/domain/world/referee.ts'
import { readRules } from '../../../../src/domain/world/rules.ts'
import { instantiate } from '../../../../src/domain/world/state.ts'
import { runs } from '../../../support/depth.ts'
import { LANTERN_ROCK } from '../../../support/stories/worlds.ts'

const paths = new PathResolver(readRules(LANTERN_ROCK))
const TOLD =
  'A wave breaks over you, and the cold bites. “Hold on!” Ottoline cries.\n\nYou bar the door; the lamp’s oil — two tins of it — burns low.'
const read = (answer: string, told = TOLD, cut = false) => parseAnswer(answer, cut, told, paths)
const because = 'the cold bites'
const BITES = 'A wave breaks over you, and the cold bites.'
const change = { path: 'player.warmth', by: -4 }
const answered = (because: unknown, ...changes: object[]) => JSON.stringify({ edits: [{ because, changes }] })

describe('an answer', () => {
  const WARMTH = { 'player.warmth': -4 }
  const cases: [what: string, answer: string, delta: object | null][] = [
    ['as it is asked for', answered(because, change), WARMTH],
    [
      'with a path put right',
      answered(because, { ...change, path: 'Player.Warmth' }),
      { 'Player.Warmth': -4 },
    ],
    [
      'of an unknown path',
      answered(because, { ...change, path: 'player.stamina' }),
      { 'player.stamina': -4 },
    ],
    [
      'of a switch',
      answered('you bar the door', { path: 'flags.door_barred', to: true }),
      { 'flags.door_barred': true },
    ],
    [
      'of a text over two lines',
      answered(because, { path: 'player.coat', to: ' wet\n\tthrough ' }),
      { 'player.coat': 'wet through' },
    ],
    ['of no edits', '{"edits": []}', {}],
    ['of a sentence without changes', answered(because), {}],
    ['of an empty object', 'Nothing changed: {}', {}],
    ['in prose', 'You lose four points of warmth.', null],
    ['in prose with brackets', 'Warmth [as told] falls by 4.', null],
    ['that is empty', '', null],
  ]
  for (const [what, answer, delta] of cases)
    test(what, () => {
      const result = read(answer)
      if (delta === null) expect(result).toBeNull()
      else expect(result).toMatchObject({ delta, refused: [] })
    })

  test('has the sentence of each change', () => {
    const both = JSON.stringify({
      edits: [
        { because: 'COLD BITES', changes: [change, { path: 'world.sea', by: 1 }] },
        {
          because: '“Hold on!” Ottoline cries. You bar the door',
          changes: [{ path: 'flags.door_barred', to: true }],
        },
        { because: 'burns low', changes: [{ path: 'Warmth', by: -1 }] },
      ],
    })
    expect(read(both)).toMatchObject({
      delta: { 'player.warmth': -5, 'world.sea': 1 },
      because: {
        'player.warmth': `${BITES} You bar the door; the lamp’s oil — two tins of it — burns low.`,
        'world.sea': BITES,
        'flags.door_barred': '“Hold on!” Ottoline cries. You bar the door',
      },
    })
  })

  test('that breaks off gives the edits that are whole, and is none without any', () => {
    const whole = answered(because, change, { path: 'player.lamp_oil', by: -12 })
    expect(read(whole.slice(0, -7), TOLD, true)?.delta).toEqual({ 'player.warmth': -4 })
    expect(read('{"edits": [', TOLD, true)).toBeNull()
    expect(read('{"edits": []}', TOLD, true)).toBeNull()
  })

  test('with a total in place of a change is refused, and so is a value that is none', () => {
    for (const wrong of [{ to: 28 }, { by: -4, delta: -4 }, { by: { amount: 4 } }, {}])
      expect(read(answered(because, { path: 'player.warmth', ...wrong }))).toMatchObject({
        delta: {},
        refused: [{ verdict: 'refused', path: 'player.warmth', asked: null, reason: 'no change given' }],
      })
  })

  test('adds amounts for one number up, before its cap, and keeps the last of other values', () => {
    const delta = read(
      answered(
        because,
        change,
        { path: 'warmth', by: -6 },
        { path: 'player.coat', to: 'wet' },
        { path: 'player.coat', to: 'soaked' },
        { path: 'flags.door_barred', to: true },
        { path: 'flags.door_barred', to: false },
      ),
    )?.delta
    expect(delta).toEqual({ 'player.warmth': -10, 'player.coat': 'soaked', 'flags.door_barred': false })
    expect(referee(LANTERN_ROCK, instantiate(LANTERN_ROCK), delta, 2).verdicts[0]).toMatchObject({
      verdict: 'limited',
      asked: -10,
      given: -8,
    })
  })

  test('of anything at all throws nothing, and names no inherited path', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), fc.boolean(), (answer, cut) => {
        read(answer, TOLD, cut)
      }),
      { numRuns: runs(5_000) },
    )
    expect(() => read('['.repeat(100_000))).not.toThrow()
    const odd = read(answered(because, { path: '__proto__', by: 1 }))
    expect(Object.getOwnPropertyNames(odd?.delta)).toEqual(['__proto__'])
    expect(referee(LANTERN_ROCK, instantiate(LANTERN_ROCK), odd?.delta, 2).verdicts).toMatchObject([
      { verdict: 'refused', reason: 'unknown path' },
    ])
  })
})

describe('a quote', () => {
  const cases: [because: unknown, told: string, isSaid: boolean][] = [
    ['the cold bites', TOLD, true],
    ['THE COLD, BITES!', TOLD, true],
    ['the  cold\nbites', TOLD, true],
    ['... the cold bites …', TOLD, true],
    ['"Hold on!" Ottoline', TOLD, true],
    ["the lamp's oil - two tins", TOLD, true],
    ['cries. You bar', TOLD, true],
    ['the cold bit', TOLD, true],
    ['the frost bites', TOLD, false],
    ['the cold bites hard', TOLD, false],
    ['the cold ... Ottoline cries', TOLD, false],
    ['you', TOLD, false],
    ['', TOLD, false],
    ['…', TOLD, false],
    [null, TOLD, false],
    [7, TOLD, false],
    [undefined, TOLD, false],
    ['Wer da?', '„Wer da?“, ruft sie, „ist da wer?“', true],
    ['»Wer da«', '„Wer da?“, ruft sie.', true],
    ['GROSSE STRASSE', 'Die große Straße liegt still.', true],
    ['la lampe s’éteint', "Soudain, « la lampe s'éteint » !", true],
    ['тишина', 'И — «тишина».', true],
    ['“Ja”, ruft sie', '„Ja“, ruft sie.', true],
    ['nai\u0308ve hope', 'Your naïve hope', true],
    ['灯が消えた', '「灯が消えた」と彼女は言う。', true],
    ['灯', '灯が消えた', false],
    ['灯は消えない', '「灯が消えた」', false],
    ['ο δρόμος', 'Ο ΔΡΌΜΟΣ είναι άδειος', true],
    ['दीपक बुझ गया', '“दीपक बुझ गया”, वह कहती है।', true],
    ['دخلت القاعة', '«دخلت القاعة» ثم توقفت.', true],
  ]
  for (const [because, told, isSaid] of cases)
    test(`${JSON.stringify(because)} is ${isSaid ? '' : 'not '}in ${JSON.stringify(told.slice(0, 30))}`, () => {
      const result = read(answered(because, change), told)
      const refused = [{ verdict: 'refused', path: 'player.warmth', asked: -4, reason: 'not told' }]
      expect(result).toMatchObject(
        isSaid ? { delta: { 'player.warmth': -4 }, refused: [] } : { delta: {}, refused: refused as never },
      )
    })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Repetition, RepetitionGuard } from '../../../../src/domain/reply/repetition/repetition-guard.ts'
import { formatLine } from '../../../../src/domain/text/player-line.ts'
import { EXCERPTS, TAKEN_FOR_LOOPS } from './loop-excerpts.ts'

const guardAgainst = (passages: readonly string[]) => new RepetitionGuard({ passages, lines: [], notes: [] })

/** Reads a reply in these pieces. */
function read(pieces: readonly string[], earlier: readonly string[] = []): Repetition | null {
  const guard = guardAgainst(earlier)
  for (const piece of pieces) guard.push(piece)
  const found = guard.end()
  const of = guard.toldAgain()
  return found === null && of !== null ? { of, start: 0 } : found
}

/** How many characters were read when the repetition was found. */
function foundAfter(reply: string, earlier: readonly string[] = []): number {
  const guard = guardAgainst(earlier)
  for (let i = 0; i < reply.length; i++) if (guard.push(reply.charAt(i))) return i + 1
  return Infinity
}

const GOOD = 'The bell of the old tower rings over the harbour, and the fishermen look up from their nets. '
const SEA = 'You follow the shore until the lamps of the village are small behind you. '
const LONG = 'You look at the old lighthouse on the far rock and see that its lamp is dark. '
const OTHER = 'The keeper of the lamp has gone down to the sea and has not come back. '
const PASSAGE = `${GOOD}A boy runs down the steps with a letter in his hand, out of breath, and gives it to you without a word. You break the seal. There is nothing inside but a pressed flower, blue as the sea in June, and a date that lies nine days ahead. `
const NEW = `Far out a fishing boat turns into the wind and lowers its brown sail, and three men begin to haul at something heavy that does not want to come up. On the quay a woman with a basket shades her eyes. She counts the gulls above the boat, as her mother did, and what she counts makes her smile for the first time this week. `
const SHORT = 'The two of you wait in the rain until the bell of the tower rings.'
const DOORS = Array.from({ length: 12 }, (_, i) => `You see ${i + 1} doors. `).join('')
const CHINESE =
  '你站在灯塔的门前，海风吹得很冷，远处传来钟声。守塔人没有回来，桌上的灯还亮着，墙上挂着一件湿透的外套。'
const JAPANESE =
  '吾輩は灯台の前に立って、冷たい海の風を聞いている。番人はまだ帰って来ない。机の上には青い手紙が一つ置いてある。'

describe('a loop', () => {
  const cases: [what: string, reply: string, kept: string][] = [
    ['a long sentence again', GOOD + SEA + LONG + LONG, GOOD + SEA + LONG],
    ['a short sentence again and again', GOOD + 'You take the key. '.repeat(9), `${GOOD}You take the key.`], // biome-ignore format: a case a line
    ['two sentences in turn', GOOD + (LONG + OTHER).repeat(3), GOOD + LONG + OTHER],
    ['sentences said twice each', 'You stand in the hall of mirrors. You look at your room. You look at your room. You look at your door. You look at your door. You look at yourself again. You look at yourself again. You look at the lamp. You look at the lamp. ', 'You stand in the hall of mirrors. You look at your room.'], // biome-ignore format: a case a line
    ['a sentence of which a number changes', GOOD + DOORS, `${GOOD}You see 1 doors.`],
    ['a sentence of which a word changes', `${GOOD}${['red', 'blue', 'green', 'black', 'white', 'grey', 'gold', 'brown'].map((color) => `You see a small ${color} door in the wall. `).join('')}`, `${GOOD}You see a small red door in the wall. `], // biome-ignore format: a case a line
    ['a word without an end', `${GOOD}It is ${'very '.repeat(30)}`, GOOD],
    ['words without an end', `${GOOD}You see ${'the door and '.repeat(20)}`, GOOD],
    ['in other case and with other marks', `${GOOD + LONG}**${LONG.trim().toUpperCase()}**!!! `, GOOD + LONG], // biome-ignore format: a case a line
    ['with other apostrophes and accents', `${GOOD}You don't see the café of the old man that is not there at all. You don’t see the cafe\u0301 of the old man that is not there at all. `, `${GOOD}You don't see the café of the old man that is not there at all.`], // biome-ignore format: a case a line
    [
      'items of a list that are the same',
      `${GOOD}\n${'- Open the door.\n'.repeat(30)}`,
      `${GOOD}\n- Open the door.`,
    ],
    ['in Chinese', CHINESE + CHINESE, CHINESE],
    ['in Japanese', JAPANESE + JAPANESE, JAPANESE],
    ['of emoji', `${GOOD}${'😀'.repeat(40)} `, GOOD],
    ['from the first word', 'You take the key. '.repeat(9), ''],
    ['after too little', `Dusk. ${'the door and '.repeat(20)}`, ''],
    ['inside the first sentence', `You see ${'the door and '.repeat(20)}`, ''],
    ['after a quotation', `“${GOOD.trim()}” ${'You take the key. '.repeat(9)}`, `“${GOOD.trim()}” You take the key.`], // biome-ignore format: a case a line
    ['right after a quotation', `“${GOOD.trim()}” You see ${'the door and '.repeat(20)}`, `“${GOOD.trim()}”`], // biome-ignore format: a case a line
    ['after the number of an item', `${GOOD}\n1. You see ${'the door and '.repeat(30)}`, GOOD],
    ['in the next line of a sentence', `${GOOD}You open it,\n${'the door and '.repeat(20)}`, GOOD],
    ['after a line without a full stop', `${GOOD}\nThe old lighthouse\nYou see ${'the door and '.repeat(20)}`, `${GOOD}\nThe old lighthouse`], // biome-ignore format: a case a line
    ['after an abbreviation', `${GOOD}You follow Mr. ${'Brown and Mr. '.repeat(20)}`, GOOD],
  ]
  for (const [what, reply, kept] of cases)
    test(what, () => {
      const loop = read([reply])
      expect([loop?.of, reply.slice(0, loop?.start).trim()]).toEqual(['itself', kept.trim()])
    })

  test('is found at the first sign', () => {
    expect(foundAfter((GOOD + LONG).repeat(8))).toBeLessThanOrEqual((GOOD + LONG).length * 2)
    expect(foundAfter(GOOD + 'You take the key. '.repeat(40))).toBeLessThan(GOOD.length + 5 * 18)
    expect(foundAfter(PASSAGE, [PASSAGE])).toBeLessThan(180)
  })

  test('stays the same when more is read', () => {
    const guard = guardAgainst([])
    const loop = guard.push(GOOD + 'You take the key. '.repeat(9))
    expect(loop).not.toBeNull()
    expect(guard.push('You put it back. Then the storm comes.')).toEqual(loop)
    expect(guard.end()).toEqual(loop)
  })
})

describe('an earlier passage again', () => {
  const changed = PASSAGE.replace('boy', 'girl').replace('seal', 'string').replace('nine', 'eight')
  const own = `The stairs end at an iron door that nobody has opened for years. ${SEA}`
  const cases: [what: string, reply: string, earlier: string[], kept: string][] = [
    ['word for word', PASSAGE, [SEA, PASSAGE, LONG], ''],
    ['with a few words changed', changed, [SEA, PASSAGE], ''],
    ['after words of its own', own + PASSAGE, [PASSAGE], own],
    ['of few words, and nothing else', SHORT, [SEA, `${SHORT} ${OTHER}`], ''],
    [
      'behind other first words, and nothing else',
      SHORT.replace('The two', 'As it grows dark, the two'),
      [SHORT],
      '',
    ],
    ['in Chinese', CHINESE, [CHINESE], ''],
  ]
  for (const [what, reply, earlier, kept] of cases)
    test(what, () => {
      const loop = read([reply], earlier)
      expect([loop?.of, reply.slice(0, loop?.start).trim()]).toEqual(['passages', kept.trim()])
    })
})

describe('no loop is', () => {
  const cases: [what: string, reply: string, earlier?: string[]][] = [
    ['prose', PASSAGE + SEA + LONG + OTHER],
    ['nothing', ''],
    ['an exclamation again', `${GOOD}“Yes. Yes. Yes. Yes!” you cry. “No, no, no, no, no!”`],
    [
      'a short sentence again',
      `It rains. ${GOOD}It rains. ${SEA}It rains. ${LONG}It rains. ${OTHER}It rains.`,
    ],
    ['a sentence again, much later', GOOD + SEA + LONG + PASSAGE.slice(GOOD.length) + SEA],
    [
      'sentences again, long after another',
      GOOD + SEA + LONG + NEW + SEA + PASSAGE.slice(GOOD.length) + LONG,
    ],
    ['some sentences that are quoted', `${NEW}“${PASSAGE.split(' You break')[0]}” ${OTHER}`, [PASSAGE]],
    ['a sentence that is quoted back', `${SEA}“${GOOD.trim()}” you read aloud. ${OTHER}`, [PASSAGE]],
    ['a beginning that is the same', GOOD + SEA + OTHER, [GOOD + LONG]],
    ['a list', `You can:\n${['north', 'south', 'east', 'west', 'up', 'down', 'in', 'out'].map((way) => `- Open the door that leads ${way}\n`).join('')}`], // biome-ignore format: a case a line
    ['a numbered list', `You have:\n${['knife', 'lamp', 'rope', 'key', 'coat'].map((thing, i) => `${i + 1}. A rusty old ${thing} of the keeper.\n`).join('')}`], // biome-ignore format: a case a line
    ['a list with the same thing twice', `You have:\n${['An old iron key', 'A coil of rope', 'A bent copper coin', 'A loaf of bread', 'A piece of chalk', 'A ball of wool'].map((thing) => `- ${thing}\n- ${thing}\n`).join('')}`], // biome-ignore format: a case a line
    ['sentences that begin alike', ['the tide is late', 'a storm has come', 'nobody was here', 'your boat is gone', 'it rains in June', 'he heard no bell', 'gulls are thieves', 'you may go in'].map((what) => `The keeper of the lamp says that ${what}, and looks at his ${what.slice(-4)} hands. `).join('')], // biome-ignore format: a case a line
    [
      'a line that ends every reply',
      `${SEA}What do you do?`,
      [`${GOOD}What do you do?`, `${LONG}What do you do?`],
    ],
    ['an earlier sentence after a new one', `Dawn comes grey and cold over the roofs. ${SHORT}`, [SHORT]],
    ['sounds', 'Tick, tock, tick, tock, tick, tock, goes the clock. Ha ha ha ha ha ha!'],
    ['in Chinese', CHINESE + JAPANESE],
  ]
  for (const [what, reply, earlier] of cases) test(what, () => expect(read([reply], earlier)).toBeNull())

  for (const { author, work, why, text, earlier } of EXCERPTS)
    test(`${why} (${author}, ${work})`, () => expect(read([text], earlier ? [earlier] : [])).toBeNull())
})

// One passage of novels in a thousand may be stopped wrongly. These are some, so that a change of that is seen.
describe('taken for a loop is', () => {
  for (const { author, work, why, text } of TAKEN_FOR_LOOPS)
    test(`${why} (${author}, ${work})`, () => expect(read([text])).not.toBeNull())
})

describe('however the reply is cut into pieces', () => {
  const part = fc.constantFrom(
    GOOD,
    SEA,
    LONG,
    OTHER,
    PASSAGE,
    CHINESE,
    JAPANESE,
    DOORS,
    'You take the key. ',
    'very ',
    'Mr. ',
    '“No!” ',
    '...',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '。」',
    '！？',
    '😀',
    "don't ",
    '*',
    '12 ',
    'É ', // biome-ignore format: many
  )
  const reply = fc
    .array(fc.tuple(part, fc.integer({ min: 1, max: 12 })), { maxLength: 12 })
    .map((parts) => parts.map(([text, times]) => text.repeat(times)).join(''))
  const earlier = fc.array(fc.constantFrom(PASSAGE, LONG, CHINESE), { maxLength: 2 })

  test('the loop is the same', () => {
    fc.assert(
      fc.property(reply, earlier, fc.array(fc.nat(4_000)), (reply, earlier, places) => {
        const cuts = [0, ...places.map((place) => place % (reply.length + 1)), reply.length].sort(
          (a, b) => a - b,
        )
        const pieces = cuts.slice(1).map((end, i) => reply.slice(cuts[i], end))
        const whole = read([reply], earlier)
        expect(read(pieces, earlier)).toEqual(whole)
        expect(read(reply.split(''), earlier)).toEqual(whole)
      }),
    )
  })

  test('what is kept ends with a sentence', () => {
    fc.assert(
      fc.property(reply, earlier, (reply, earlier) => {
        const loop = read([reply], earlier)
        fc.pre(loop !== null && loop.start > 0)
        expect(reply.slice(0, loop?.start)).toMatch(/\S$/u)
        // Eight words of one letter.
        expect(loop?.start).toBeGreaterThanOrEqual(15)
      }),
    )
  })
})

// Comparing each word with all before it would take minutes here.
test('a very long reply and a long window are read', () => {
  const word = (i: number) => i.toString(36).replace(/\d/g, (digit) => 'αβγδεζηθικ'.charAt(Number(digit)))
  const words = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => word(from + i) + (i % 9 === 8 ? '.' : '')).join(' ')
  const earlier = Array.from({ length: 200 }, (_, i) => words(i * 200, i * 200 + 200))
  expect(read(words(50_000, 100_000).split(''), earlier)).toBeNull()
})

function told(reply: string, lines: readonly string[], passages: readonly string[], notes: string[] = []) {
  const guard = new RepetitionGuard({ lines, passages, notes })
  guard.push(reply)
  guard.end()
  return guard.toldAgain()
}

const FOG = 'The fog is thick and dark. You take a deep breath.'

describe('a reply that only says the line of the player back', () => {
  // Qwen2.5 1.5B.
  const cases: [type: 'do' | 'say', typed: string, reply: string][] = [
    [
      'say',
      'Madam, your dress is wet. Did you fall in?',
      'The woman in the ball gown says, “Madam, your dress is wet. Did you fall in?”',
    ],
    ['say', 'Boy, what sings in your cage?', 'The boy says, "Boy, what sings in your cage?"'],
    [
      'do',
      'keep the bow pointed at the Far Stair',
      'The fog is thick and dark. You keep the bow pointed at the Far Stair.',
    ],
  ]
  for (const [type, typed, reply] of cases)
    test(reply, () => {
      expect(told(reply, [formatLine(type, typed)], [FOG])).toBe('lines')
      const more = `${reply} A bell rings twice under the black water.`
      expect(told(more, [formatLine(type, typed)], [FOG])).toBeNull()
    })
})

describe('is not one that', () => {
  const cases: [name: string, type: 'do' | 'say' | 'story', typed: string, reply: string][] = [
    ['answers with a short line', 'say', 'Who are you?', '"Who are you?" Mara asks.'],
    ['tells what comes of it', 'do', 'open the iron door', 'You open the iron door. It is dark.'],
    ['has other words', 'say', 'What sings in your cage?', '"A wren," says the boy.'],
    ['is empty', 'say', 'What sings in your cage?', ''],
  ]
  for (const [name, type, typed, reply] of cases)
    test(name, () => {
      expect(told(reply, [formatLine(type, typed)], [FOG])).toBeNull()
    })
})

describe('a reply that only repeats earlier passages', () => {
  // Qwen2.5 1.5B, which was to tell how a throw of the dice ends.
  const BOARDING =
    'The boy claps and says, "It\'s a boy with a birdcage! "\n\n> You wave the boy with the birdcage aboard first.'
  const cases: [reply: string, earlier: string[], repeats: boolean][] = [
    ['You wave the boy with the birdcage aboard first.', [FOG, BOARDING], true],
    ['You take a deep breath. You wave the boy with the birdcage aboard first!', [FOG, BOARDING], true],
    ['You wave the boy aboard first.', [FOG, BOARDING], false],
    ['You take a deep breath. The ferry turns.', [FOG, BOARDING], false],
    ['The boy claps.', [FOG, BOARDING], false],
    ['You wave the boy with the birdcage aboard first.', [], false],
    ['You wait. Nothing.', [FOG, 'You wait. Nothing.'], true],
    ['You wait. Nothing at all happens here.', [FOG, 'You wait. Nothing at all happens here.'], true],
    [`${SHORT} Dawn.`, [SHORT], true],
    ['* * *', [FOG], false],
    ['You wait. Something.', [FOG, 'You wait. Nothing.'], false],
    ['Yes.', [FOG, 'Her eyes open.'], false],
    ['', [FOG], false],
  ]
  for (const [reply, earlier, repeats] of cases)
    test(`${repeats ? '' : 'is not '}${JSON.stringify(reply)}`, () => {
      expect(told(reply, [], earlier)).toBe(repeats ? 'passages' : null)
    })
})

test('a reply that tells a note as if it happened', () => {
  const lore = 'World lore: The compass is warm. The nearest wheel turns a little towards it.'
  expect(told('The nearest wheel turns a little towards it.', [], [FOG], [lore])).toBe('notes')
  expect(told('The nearest wheel turns a little towards it. You let go.', [], [FOG], [lore])).toBeNull()
})

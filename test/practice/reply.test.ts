import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Message } from '../../src/domain/model/model-request.ts'
import { BEGIN_REQUEST, CONTINUE_REQUEST, LORE } from '../../src/domain/prompt/phrases.ts'
import { formatLine } from '../../src/domain/text/player-line.ts'
import { thingsIn } from '../../src/practice/nouns.ts'
import { fillPhrase } from '../../src/practice/phrase.ts'
import * as actions from '../../src/practice/phrases/actions.ts'
import * as turns from '../../src/practice/phrases/events.ts'
import * as scenery from '../../src/practice/phrases/scenery.ts'
import * as speech from '../../src/practice/phrases/speech.ts'
import { gerundOf } from '../../src/practice/player-turn.ts'
import { practiceChunks, practiceReply } from '../../src/practice/reply.ts'

const NARRATOR: Message = { role: 'system', text: 'You are the narrator. Speak to the player as "you".' }
const BOOKSHOP =
  'You wake in the back room of a bookshop. Rain taps the window. A silver locket lies on the desk, beside a letter.'

/** A story of an opening and one line of the player. */
function after(line: string, opening = BOOKSHOP): Message[] {
  return [
    NARRATOR,
    { role: 'user', text: BEGIN_REQUEST },
    { role: 'assistant', text: opening },
    { role: 'user', text: line },
  ]
}

/** Plays a story, shown to the narrator through a window of the newest messages. */
function play(lines: readonly string[], window = 96, seed = (turn: number) => turn): string[] {
  const story: Message[] = after('').slice(1, 3)
  return lines.map((text, turn) => {
    story.push({ role: 'user', text })
    const reply = practiceReply([NARRATOR, ...story.slice(-window)], seed(turn))
    story.push({ role: 'assistant', text: reply })
    return reply
  })
}

function paragraphs(replies: readonly string[]): string[] {
  return replies.flatMap((reply) => reply.split('\n\n'))
}

function words(text: string): number {
  return text.split(/\s+/).length
}

const HUNDRED = Array.from({ length: 100 }, (_, turn) => turn)
const VARIED = [
  '> You open the rusty door.',
  '> You say "Hello."',
  CONTINUE_REQUEST,
  '> You take the lamp.',
  'The storm breaks over the roof.',
  '> You ask the keeper about the map.',
  '> You go north.',
  '> You 🙂.',
]

describe('the player is taken up', () => {
  test.each([
    ['> You open the rusty door.', 'open the rusty door'],
    ['> You open door.', 'open the door'],
    ['> You OPEN THE RUSTY DOOR.', 'open the rusty door'],
    ['> You Carefully examine my coat.', 'carefully examin'],
    ['> You i take the lamp.', 'the lamp'],
    ['> You take the lamp and run away!', 'the lamp'],
    ['> You look around.', 'look'],
    ['> You dance.', 'danc'],
    ['> You try to unlock the iron chest.', 'the iron chest'],
    ['> You frobnicate the brass dial.', 'the brass dial'],
    ['> You talk to Maren.', 'maren'],
    ['> You thank Mr. Abernathy for the tea.', 'mr abernathy'],
    ['> You hide behind a chimney.', 'behind a chimney'],
    ['> You pull the chain harder.', 'the chain harder'],
    ['> You say "Yes, this is it."', 'yes, this is it'],
    ['I polish the silver spoon and hum.', 'the silver spoon'],
    ['> You take 3 coins.', '3 coins'],
    [
      '> You search the old desk in the corner of the room by the window for a hidden letter.',
      'the old desk',
    ],
    ['> You put the letter in my pocket.', 'in your pocket'],
    ['> You say "Hello."', 'hello'],
    ['> You say "Where is the brass key?"', 'where is the brass key?'],
    ['> You say "I have thought about the mirror for a long time and I do not like it."', 'the mirror'],
    ['> You say "Bonjour tout le monde, je suis perdu et je cherche la gare depuis hier."', 'hear'],
    ['The storm breaks over the roof.', 'the storm'],
    ['A dragon lands in front of the inn.', 'the dragon'],
    ['> You open the window.\n\n> You climb the rope.', 'the rope'],
    ['> You climb the first tower.', 'climb the first tower'],
  ])('%s -> %s', (line, taken) => {
    for (const seed of HUNDRED) {
      const reply = practiceReply(after(line), seed).toLowerCase()
      if (taken === 'hear') expect(reply).toMatch(/hear|listen|interrupt|weigh|find|stillness|pause/)
      else if (/^(?:open|look|take|put|examine|climb) ?/.test(taken))
        expect(reply).toContain(taken.replace(/^\w+ ?/, ''))
      else expect(reply).toContain(taken)
    }
  })

  test('a verb is bent where the sentence asks for it', () => {
    expect(
      ['open the door', 'run', 'lie down', 'take it', 'carefully examine your coat', 'see'].map(gerundOf),
    ).toEqual([
      'opening the door',
      'running',
      'lying down',
      'taking it',
      'carefully examining your coat',
      'seeing',
    ])
  })

  test.each([
    ['emoji', '> You 🙂🙂🙂.'],
    ['dots', '> You ....'],
    ['no word', '> You xyzzy.'],
    ['German', '> You öffne die Tür.'],
    ['Chinese', '> You 打开门。'],
    ['one endless word', `> You ${'a'.repeat(20_000)}.`],
    ['one endless sentence', `> You ${'the old man of the sea and '.repeat(800)}.`],
    ['a script', '> You <script>alert(1)</script>.'],
    ['markup', '> You **open** the `door` <b>now</b>.'],
    ['brackets said', '> You say "<<<>>>"'],
    ['nothing said', '> You say ""'],
    ['a lone mark', '>'],
    ['an open bracket', '[whispering'],
    ['a change of stats', '{"player.hp": 100}'],
    ['nothing', ''],
  ])('an odd line still gets a proper answer: %s', (_, line) => {
    const reply = practiceReply(after(line), 3)
    expect(reply.split('\n\n')).toHaveLength(2)
    expect(words(reply)).toBeWithin(60, 111)
    expect(reply).not.toMatch(/[<>*_`{}[\]$|#]|aaaa|xyzzy|undefined|null/)
  })

  test('whoever is spoken to answers', () => {
    const told = play(['> You ask the keeper about the map.', '> You say "Who lit the lamp?"'])
    expect(told[1]).toMatch(/the keeper/i)
  })

  test('notes in brackets and lore are not taken for words of the player', () => {
    const line = `${LORE}The zeppelin is late.\n\n[Author's note: mention the\nwalrus]\n\n> You open the rusty door.\n[Write about the teapot.]`
    const reply = practiceReply(after(line), 1)
    expect(reply).toContain('the rusty door')
    expect(reply).not.toMatch(/walrus|teapot/)
  })
})

describe('the story is remembered', () => {
  test('by the things that its prose names', () => {
    const prose =
      'The old man waits by the lamp room. You help the woman aboard and pull the chain harder. A small brass key glints; the slowly turning sails creak. Someone took your coat.'
    expect(thingsIn(prose, 1_000)).toEqual([
      'the old man',
      'the lamp room',
      'the woman',
      'the chain',
      'the small brass key',
    ])
  })

  test('a thing of an earlier turn comes back', () => {
    for (const seed of HUNDRED)
      expect(practiceReply(after('> You wait.'), seed)).toMatch(
        /the (?:silver locket|desk|letter|window|bookshop|back room)/,
      )
  })

  test('a first turn has nothing to refer back to, and gets a reply all the same', () => {
    const reply = practiceReply([NARRATOR, { role: 'user', text: BEGIN_REQUEST }], 1)
    expect(reply).not.toContain('$')
    expect(words(reply)).toBeWithin(60, 111)
    expect(practiceReply([], 1)).toMatch(/[.?!]$/)
  })
})

describe('a story card', () => {
  const CARD =
    'The Salt Stair floods at every spring tide, and nobody has counted its steps twice alike. It is old.'
  const SHOWN = 'The Salt Stair floods at every spring tide, and nobody has counted its steps twice alike.'

  test('is shown when it is called up, beside the line or in the system message', () => {
    const beside = after(`${LORE}${CARD}\n\n> You go down the stair.`)
    const above = [
      { role: 'system' as const, text: `${NARRATOR.text}\n${LORE}${CARD}` },
      ...after('> You wait.').slice(1),
    ]
    for (const messages of [beside, above]) expect(practiceReply(messages, 5)).toContain(SHOWN)
  })

  test('is shown once', () => {
    const first = after(`${LORE}${CARD}\n\n> You go down the stair.`)
    const reply = practiceReply(first, 5)
    const second: Message[] = [
      ...first,
      { role: 'assistant', text: reply },
      { role: 'user', text: `${LORE}${CARD}\n\n> You count the steps.` },
    ]
    expect(practiceReply(second, 6)).not.toContain('Salt Stair')
    expect(practiceReply(second, 6)).toContain('the steps')
  })

  test('is cut to a sentence of bounded length, without markup', () => {
    const long = `**Old** <b>Tam</b> ${'walks the long shore road and counts the gulls '.repeat(40)}`
    const reply = practiceReply(after(`${LORE}${long}\n\n> You wait.`), 2)
    expect(reply).toContain('Old Tam walks the long shore road')
    expect(words(reply)).toBeWithin(60, 111)
  })
})

describe('nothing is repeated', () => {
  const stories: [string, string[]][] = [
    ['looks around', HUNDRED.map(() => '> You look around.')],
    ['says nothing', HUNDRED.map(() => CONTINUE_REQUEST)],
    ['does one thing after another', HUNDRED.map((turn) => VARIED[turn % VARIED.length] ?? CONTINUE_REQUEST)],
  ]

  test.each(stories)('no paragraph in a hundred turns of a player who %s', (_, lines) => {
    for (const window of [96, 20, 3]) {
      const told = paragraphs(play(lines, window))
      expect(new Set(told).size).toBe(told.length)
      const sameSeed = paragraphs(play(lines, window, () => 1))
      expect(new Set(sameSeed).size).toBe(sameSeed.length)
    }
  })

  test('two replies in a row do not begin alike', () => {
    const first = play(HUNDRED.map(() => '> You look around.')).map((reply) =>
      reply.split(' ').slice(0, 2).join(' '),
    )
    expect(first.filter((opening, turn) => opening === first[turn + 1])).toEqual([])
  })

  test('another seed tells it another way, the same seed the same way', () => {
    for (const line of VARIED) {
      const told = HUNDRED.map((seed) => practiceReply(after(line), seed))
      expect(new Set(told).size).toBe(told.length)
      expect(practiceReply(after(line), 7)).toBe(told[7] ?? '')
    }
  })
})

test('a reply is two short paragraphs of 60 to 110 words', () => {
  for (const seed of HUNDRED)
    for (const line of [
      ...VARIED,
      `${LORE}${'A long tale is told of this, '.repeat(9)}\n\n> You say "Why?"`,
    ]) {
      const reply = practiceReply(after(line), seed)
      expect(reply.split('\n\n')).toHaveLength(2)
      expect(words(reply)).toBeWithin(60, 111)
    }
})

test('whatever a player writes, the reply is clean, bounded and whole', () => {
  const markup = fc.constantFrom(
    '<b>',
    '</think>',
    '**',
    '```state',
    '> You ',
    '[x]',
    '${a}',
    '\n\n',
    LORE,
    'the ',
    'open ',
    '"',
    '\u202e',
    '\ud83d',
  )
  const text = fc
    .array(fc.oneof(markup, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.lorem()))
    .map((parts) => parts.join(''))
  const line = fc
    .tuple(fc.constantFrom('do' as const, 'say' as const, 'story' as const), text)
    .map(([type, typed]) => formatLine(type, typed))
  fc.assert(
    fc.property(line, text, fc.integer(), (typed, told, seed) => {
      const messages: Message[] = [
        NARRATOR,
        { role: 'user', text: told },
        { role: 'assistant', text: told },
        { role: 'user', text: typed },
      ]
      const reply = practiceReply(messages, seed)
      expect(reply.length).toBeLessThan(1_500)
      expect(reply).not.toMatch(/[<>*`]/)
      expect(reply).toMatch(/[.!?]$/)
      expect(practiceChunks(reply).join('')).toBe(reply)
    }),
    { numRuns: 300 },
  )
})

test('pieces are the size of a word', () => {
  expect(practiceChunks('You wait.\n\nNothing  comes. ')).toEqual([
    'You',
    ' wait.',
    '\n\nNothing',
    '  comes.',
    ' ',
  ])
  expect(practiceChunks('')).toEqual([])
})

test('a long story is read in time that grows with its length alone', () => {
  const long = Array.from({ length: 48 }, (): Message[] => [
    { role: 'user', text: '> You [open <the [door.\n['.repeat(800) },
    { role: 'assistant', text: 'The old man waits. '.repeat(1_000) },
  ]).flat()
  expect(words(practiceReply([NARRATOR, ...long, { role: 'user', text: CONTINUE_REQUEST }], 1))).toBeWithin(
    60,
    111,
  )
})

describe('the phrases', () => {
  const flat = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flat)
  const all = [actions, speech, scenery, turns].flatMap(flat)

  test('are written once each, with braces closed and known slots', () => {
    expect(new Set(all).size).toBe(all.length)
    const slots = { clause: '', doing: '', result: '', thing: '', who: '', words: '', lore: '' }
    for (const phrase of all) {
      expect(phrase.replace(/\{[^{}]*\}/g, '')).not.toMatch(/[{}|]/)
      for (let choice = 0; choice < 8; choice++)
        expect(fillPhrase(phrase, slots, (below) => choice % below)).not.toContain('$')
    }
  })

  test('end as sentences do, but for the clauses', () => {
    const clauses = new Set(flat(actions.RESULTS))
    for (const phrase of all) {
      if (clauses.has(phrase)) expect(phrase).toMatch(/^[a-z{].*[a-z}]$/)
      else expect(phrase).toMatch(/(?:[.?]"?|\$[Ll]ore)$/)
    }
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { rollNote } from '../../src/domain/checks/roll-words.ts'
import type { Message } from '../../src/domain/model/model-request.ts'
import { rewriteTasks } from '../../src/domain/model/rewrite.ts'
import { parseSuggestions, suggestionTask } from '../../src/domain/model/suggestions.ts'
import { AUTHORS_NOTE, BEGIN_REQUEST, CONTINUE_REQUEST, LORE } from '../../src/domain/prompt/phrases.ts'
import type { StarterScenario } from '../../src/domain/scenario.ts'
import { formatLine } from '../../src/domain/text/player-line.ts'
import { sentenceTexts } from '../../src/domain/text/sentence-spans.ts'
import { readRules } from '../../src/domain/world/rules.ts'
import * as tables from '../../src/practice/paragraphs.ts'
import { practiceChunks, practiceReply } from '../../src/practice/reply.ts'
import { type Draw, drawFrom } from '../../src/practice/seeded-random.ts'
import { STARTERS } from '../../src/practice/starters/starters.ts'

const NARRATOR: Message = { role: 'system', text: 'You are the narrator. Speak to the player as "you".' }
const BOOKSHOP =
  'You wake in the back room of a bookshop. Rain taps the window. A silver locket lies on the desk, beside a letter.'

/** A story of an opening and one message of the player. */
function after(text: string, opening = BOOKSHOP): Message[] {
  return [
    NARRATOR,
    { role: 'user', text: BEGIN_REQUEST },
    { role: 'assistant', text: opening },
    { role: 'user', text },
  ]
}

/** Plays a story, shown to the narrator through a window of the newest messages. */
function play(lines: readonly string[], window = 96, seed = (turn: number) => turn, opening = BOOKSHOP) {
  const story = after('', opening).slice(1, 3)
  return lines.map((text, turn) => {
    story.push({ role: 'user', text })
    const reply = practiceReply([NARRATOR, ...story.slice(-window)], seed(turn))
    story.push({ role: 'assistant', text: reply })
    return reply
  })
}

const HUNDRED = Array.from({ length: 100 }, (_, turn) => turn)
const { AFTER_DEED, AFTER_SPEECH, AFTER_QUESTION, MEANWHILE, ENDINGS } = tables
const PARAGRAPHS = [...AFTER_DEED, ...AFTER_SPEECH, ...AFTER_QUESTION, ...MEANWHILE, ...ENDINGS]

/** Fails on a paragraph that is repeated within twenty replies. */
function expectFresh(replies: readonly string[]): void {
  const used = replies.map((reply) => [
    ...PARAGRAPHS.filter((paragraph) => reply.includes(paragraph)),
    ...reply.split('\n\n'),
  ])
  const repeated = used.flatMap((now, turn) => {
    const before = new Set(used.slice(Math.max(0, turn - 20), turn).flat())
    return now.filter((paragraph) => before.has(paragraph))
  })
  expect(repeated).toEqual([])
}

/** Fails on a reply that is no clean prose. */
function expectProse(reply: string): void {
  expect(reply).not.toMatch(/\$| {2}| [,.;:!?]|undefined|null/)
  expect(reply).toMatch(/[.!?…]["”]?$/)
  expect(reply.split('\n\n')).toHaveLength(2)
  for (const sentence of sentenceTexts(reply)) expect(sentence).not.toMatch(/^["“]?\p{Ll}/u)
}

describe('the player is taken up', () => {
  test.each([
    ['> You open the rusty door.', 'you open the rusty door'],
    ['> You OPEN THE RUSTY DOOR.', 'you open the rusty door'],
    ['> You take the lamp and run away!', 'take the lamp and run away'],
    ['> You walk to the end of the long pier, past the nets, and look out.', 'to the end of the long pier'],
    ['> You thank Mr. Abernathy for the tea.', 'thank Mr'],
    ['> You take 3 coins.', 'take 3 coins'],
    ['> You look at the', 'you look at'],
    ['> You ask what he is looking at.', 'ask what he is looking at'],
    ['> You öffne die Tür.', '"öffne'],
    ['> You 打开门。', '打开门'],
    ['> You say "Hello."', '"Hello'],
    ['> You whisper to him, "Hello, Wilf."', '"Hello, Wilf'],
    ['> You say "Hello? Where is the brass key? I lost it."', '"Where is the brass key?"'],
    ['> "Wo ist der Schlüssel?"', '"Wo ist der Schlüssel?"'],
    [`> You say "${'so '.repeat(20)}wonderful."`, '"wonderful'],
    ['> You try: Hold the course.', ': Hold the course.'],
    ['The storm breaks over the roof.', 'the roof'],
    ['Lightning!', '"Lightning'],
    ['> You open the window.\n\n> You climb the rope.', 'climb the rope'],
  ])('%s -> %s', (line, taken) => {
    for (const seed of HUNDRED)
      expect(practiceReply(after(line), seed).toLowerCase()).toContain(taken.toLowerCase())
  })

  test('notes in brackets and lore are not taken for words of the player', () => {
    const note = `${AUTHORS_NOTE}mention the\n\nwalrus]`
    for (const line of ['> You open the rusty door.', 'A wind moves the door.']) {
      const message = `${LORE}The zeppelin is late.\n\n${note}\n\n${line}\n\n[Tell of the teapot.]`
      const reply = practiceReply(after(message), 1)
      expect(reply).toContain('door')
      expect(reply).not.toMatch(/walrus|teapot/)
    }
  })

  test('a question is answered as one', () => {
    const answered = HUNDRED.filter((seed) => {
      const reply = practiceReply(after('> You say "Where are we?"'), seed)
      return AFTER_QUESTION.some((paragraph) => reply.includes(paragraph))
    })
    expect(answered.length).toBeGreaterThan(50)
  })

  test('a first turn and an empty prompt get a reply', () => {
    expectProse(practiceReply([NARRATOR, { role: 'user', text: BEGIN_REQUEST }], 1))
    expectProse(practiceReply([], 1))
  })
})

test('the outcome of a roll is told', () => {
  const roll = {
    check: 'Climb',
    difficulty: 'easy',
    thrown: [4, 3],
    stat: null,
    bonus: 0,
    total: 7,
    against: 8,
    outcome: 'you hang on, but only just',
  }
  const note = rollNote(roll as unknown as Parameters<typeof rollNote>[0], [], readRules(null))
  for (const line of ['> You try: Climb.', '> You climb the mast.', CONTINUE_REQUEST])
    for (const seed of HUNDRED.slice(0, 20))
      expect(practiceReply(after(`${line}\n\n${note}`), seed)).toContain(': you hang on, but only just.')
})

describe('a story card', () => {
  const CARD =
    'The Salt Stair floods at every spring tide, and nobody has counted its steps twice alike. It is old.'
  const SHOWN = 'The Salt Stair floods at every spring tide, and nobody has counted its steps twice alike.'

  test('is told when it is triggered, and once', () => {
    const first = after(`${LORE}${CARD}\n\n> You go down the stair.`)
    const reply = practiceReply(first, 5)
    expect(reply).toContain(SHOWN)
    const next: Message[] = [
      ...first,
      { role: 'assistant', text: reply },
      { role: 'user', text: '> You wait.' },
    ]
    for (const seed of HUNDRED) expect(practiceReply(next, seed)).not.toContain('Salt Stair')
  })

  test('that found no room is told in a later turn', () => {
    const both = after(`${LORE}${CARD}\n\n${LORE}The Far Stair is dry.\n\n> You go down.`)
    const story: Message[] = [...both, { role: 'assistant', text: practiceReply(both, 1) }]
    const later = HUNDRED.map((seed) =>
      practiceReply([...story, { role: 'user', text: CONTINUE_REQUEST }], seed),
    )
    expect(later.some((reply) => reply.includes(SHOWN))).toBe(true)
  })

  test('is cut to a sentence of bounded length, without markup', () => {
    const long = `**Old** <b>Tam</b> ${'walks the long shore road and counts the gulls '.repeat(40)}`
    const reply = practiceReply(after(`${LORE}${long}\n\n> You wait.`), 2)
    expect(reply).toContain('Old Tam walks the long shore road')
    expect(reply.length).toBeLessThan(700)
  })
})

describe('nothing is repeated within twenty turns', () => {
  const stories: [string, string[]][] = [
    ['looks around', HUNDRED.map(() => '> You look around.')],
    ['asks', HUNDRED.map(() => '> You say "Why?"')],
    ['says nothing', HUNDRED.map(() => CONTINUE_REQUEST)],
  ]

  test.each(stories)('to a player who %s', (_, lines) => {
    expectFresh(play(lines))
    expectFresh(play(lines, 96, () => 1))
  })

  test('even if the story shows other quotation marks', () => {
    const story = after('> You wait.')
    for (let turn = 0; turn < 60; turn++) {
      const reply = practiceReply(story, turn)
      const earlier = story.slice(-40).map(({ text }) => text.replaceAll(/[“”]/g, '"'))
      const ending = ENDINGS.find((paragraph) => reply.includes(paragraph)) ?? ''
      expect(earlier.some((text) => text.includes(ending))).toBe(false)
      story.push(
        { role: 'assistant', text: reply.replaceAll('"', '”') },
        { role: 'user', text: '> You wait.' },
      )
    }
  })

  test('another seed tells it another way, the same seed the same way', () => {
    const told = HUNDRED.map((seed) => practiceReply(after('> You wait.'), seed))
    expect(new Set(told).size).toBeGreaterThan(95)
    expect(practiceReply(after('> You wait.'), 7)).toBe(told[7] ?? '')
  })
})

describe('a thousand random lines', () => {
  const DEEDS = [
    'open',
    'look at',
    'take',
    'ask about',
    'carefully examine',
    'run towards',
    'sing to',
    'mend',
  ]
  const THINGS = [
    'the lamp',
    'my boots',
    'a second tower',
    'Brisa',
    'the old man by the door',
    'both of them',
  ]
  const MORE = [
    '',
    ' and wait',
    ' before anyone can stop me',
    ', then listen',
    '!',
    ' again and again',
    '...',
  ]
  const SAID = [
    'hello there',
    'why is',
    'I do not believe in',
    'please, tell me of',
    'thank you for',
    'what about',
  ]

  function randomLine(draw: Draw): string {
    const pick = (list: readonly string[]) => list[draw(list.length)] ?? ''
    const kind = draw(10)
    if (kind === 0) return CONTINUE_REQUEST
    if (kind === 1)
      return formatLine('story', `${pick(['A storm', 'The night', 'My friend'])} comes to ${pick(THINGS)}.`)
    if (kind < 5)
      return formatLine('say', `${pick(SAID)} ${pick(THINGS)}${pick(['?', '', '!', '. Is it true?'])}`)
    return formatLine('do', `${pick(DEEDS)} ${pick(THINGS)}${pick(MORE)}`)
  }

  /** A line with the cards that it triggers. */
  function messageFor(line: string, { story_cards }: StarterScenario): string {
    const keys = (card: { keys: string }) => card.keys.toLowerCase().split(',').filter(Boolean)
    const triggered = story_cards.filter((card) =>
      keys(card).some((key) => line.toLowerCase().includes(key.trim())),
    )
    return [...triggered.map(({ entry }) => LORE + entry), line].join('\n\n')
  }

  test.each(STARTERS.map((starter): [string, StarterScenario] => [starter.title, starter]))(
    '%s',
    (_, starter) => {
      const draw = drawFrom(starter.title.length)
      const lines = Array.from({ length: 1_000 }, () => randomLine(draw))
      const messages = lines.map((line) => messageFor(line, starter))
      const replies = play(messages, 60, (turn) => turn, starter.prompt)
      expectFresh(replies)
      for (const [turn, reply] of replies.entries()) {
        expectProse(reply)
        const words = (lines[turn] ?? '').match(/\p{L}{3,}/gu) ?? []
        if (lines[turn] !== CONTINUE_REQUEST)
          expect(words.some((word) => reply.toLowerCase().includes(word.toLowerCase()))).toBe(true)
      }
    },
  )
})

test('a part is rewritten in as many sentences, all of them new', () => {
  const [task] = rewriteTasks({ before: '', part: 'You wait. It rains! Who is it?', after: '' }, 'shorter')
  const rewritten = practiceReply(after(task), 3)
  expect(sentenceTexts(rewritten)).toHaveLength(3)
  const again: Message[] = [...after('> You wait.', rewritten), { role: 'user', text: task }]
  for (const sentence of sentenceTexts(practiceReply(again, 3))) expect(rewritten).not.toContain(sentence)
})

test('suggestions are of three manners, and name what is there', () => {
  const asked = HUNDRED.map((seed) =>
    parseSuggestions(
      practiceReply([...after('> You wait.'), { role: 'user', text: suggestionTask([], '') }], seed),
    ),
  )
  for (const made of asked) {
    expect(made.map(({ manner }) => manner)).toEqual(['careful', 'bold', 'unexpected'])
    for (const { text } of made) expect(text).toMatch(/^[a-z][^$]*$/)
  }
  expect(asked.flat().some(({ text }) => /the (?:back room|desk|letter|window)/.test(text))).toBe(true)
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
    '$words',
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
      const reply = practiceReply(after(typed, told), seed)
      expect(reply.length).toBeLessThan(1_000)
      expect(reply).not.toMatch(/[<>*`$[\]{}]/)
      expect(reply).toMatch(/[.!?]"?$/)
      expect(reply.isWellFormed()).toBe(true)
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
  expectProse(practiceReply([NARRATOR, ...long, { role: 'user', text: CONTINUE_REQUEST }], 1))
})

test('the tables hold each text once, with known slots', () => {
  const flat = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flat)
  const all = Object.values(tables).flatMap(flat)
  expect(new Set(all).size).toBe(all.length)
  const slots = all.flatMap((text) => text.match(/\$\w+/g) ?? [])
  expect(new Set(slots.map((slot) => slot.toLowerCase()))).toEqual(
    new Set(['$did', '$words', '$word', '$thing', '$outcome', '$lore']),
  )
  for (const pool of [MEANWHILE, ENDINGS]) expect(pool.length).toBeGreaterThan(20)
})

import { describe, expect, test } from 'bun:test'
import { cardMatcher } from '../../src/domain/cards/card-triggers.ts'
import type { CardFields } from '../../src/domain/story-card.ts'
import type { Condition, How } from '../../src/domain/timing/timing.ts'
import { makeCharacterJson } from '../../src/formats/character-card/make-card.ts'
import { lostInLore } from '../../src/formats/lore/losses.ts'
import { makeWorldInfo } from '../../src/formats/lore/make-lore.ts'
import { AT } from '../support/files/portable.ts'
import { keysIn } from '../support/files/receipt-faults.ts'
import { read, sample } from './samples.ts'

const WRITTEN = { content: 'Lore.', comment: 'One', selective: true, useProbability: true }
const book = (...entries: object[]) =>
  read({ entries: entries.map((entry) => ({ key: [], ...WRITTEN, ...entry })) })
/** The same in a character card. */
const inCard = (entry: object) => {
  const entries = [{ keys: ['coin'], ...WRITTEN, ...entry }]
  const { scenarios } = read({ spec: 'chara_card_v2', data: { name: 'Odo', character_book: { entries } } })
  return scenarios[0]?.story_cards[0]
}
const keysOf = (entry: object) => book(entry).story_cards[0]?.keys
const exported = (entry: object) => JSON.parse(makeWorldInfo(book(entry).story_cards)).entries[0]
const fates = (entry: object) => {
  const { receipt } = book(entry)
  return Object.entries(receipt).flatMap(([section, entries]) =>
    entries.map(({ what, keys }) => `${section} ${keys.join()}: ${what}`),
  )
}

test('a bare list of entries is the lorebook of JanitorAI', () => {
  expect(read(sample('world-info-list.json')).story_cards).toEqual([
    { type: '', name: 'Night', keys: '*, /.*/', entry: 'Always night.', notes: '' },
    {
      type: 'thing',
      name: 'Bell',
      keys: '*bell, +*rope',
      entry: 'It rings.',
      notes: 'private',
      timing: { when: [], how: { begins: 2, group: 'inn' } },
    },
  ])
})

describe('an entry that is always on', () => {
  test('is included in every turn', () => {
    const [card = { keys: '', entry: '' }] = book({ key: ['coin'], constant: true }).story_cards
    expect(card).toMatchObject({ keys: '*, coin' })
    expect(cardMatcher([card]).match('Nothing of it.')).toHaveLength(1)
    expect(fates({ constant: true }).join()).toContain('changed entries[].constant: ')
  })

  test('is that in the book of a character, and comes back so', () => {
    const entries = [{ keys: ['x'], content: 'Always night.', comment: 'Night', constant: true }]
    const data = { name: 'Odo', first_mes: 'Sit.', description: 'A broker.', character_book: { entries } }
    const { scenarios, receipt } = read({ spec: 'chara_card_v2', data })
    const [scenario] = scenarios
    if (!scenario) throw new Error('no scenario')
    expect(scenario).toMatchObject({
      memory: 'Odo: A broker.',
      story_cards: [{ name: 'Night', keys: '*, x' }],
    })
    expect(keysIn(receipt.changed)).toContain('data.character_book.entries[].constant')
    const [entry] = JSON.parse(makeCharacterJson(scenario, AT)).data.character_book.entries
    expect(entry).toMatchObject({ ...entries[0], enabled: true })
  })

  test('heeds no second trigger', () => {
    expect(keysOf({ key: ['coin'], keysecondary: ['cold'], constant: true })).toBe('*, coin')
  })
})

test('the timing of an entry becomes that of its card, and comes back in World Info', () => {
  const cases: [entry: object, how: object | undefined][] = [
    [{ sticky: 4 }, { stays: 3 }],
    [{ cooldown: 6 }, { rests: 3 }],
    [{ delay: 8 }, { begins: 3 }],
    [{ probability: 40 }, { chance: 40 }],
    [{ group: 'inn' }, { group: 'inn' }],
    [{ probability: 40, useProbability: false, sticky: 0, delay: 1, group: '' }, undefined],
  ]
  for (const [entry, how] of cases) {
    const { story_cards } = book({ key: ['coin'], ...entry })
    expect(story_cards[0]?.timing?.how).toEqual(how as never)
    const { entries } = JSON.parse(makeWorldInfo(story_cards))
    if (how) expect(entries[0]).toMatchObject(entry)
    const again = read({ entries }).story_cards[0]
    expect(again?.timing).toEqual(story_cards[0]?.timing as never)
  }
  // Of a card's entry, SillyTavern reads what is in the extensions.
  const both = { probability: 40, group: 'inn', extensions: { probability: 100, group: '' } }
  expect(inCard(both)?.timing).toBeUndefined()
  expect(inCard({ extensions: { sticky: 2, group: 'inn' } })?.timing).toEqual({
    when: [],
    how: { stays: 2, group: 'inn' },
  })
  // In World Info they are a copy of what an entry had in a card.
  expect(book({ key: ['coin'], ...both }).story_cards[0]?.timing?.how).toEqual({ chance: 40, group: 'inn' })
})

test('entries that trigger each other become cards that do, and come back in World Info', () => {
  const file = {
    entries: [
      { key: ['coin'], content: 'A coin.' },
      { key: ['mint'], content: 'A mint.', preventRecursion: true },
      { key: ['king'], content: 'A king.', excludeRecursion: true },
      { key: ['crown'], content: 'A crown.', delayUntilRecursion: true },
    ],
  }
  const { story_cards } = read(file)
  expect(story_cards.map(({ timing }) => timing?.how ?? {})).toEqual([
    { triggers_others: true },
    {},
    { triggers_others: true, triggered_by: 'story' },
    { triggers_others: true, triggered_by: 'cards' },
  ])
  const again = read(JSON.parse(makeWorldInfo(story_cards))).story_cards
  expect(again.map(({ timing }) => timing)).toEqual(story_cards.map(({ timing }) => timing))
  // As all of them do, only the book can say it.
  const leading = story_cards.slice(0, 1)
  expect(read(JSON.parse(makeWorldInfo(leading))).story_cards).toEqual(leading)
  const alone = read({ entries: [{ key: ['coin'], content: 'A coin.', preventRecursion: false }] })
  expect(alone.story_cards[0]?.timing).toBeUndefined()
})

test('an entry that is switched off is kept, and blocked', () => {
  const [card = { keys: '', entry: '' }] = book({ key: ['coin'], disable: true }).story_cards
  expect(card).toMatchObject({ keys: '-*, coin', entry: 'Lore.' })
  expect(cardMatcher([card]).match('A coin.')).toMatchObject([{ blocked: '-*' }])
  expect(keysOf({ key: ['coin'], content: '@@dont_activate\nLore.' })).toBe('-*, coin')
  expect(keysOf({ key: ['coin'], constant: true, enabled: false })).toBe('-*, coin')
})

describe('triggers are read as by the program that wrote them', () => {
  // SillyTavern writes use_regex in every entry of a card, and RisuAI where the first trigger begins with a slash.
  const cases: [trigger: string, key: string, told: string, other: string][] = [
    ['eldoria', 'eldoria', 'In Eldoria.', 'x'],
    ['king', 'king', 'The King!', 'looking'],
    ['/drag(on|oon)s?/i', '/drag(on|oon)s?/i', 'A DRAGOON', 'drag'],
    ['/a.b/gis', '/a.b/gis', 'A\nB', 'ab'],
    ['/and/or/', '*/and/or/', 'an x/and/or/y', 'and or'],
    ['/r/lore', '*/r/lore', 'on /r/lore', 'lore'],
    ['/x(?=y)/', '*/x(?=y)/', 'is /x(?=y)/', 'xy'],
    ['Mr. Fox', 'Mr. Fox', 'mr. fox', 'Mrs Fox'],
    ['C++', 'C++', 'in C++', 'in C'],
    ['What?', 'What?', 'what?', 'wha'],
    ['-5', '*-5', 'at -5 degrees', 'at 5'],
    ['*bows*', '**bows*', '*bows*', 'bows'],
    ['Rome, Italy', 'Rome\\, Italy', 'in Rome, Italy', 'in Rome and Italy'],
    ['33,000', '33\\,000', '33,000 men', '33 000'],
    ['山、川', '山\\、川', '山、川', '山'],
    ['C:\\', 'C:\\ ', 'on C:\\', 'C:'],
  ]
  test.each(cases)('%s', (trigger, key, told, other) => {
    const { story_cards } = book({ key: ['one', trigger, 'two'], use_regex: true })
    expect(story_cards[0]?.keys).toBe(`one, ${key}, two`)
    const { match } = cardMatcher(story_cards)
    expect([match(told).length, match(other).length]).toEqual([1, 0])
    expect(exported({ key: ['one', trigger, 'two'] }).key).toEqual(['one', trigger, 'two'])
  })

  test('a constant entry is constant, whatever they are', () => {
    expect(keysOf({ key: ['/x/'], use_regex: true, constant: true })).toBe('*, /x/')
  })

  test('a pattern that is not supported is named', () => {
    expect(fates({ key: ['/x(?=y)/'] }).join()).toMatch(/changed entries\[\].key: /)
  })
})

describe('second triggers', () => {
  const both = { key: ['coin'], keysecondary: ['cold', 'wet'] }
  const cases: [what: string, entry: object, keys: string, fate?: string][] = [
    ['any', both, 'coin, +cold, +wet'],
    ['any, said', { ...both, selective: true, selectiveLogic: 0 }, 'coin, +cold, +wet'],
    ['all', { ...both, selectiveLogic: 3 }, 'coin, ++cold, ++wet'],
    ['not any', { ...both, selectiveLogic: 2 }, 'coin, -cold, -wet'],
    ['not all', { ...both, selectiveLogic: 1 }, 'coin, --cold, --wet'],
    [
      'with a copy beside them',
      { ...both, selectiveLogic: 3, extensions: { selectiveLogic: 2 } },
      'coin, ++cold, ++wet',
    ],
    ['switched off', { ...both, selective: false }, 'coin', 'left'],
    ['not switched on', { ...both, selective: undefined }, 'coin', 'left'],
    ['a pattern', { key: ['coin'], keysecondary: ['/a,b/i'] }, 'coin, +/a,b/i'],
    ['a list in a text', { key: ['coin'], keysecondary: '龙、王，-x' }, 'coin, +龙, +王, +*-x'],
  ]
  for (const [what, entry, keys, fate = 'came'] of cases)
    test(what, () => {
      expect(keysOf(entry)).toBe(keys)
      if (fate === 'came') expect(keysOf(exported(entry))).toBe(keys)
      expect(
        fates(entry)
          .filter((line) => line.includes('keysecondary'))
          .map((line) => line.split(' ')[0]),
      ).toEqual([fate])
    })

  test('that block, as Kobold has them', () => {
    const save = {
      prompt: 'x',
      gamestarted: true,
      worldinfo: [{ key: 'gate', keyanti: 'toy, sold', content: 'y', selective: true }],
    }
    expect(read(save).adventures[0]?.story_cards[0]?.keys).toBe('*gate, -*toy, -*sold')
  })
})

describe('what changes the meaning of an entry is named', () => {
  const cases: [entry: object, fate: RegExp][] = [
    [{ position: 4 }, /left .*position: Position/],
    [{ depth: 2 }, /left .*depth: Position/],
    [{ probability: 40 }, /came .*probability: Chance/],
    [{ probability: 100 }, /came .*probability/],
    [{ probability: 40, useProbability: false }, /came .*probability/],
    [{ sticky: 3 }, /changed .*sticky: Sticky/],
    [{ group: 'inn' }, /changed .*group: Group/],
    [{ excludeRecursion: true }, /came .*excludeRecursion: Which cards trigger each other/],
    [{ extensions: { probability: 5 } }, /left .*extensions.probability: Not used/],
    [{ probability: 0 }, /changed .*probability.*: .*switched off/],
    [{ probability: 0.2 }, /changed .*probability.*: .*1 percent instead of 0.2/],
    [{ sticky: 9_000 }, /changed .*sticky: .*1000 turns/],
    [{ delay: 1e9 }, /changed .*delay: .*100000 turns/],
    [{ cooldown: '6' }, /changed .*cooldown: Cooldown/],
    [{ group: 'inn, port' }, /changed .*group: .*only the first/],
    [{ key: [] }, /changed .*key: .*only when switched to always/],
    [{ key: ['Will'], caseSensitive: true }, /changed .*key: .*capitals/],
    [{ matchScenario: true }, /left .*matchScenario: Only the story/],
  ]
  for (const [entry, fate] of cases)
    test(JSON.stringify(entry), () => expect(fates(entry)).toContainEqual(expect.stringMatching(fate)))
})

test('a number that a card cannot have becomes the nearest that means the same', () => {
  const cases: [entry: object, how: How | undefined, isOff?: boolean][] = [
    [{ probability: 0 }, undefined, true],
    [{ probability: -3 }, undefined, true],
    [{ probability: 0, useProbability: false }, undefined],
    [{ probability: 0, useProbability: undefined }, undefined],
    [{ probability: 0.2 }, { chance: 1 }],
    [{ probability: 33.4 }, { chance: 33 }],
    [{ probability: '40' }, { chance: 40 }],
    [{ probability: 250 }, undefined],
    [{ probability: null }, undefined],
    [
      { sticky: 9_000, cooldown: 9_000, delay: 1e9 },
      { stays: 1_000, rests: 1_000, begins: 100_000 },
    ],
    [{ sticky: -2, cooldown: 0, delay: 2 }, undefined],
  ]
  for (const [entry, how, isOff = false] of cases) {
    const [card] = book({ key: ['coin'], ...entry }).story_cards
    expect([entry, card?.timing?.how, card?.keys]).toEqual([entry, how, isOff ? '-*, coin' : 'coin'])
  }
})

test('an entry that only others may trigger, and none may, is off', () => {
  expect(keysOf({ key: ['coin'], delayUntilRecursion: true, excludeRecursion: true })).toBe('-*, coin')
})

describe('where a trigger is looked for', () => {
  const spaced = { key: ['king', 'old mill'] }
  const cases: [entry: object, keys: string][] = [
    [spaced, 'king, old mill'],
    [{ ...spaced, matchWholeWords: null }, 'king, old mill'],
    [{ ...spaced, matchWholeWords: true }, '=king, *old mill'],
    [{ ...spaced, matchWholeWords: false }, '*king, *old mill'],
    [{ ...spaced, caseSensitive: true }, '/\\bking/, /\\bold mill/'],
    [{ ...spaced, caseSensitive: true, matchWholeWords: true }, '/\\bking\\b/, /old mill/'],
    [{ key: ['C++'], caseSensitive: true, matchWholeWords: false }, '/C\\+\\+/'],
  ]
  for (const [entry, keys] of cases)
    test(JSON.stringify(entry), () => {
      expect(keysOf(entry)).toBe(keys)
      expect(keysOf(exported(entry))).toBe(keys)
    })
})

describe('what differs by the program that wrote a book', () => {
  const risu = (entry: object) => ({ type: 'risu', data: [{ content: 'Lore.', ...entry }] })
  const agnai = (...keywords: string[]) => ({ kind: 'memory', entries: [{ entry: 'Lore.', keywords }] })
  const novel = (entry: object, more = {}) => ({
    ...{ lorebookVersion: 6, entries: [{ text: 'Lore.', keys: ['king'], enabled: true, ...entry }] },
    ...more,
  })
  const marinara = (entry: object) => ({
    extensions: { marinara: {} },
    entries: { 0: { key: ['k(in)?g'], content: 'Lore.', ...entry } },
  })
  const cases: [what: string, file: object, keys: string, how?: How][] = [
    ['RisuAI: anywhere', risu({ key: 'king, mill' }), '*king, *mill', { triggers_others: true }],
    ['RisuAI: slashes without a flag', risu({ key: '/x/i' }), '*/x/i', { triggers_others: true }],
    ['RisuAI: a pattern', risu({ key: '/x/i', useRegex: true }), '/x/i', { triggers_others: true }],
    [
      'RisuAI: whole words',
      risu({ key: 'a', content: '@@match_full_word\nx' }),
      '=a',
      { triggers_others: true },
    ],
    ['RisuAI: no recursion', risu({ key: 'a', content: '@@unrecursive\nx' }), '*a'],
    ['RisuAI: no chance', risu({ key: 'a', activationPercent: 0 }), '*a', { triggers_others: true }],
    ['Agnai: whole words', agnai('king', 'Rome, Italy'), '=king, =Rome\\, Italy'],
    ['Agnai: wildcards', agnai('drag*', 'k?ng'), '/\\bdrag\\w*\\b/i, /\\bk\\wng\\b/i'],
    ['Agnai: no slashes', agnai('/x/i'), '=/x/i'],
    ['NovelAI: whole words', novel({}), '=king'],
    ['NovelAI: cascading', novel({ nonStoryActivatable: true }), '=king', { triggers_others: true }],
    ['NovelAI: off', novel({ category: 'c' }, { categories: [{ id: 'c', enabled: false }] }), '-*, =king'],
    ['Marinara: bare patterns', marinara({ useRegex: true }), '/k(in)?g/i'],
    ['Marinara: texts', marinara({ useRegex: false }), 'k(in)?g'],
  ]
  for (const [what, file, keys, how] of cases)
    test(what, () => {
      const [card] = read(file).story_cards
      expect(card).toMatchObject({ keys })
      expect(card?.timing?.how).toEqual(how)
    })

  test('RisuAI: neither folders nor copies are entries', () => {
    const data = ['folder', 'child', 'normal'].map((mode) => ({ mode, key: mode, content: mode }))
    expect(read({ type: 'risu', data }).story_cards).toMatchObject([{ entry: 'normal' }])
  })

  test('Agnai: an entry is never constant', () => {
    const entries = [{ entry: 'Lore.', keywords: ['a'], constant: true }]
    expect(read({ kind: 'memory', entries }).story_cards).toMatchObject([{ keys: '=a' }])
  })

  test('Aventuras: the types of its entries are no groups', () => {
    const entries = { 0: { key: ['a'], content: 'x', group: 'location' } }
    const [card] = read({ scan_depth: 2, token_budget: 2048, entries }).story_cards
    expect(card?.timing).toBeUndefined()
  })
})

test('a book tells what it calls itself', () => {
  const named = { name: 'River', description: 'It is long.', entries: { 0: { key: ['a'], content: 'x' } } }
  expect(read(named).book).toEqual({ title: 'River', description: 'It is long.' })
  expect(read({ entries: named.entries }).book).toEqual({ title: '', description: '' })
})

test.each([
  ['our own', { entries: {} }],
  ['of version 3', { spec: 'lorebook_v3', data: { entries: [] } }],
  ['of Agnai', { kind: 'memory', entries: [] }],
])('a lorebook without entries is known as one: %s', (_, file) => {
  expect(() => read(file)).toThrow('no entries')
})

test('what a lorebook has no place for is said in words, and nothing else is', () => {
  const card = (fields: Partial<CardFields>): CardFields => ({
    ...{ type: '', name: 'Storm', keys: 'storm', entry: 'It comes.', notes: '' },
    ...fields,
  })
  const when: Condition[] = [{ kind: 'stat', of: 'player.Oil', is: 'at most', value: 48 }]
  const cases: [fields: Partial<CardFields>, words: string[]][] = [
    [{}, []],
    [{ timing: { when, how: { once: true, chance: 50 } } }, ['when Oil is at most 48', 'once']],
    [
      { timing: { when: [], how: { check: 'Luck', priority: 3 } } },
      ['priority 3', 'calls for the check “Luck”'],
    ],
    [{ keys: 'storm, +sea, -calm' }, [expect.any(String)]],
    [{ keys: 'storm, +*sea' }, [expect.any(String)]],
    [{ keys: '*storm, +*sea' }, []],
    [{ keys: '=storm, *the sea' }, []],
    [{ keys: '=storm, =the sea' }, [expect.any(String)]],
    [{ keys: '=storm, *the sea, *-5, /x/' }, [expect.any(String)]],
    [{ keys: '-*, storm, +sea' }, []],
    [{ notes: 'Mine.' }, ['its notes, in a lorebook']],
  ]
  for (const [fields, words] of cases) expect(lostInLore(card(fields))).toEqual(words)
})

test('what it has a place for comes back', () => {
  const hows: How[] = [
    ...[{ stays: 3 }, { rests: 2 }, { begins: 4 }, { chance: 30 }, { group: 'inn' }],
    ...[{ triggers_others: true }, { triggered_by: 'cards' as const }],
  ]
  for (const how of hows) {
    const timing = { when: [], how }
    const story_cards = [{ type: '', name: 'One', keys: 'one', entry: 'Lore.', notes: '', timing }]
    expect(lostInLore(story_cards[0] as CardFields)).toEqual([])
    expect(read(JSON.parse(makeWorldInfo(story_cards))).story_cards[0]?.timing).toEqual(timing)
  }
})

describe('the insertion order of entries', () => {
  const ordered = (...orders: (number | undefined)[]) =>
    book(...orders.map((order, uid) => ({ comment: `${uid}`, key: [`k${uid}`], displayIndex: uid, order })))
      .story_cards
  const notesOf = (...orders: (number | undefined)[]) => ordered(...orders).map(({ notes }) => notes)

  test('is noted where it says more than the order of the cards', () => {
    expect(notesOf(50, 100, undefined)).toEqual(['Insertion order: 50', 'Insertion order: 100', ''])
    for (const plain of [
      [100, 100],
      [0, 1, 2],
      [7, 8],
      [undefined, undefined],
    ])
      expect(notesOf(...plain).filter(Boolean)).toEqual([])
  })

  test('is written again from there, without being among the notes', () => {
    const cards = ordered(50, 100, undefined, -3).map((card, i) => (i === 0 ? card : { ...card, name: 'x' }))
    const { entries } = JSON.parse(makeWorldInfo(cards))
    expect(Object.values(entries)).toMatchObject([50, 100, 100, -3].map((order) => ({ order })))
    expect(read(makeWorldInfo(cards)).story_cards.map(({ notes }) => notes)).toEqual([
      'Insertion order: 50',
      'Insertion order: 100',
      'Insertion order: 100',
      'Insertion order: -3',
    ])
    expect(cards.flatMap(lostInLore)).toEqual([])
    expect(
      lostInLore({ type: '', name: 'a', keys: 'a', entry: 'b', notes: 'mine\nInsertion order: 5' }),
    ).toEqual(['its notes, in a lorebook'])
  })
})

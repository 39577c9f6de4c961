import { describe, expect, spyOn, test } from 'bun:test'
import type { ImportPlan } from '../../src/domain/portable/portable.ts'
import { parseFile } from '../../src/formats/detect.ts'
import { cleanPicture } from '../../src/formats/shared/cover.ts'
import { cardChunk, headerOf, PICTURE, pngWith } from '../support/files/card-png.ts'
import { extendedWebp, join, jpeg, movingWebp, webp } from '../support/files/pictures.ts'
import { faultsOf, keysIn, sectionsNaming } from '../support/files/receipt-faults.ts'
import { read, sample, sampleText } from './samples.ts'

const PNG = `data:image/png;base64,${PICTURE}`
const scenario = (more: object) => read({ format: 'ai-dnd-scenario-v1', prompt: 'x', ...more })
const first = ({ scenarios: [one] }: ImportPlan) => one
const story = ({ adventures: [one] }: ImportPlan) => one
const texts = (plan: ImportPlan, at = 0) =>
  plan.adventures[at]?.actions.map(({ type, text }) => `${type}: ${text}`)
const bucketOf = ({ receipt }: ImportPlan, key: string) => sectionsNaming(receipt, key)

describe('scenarios of the earlier release', () => {
  test('come whole', () => {
    expect(first(read(sampleText('bundle-scenario-full.json')))).toEqual({
      title: 'Night Market',
      description: 'Stalls and debts.',
      prompt: '${hero} counts the coins.',
      greetings: [],
      memory: 'It is always night.',
      authors_note: 'Dry.',
      ai_instructions: 'Short sentences.',
      example_dialogue: '',
      tags: 'market, night',
      icon: '🪙',
      image: PNG,
      stat_schema: { player: { coins: { min: 0, initial: 12 } } },
      story_cards: [
        { type: 'character', name: 'Odo', keys: 'odo, broker', entry: 'He lends.', notes: 'He lies.' },
      ],
    })
  })

  const tags: [what: string, more: object, tags: string][] = [
    ['no tags', {}, ''],
    ['null', { tags: null }, ''],
    ['a list', { tags: ['a', 'b'] }, 'a, b'],
    ['a number', { tags: 5 }, ''],
    ['an object', { tags: {} }, ''],
    ['a list of anything', { tags: ['a', 7, null, {}] }, 'a, 7'],
    ['megabytes', { tags: 'tag,'.repeat(1_000_000) }, 'tag,'.repeat(125).slice(0, -1)],
  ]
  for (const [what, more, wanted] of tags)
    test(`tags: ${what}`, () => expect(first(scenario(more))?.tags).toBe(wanted))

  const fields: [what: string, more: object, expected: object, path: string, bucket: string][] = [
    ['snake case', { authors_note: 'n' }, { authors_note: 'n' }, 'authors_note', 'came'],
    ['an old name', { instructions: 'i' }, { ai_instructions: 'i' }, 'instructions', 'came'],
    ['two names', { authorsNote: 'b', authors_note: 'a' }, { authors_note: 'a' }, 'authorsNote', 'left'],
    ['an unknown key', { foo: 1 }, {}, 'foo', 'left'],
    ['a numeric title', { title: 5 }, { title: 'Imported Scenario' }, 'title', 'left'],
    ['a blank title', { title: ' ' }, { title: 'Imported Scenario' }, 'title', 'came'],
    ['a title of 300', { title: 'x'.repeat(300) }, { title: 'x'.repeat(200) }, 'title', 'changed'],
    ['a title of 200 foxes', { title: '🦊'.repeat(200) }, { title: '🦊'.repeat(200) }, 'title', 'came'],
    [
      'tags of 900',
      { tags: 'a tag,'.repeat(150) },
      { tags: 'a tag,'.repeat(83).slice(0, -1) },
      'tags',
      'changed',
    ],
    ['a long icon', { icon: 'x'.repeat(17) }, { icon: 'x'.repeat(16) }, 'icon', 'changed'],
    ['a long text', { memory: 'x'.repeat(50_001) }, { memory: 'x'.repeat(50_000) }, 'memory', 'changed'],
    ['a lone surrogate', { memory: 'a\ud800b' }, { memory: 'a\ufffdb' }, 'memory', 'came'],
    ['a schema that is a text', { statSchema: 'x' }, { stat_schema: null }, 'statSchema', 'left'],
    [
      'a schema with a fault',
      { statSchema: { world: { a: { min: 2, max: 1 } } } },
      { stat_schema: null },
      'statSchema',
      'left',
    ],
    ['scripts', { scripts: [{ name: 'x' }] }, {}, 'scripts', 'left'],
    ['cards that are an object', { storyCards: { a: 1 } }, { story_cards: [] }, 'storyCards', 'left'],
    ['a javascript picture', { image: 'javascript:alert(1)' }, { image: '' }, 'image', 'left'],
    ['a picture elsewhere', { image: 'http://x.example/a.png' }, { image: '' }, 'image', 'left'],
    ['an SVG', { image: 'data:image/svg+xml;base64,PHN2Zy8+' }, { image: '' }, 'image', 'left'],
    ['too large a picture', { image: `${PNG}${'A'.repeat(400_000)}` }, { image: '' }, 'image', 'left'],
    ['a picture and an icon', { image: PNG, icon: '🏮' }, { image: PNG, icon: '🏮' }, 'image', 'came'],
    [
      'a picture with line breaks',
      { image: PNG.replace(/.{50}/g, '$&\n').replace('\n', '') },
      { image: PNG },
      'image',
      'changed',
    ],
    ['a picture of another type', { image: PNG.replace('png', 'webp') }, { image: PNG }, 'image', 'changed'],
  ]
  for (const [what, more, expected, path, bucket] of fields)
    test(what, () => {
      const plan = scenario(more)
      expect(first(plan)).toMatchObject(expected)
      expect(bucketOf(plan, path)).toEqual([bucket])
    })

  test('bring cards under any of their names', () => {
    for (const key of ['storyCards', 'story_cards', 'worldInfo', 'worldInformation']) {
      const plan = scenario({
        [key]: [{ title: 'Gate', keys: 'gate', value: 'Shut.', description: 'private' }],
      })
      expect(first(plan)?.story_cards).toEqual([
        { type: '', name: 'Gate', keys: 'gate', entry: 'Shut.', notes: 'private' },
      ])
    }
  })
})

describe('our own adventures', () => {
  test('come exactly as they were', () => {
    const file = sample('own-adventure-counted.json')
    const { format: _, version: __, exported_at: ___, ...fields } = file
    const { scenario } = fields
    expect(story(read(file))).toEqual({
      ...fields,
      example_dialogue: '',
      scenario: { ...scenario, greetings: [], example_dialogue: '' },
      propose_cards: false,
      language: '',
    })
  })

  test('whose record says other than its live variant take the variant at its word', () => {
    const file = sample('own-adventure-counted.json')
    file.actions[2].world_delta.verdicts = []
    const told = story(read(file))?.actions[2]
    expect(told?.world_delta).toBeNull()
    expect(JSON.stringify(told)).not.toContain('break')
  })

  test('with nothing but a passage are a story all the same', () => {
    expect(story(read(sample('own-adventure-bare.json')))).toMatchObject({
      title: 'Bare',
      actions: [{ type: 'ai', text: 'Rain.', variants: [] }],
      world_state: {},
    })
  })

  test('whose numbers do not follow are fitted to their schema and marked', () => {
    const adventure = story(read(sample('own-adventure-sloppy.json')))
    expect(adventure).toMatchObject({
      title: 'Untitled Adventure',
      world_state: { player: { oil: 10 }, milestones: { home: true } },
      summary: { covers: 2 },
      story_cards: [{ source_ref: 'card:7' }, { source_ref: null }],
      memories: [
        { text: 'Too far.', source_start: 0, source_end: 2 },
        { text: 'Backwards.', source_start: null },
      ],
    })
    expect(Object.keys(adventure?.placeholders ?? {})).toEqual(['Your name', '__proto__'])
    const [start, told, line] = adventure?.actions ?? []
    expect(JSON.stringify(start)).not.toContain('break')
    expect(told?.variants).toMatchObject([{ break: 'import' }, { break: 'import' }])
    expect(told).toMatchObject({ text: 'Ten.', variant_index: 1, cut: null })
    expect(line?.world_delta).toEqual({ break: 'import' })
  })
})

describe('our own scenarios', () => {
  test('come exactly as they were', () => {
    for (const name of ['own-scenario-plain.json', 'own-scenario-full.json']) {
      const { format: _, version: __, exported_at: ___, ...fields } = sample(name)
      expect(first(read(sampleText(name)))).toEqual({ greetings: [], example_dialogue: '', ...fields })
    }
  })
})

const [photo, placed, still, film] = [
  await jpeg(),
  await jpeg({ exif: true }),
  await webp(),
  await movingWebp(),
]

describe('clean pictures', () => {
  const uri = (bytes: Uint8Array, type = 'png') =>
    `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
  const cases: [what: string, uri: string, wanted: string | null][] = [
    ['a still PNG', PNG, PNG],
    ['a still WebP', uri(still, 'webp'), uri(still, 'webp')],
    ['a still JPEG', uri(photo, 'jpeg'), uri(photo, 'jpeg')],
    ['a JPEG that says PNG', uri(photo, 'png'), uri(photo, 'jpeg')],
    ['a JPEG that says where it was taken', uri(placed, 'jpeg'), uri(photo, 'jpeg')],
    ['an animated WebP', uri(film), null],
    ['a WebP with a tail', uri(join(still, '<h>')), null],
    ['a JPEG with a tail', uri(join(photo, '<h>')), null],
    ['a JPEG with another one behind it', uri(join(photo, photo)), null],
    ['a JPEG that is words between its ends', uri(join('\xff\xd8\xff', '<h>', '\xff\xd9')), null],
    ['an animated PNG', uri(pngWith([{ type: 'acTL', data: new Uint8Array(8) }])), null],
    ['a PNG of ten thousand million pixels', uri(pngWith([], [], headerOf(100_000, 100_000))), null],
    ['a PNG with a text', uri(pngWith([{ type: 'tEXt', data: Buffer.from('a\0b') }])), PNG],
    ['a PNG with a packed profile', uri(pngWith([{ type: 'iCCP', data: Buffer.alloc(900) }])), PNG],
    ['a PNG without pixels', uri(new Uint8Array(Buffer.from(PICTURE, 'base64').subarray(0, 33))), null],
    ['a GIF', uri(new Uint8Array(Buffer.from('GIF89a......;')), 'gif'), null],
    ['HTML', uri(new Uint8Array(Buffer.from('<html>'))), null],
    ['an address', 'https://example.com/a.png', null],
    ['wrong padding', 'data:image/png;base64,A', null],
    ['nothing', 'data:image/png;base64,', null],
  ]
  for (const [what, given, wanted] of cases) test(what, () => expect(cleanPicture(given)).toBe(wanted))

  test('a WebP that says where it was taken is one without it, and still a picture', async () => {
    const kept = cleanPicture(uri(await extendedWebp())) ?? ''
    const bytes = Buffer.from(kept.split(',')[1] ?? '', 'base64')
    expect(bytes.includes('GPSLatitude')).toBe(false)
    expect(await new Bun.Image(bytes).metadata()).toEqual({ width: 8, height: 5, format: 'webp' })
  })
})

describe('adventures of the earlier release, in one line', () => {
  const v1 = (actions: unknown[], more: object = {}) =>
    read({ format: 'ai-dnd-adventure-v1', actions, ...more })
  const told = (index: number, variants: unknown, variantIndex: unknown = 0) => ({
    index,
    type: 'ai',
    text: '',
    variants,
    variantIndex,
  })
  const three = [{ text: 'a' }, { text: 'b' }, { text: 'c' }]

  test('come with their variants, and with the state that the last one left', () => {
    const plan = read(sampleText('bundle-v1-lamp.json'))
    expect(texts(plan)).toEqual(['start: Dusk.', 'do: > You wait.', 'ai: Rain.'])
    expect(story(plan)).toMatchObject({
      title: 'Lamp',
      world_state: { player: { oil: 3 } },
      stat_schema: null,
    })
    expect(story(plan)?.actions[2]).toMatchObject({
      variant_index: 0,
      created_at: '2026-08-03T10:01:09.000Z',
      variants: [
        {
          text: 'Rain.',
          created_at: '2026-08-03T10:01:09.000Z',
          world_state: { state: { player: { oil: 3 } } },
        },
        { text: 'Snow.' },
      ],
    })
  })

  const cases: [what: string, action: object, live: string, variants: string[]][] = [
    ['three variants, the second live', told(0, three, 1), 'b', ['a', 'b', 'c']],
    ['a live variant behind the last', told(0, three, 9), 'c', ['a', 'b', 'c']],
    ['a live variant before the first', told(0, three, -1), 'a', ['a', 'b', 'c']],
    ['a live variant that is no number', told(0, three, 'x'), 'a', ['a', 'b', 'c']],
    ['a variant without a word', told(0, [{ text: 'a' }, { text: '' }, { text: 'c' }], 2), 'c', ['a', 'c']],
    [
      'a live variant without a word',
      told(0, [{ text: 'a' }, { text: '' }, { text: 'c' }], 1),
      'a',
      ['a', 'c'],
    ],
    ['words that were edited', { ...told(0, three, 1), text: 'B' }, 'B', ['a', 'B', 'c']],
    ['no list of variants', { type: 'ai', text: 'only' }, 'only', []],
    ['variants that are no list', { type: 'ai', text: 'only', variants: 5 }, 'only', []],
  ]
  for (const [what, action, live, variants] of cases)
    test(what, () => {
      const [, narration] = story(v1([action]))?.actions ?? []
      expect(narration?.text).toBe(live)
      expect(narration?.variants.map(({ text }) => text)).toEqual(variants)
      if (variants.length > 0) expect(narration?.variants[narration.variant_index]?.text).toBe(live)
    })

  test('have their odd passages put in order, and said', () => {
    const plan = read(sampleText('bundle-v1-odd.json'))
    expect(texts(plan)).toEqual([
      'start: Dusk.',
      'do: > You a.',
      'do: > You b.',
      'ai: One.',
      'ai: Edited.',
      'ai: Left.',
      'a type with a very l: Odd.',
    ])
    expect(story(plan)?.title).toBe('Imported Adventure')
    expect(story(plan)?.actions[3]?.variants.map(({ text }) => text)).toEqual(['One.', 'Two.'])
    expect(bucketOf(plan, 'actions[].index')).toContain('changed')
    expect(bucketOf(plan, 'actions[]')).toEqual(['left'])
    expect(bucketOf(plan, 'memoryCursor')).toEqual(['left'])
  })

  test('have memories and a summary that reach as far as they did, whatever the numbers were', () => {
    const adventure = story(read(sampleText('bundle-v1-remembered.json')))
    expect(adventure?.actions.map(({ type }) => type)).toEqual(['start', 'story', 'ai', 'say'])
    expect(adventure?.memories).toMatchObject([
      { text: 'Rain.', pinned: true, source_start: 1, source_end: 2, use_count: 3 },
      { text: 'By hand.', source_start: null, source_end: null },
    ])
    expect(adventure).toMatchObject({
      story_summary: 'It rained.',
      summary: { covers: 2, made_by: 'player' },
    })
  })

  test('without anything are an empty story', () => {
    expect(texts(v1([]))).toEqual(['start: '])
    expect(story(v1([]))).toMatchObject({ world_state: {}, memories: [], placeholders: {} })
  })
})

describe('adventures of the earlier release that branch', () => {
  const v2 = (more: object) => () => read({ format: 'ai-dnd-adventure-v2', actions: [], ...more })
  const at = (branch: number, depth: number, text: string, live = true) => ({
    branch,
    depth,
    live,
    type: 'ai',
    text,
  })

  test('become the line on which the player stands; the other branches are offered', () => {
    const plan = read(sampleText('bundle-v2-tree.json'))
    expect(texts(plan)).toEqual(['start: Dusk.', 'do: > You wait.', 'ai: Wind.'])
    expect(texts(plan, 1)).toEqual(['start: Dusk.', 'do: > You wait.', 'ai: Rain.'])
    expect(plan.adventures.map(({ title }) => title)).toEqual(['Lamp', 'Lamp (branch 1)'])
    expect(plan.adventures[1]?.actions[2]?.variants.map(({ text }) => text)).toEqual(['Rain.', 'Snow.'])
    expect(plan.adventures[0]?.actions[1]?.world_state_before).toEqual({ player: { oil: 3 } })
    expect(plan.adventures[0]?.actions[2]?.variants[0]?.world_state).toEqual({
      delta: { 'player.oil': -1 },
      report: { applied: [{ path: 'player.oil', old: 3, new: 2 }] },
      state: { player: { oil: 2 } },
    })
    expect(plan.adventures.map(({ memories }) => memories.map(({ text }) => text))).toEqual([
      ['By hand.'],
      ['Rain came.', 'By hand.'],
    ])
  })

  test('share their past with the branch that they left, up to the fork', () => {
    const branches = [
      { parent: null },
      { parent: 0, forkDepth: 1 },
      { parent: 1, forkDepth: 2 },
      { parent: 1, forkDepth: 0 },
    ]
    const actions = [0, 1, 2, 3].map((depth) => at(0, depth, `a${depth}`))
    const plan = v2({
      branches,
      headBranch: 2,
      actions: [...actions, at(1, 2, 'b2'), at(1, 3, 'b3'), at(2, 3, 'c3'), at(3, 1, 'd1')],
    })()
    const words = plan.adventures.map(({ actions: told }) =>
      told
        .slice(1)
        .map(({ text }) => text)
        .join(' '),
    )
    expect(words).toEqual(['a0 a1 b2 c3', 'a0 a1 a2 a3', 'a0 a1 b2 b3', 'a0 d1'])
  })

  test('have one live variant at each place', () => {
    const [adventure] = read(sampleText('bundle-v2-odd.json')).adventures
    expect(adventure?.actions.map(({ text }) => text)).toEqual(['Dusk.', 'First.', '> You a.', 'No live.'])
    expect(adventure?.actions[2]?.world_state_before).toEqual({})
    expect(adventure?.actions[3]?.world_state_before).toBeNull()
  })

  const refusals: [what: string, more: object, sentence: RegExp][] = [
    ['a parent that comes later', { branches: [{ parent: 1, forkDepth: 0 }, {}] }, /Branch 1 .* before it/],
    ['a parent that is no number', { branches: [{}, { parent: true, forkDepth: 0 }] }, /Branch 2/],
    ['a fork without a place', { branches: [{}, { parent: 0 }] }, /where it begins/],
    ['a long name', { branches: [{ name: 'x'.repeat(81) }] }, /80 characters/],
    ['a name that is no text', { branches: [{ name: 5 }] }, /name/],
    [
      'an action on no branch',
      { branches: [{}, { parent: 0, forkDepth: 0 }], actions: [at(7, 0, 'x')] },
      /Passage 1 .* branch/,
    ],
    ['an action without a depth', { actions: [{ branch: 0, text: 'x' }] }, /where it belongs/],
    ['an action below the ground', { actions: [at(0, -1, 'x')] }, /where it belongs/],
    ['a forest', { branches: Array(1_001).fill({}) }, /more than 1000/],
  ]
  for (const [what, more, sentence] of refusals)
    test(`${what} refuses the file`, () => expect(v2(more)).toThrow(sentence))

  test('are offered as far as they can be, and said where not', () => {
    const branches = [{ parent: null }, ...Array(300).fill({ parent: 0, forkDepth: 0 })]
    const plan = v2({
      branches,
      actions: [at(0, 0, 'root'), ...branches.slice(1).map((_, i) => at(i + 1, 1, `b${i}`))],
    })()
    expect(plan.adventures).toHaveLength(100)
    expect(JSON.stringify(plan.receipt.left)).toContain('Too many branches to import')
  })
})

describe('story cards alone', () => {
  const cards = (value: unknown) => read(value).story_cards

  test('of a list or of an object that holds one', () => {
    expect(cards(sample('cards-official.json')).map(({ name }) => name)).toEqual(['The lamp', 'Odo'])
    expect(cards(sample('cards-official.json'))[1]).toEqual({
      type: 'character',
      name: 'Odo',
      keys: 'odo',
      entry: 'He lends.',
      notes: 'He lies.',
    })
    for (const name of ['cards-object.json', 'cards-world-info.json'])
      expect(cards(sample(name))).toMatchObject([{ keys: 'gate', entry: 'Shut.' }])
  })

  test('of an object with a title, and of a scenario', () => {
    const list = [{ keys: 'gate', value: 'Shut.' }]
    expect(cards({ title: 'Market', cards: list })).toHaveLength(1)
    expect(first(read({ title: 'Market', prompt: 'x', cards: list }))?.story_cards).toHaveLength(1)
  })

  test('in all the ways in which they are written', () => {
    const plan = read(sample('cards-sloppy.json'))
    expect(plan.story_cards).toEqual([
      { type: '', name: 'Swapped', keys: 'a, b, c', entry: 'The text is here.', notes: '' },
      { type: '', name: 'Named', keys: 'Named', entry: 'No triggers.', notes: '' },
      { type: '', name: 'Same', keys: 'same', entry: 'Both.', notes: '' },
      { type: '', name: '12', keys: '12', entry: 'Numbered.', notes: '' },
    ])
    expect(keysIn(plan.receipt.left)).toEqual(['[]'])
  })

  test('cut to the lengths that a card may have', () => {
    const long = {
      keys: 'k'.repeat(60_000),
      value: 'v'.repeat(60_000),
      title: 't'.repeat(300),
      type: 'y'.repeat(300),
    }
    const [card] = cards([long])
    expect(Object.values(card ?? {}).map((text) => String(text).length)).toEqual([
      100, 200, 50_000, 50_000, 0,
    ])
  })
})

describe('characters', () => {
  test('of the first version, with their stand-ins for names', () => {
    const one = first(read(sample('card-v1.json')))
    expect(one).toMatchObject({
      title: 'Odo',
      prompt: '"${Your name}," says Odo, "sit." {{roll:d6}}',
      memory:
        'Odo: Odo is a broker. Odo lends to ${Your name}.\n\nPersonality: dry\n\nScenario: A night market.',
      example_dialogue: '<START>\n${Your name}: hi\nOdo: no.',
      story_cards: [],
    })
  })

  test('of the second, whose other greetings are openings to choose from', () => {
    const { scenarios } = read(sample('card-v2.json'))
    expect(scenarios.map(({ title, prompt, greetings }) => [title, prompt, greetings])).toEqual([
      ['Odo', 'Sit.', ['Stand.', 'Run, ${Your name}.']],
    ])
    expect(scenarios[0]).toMatchObject({
      description: 'For two.\n\nby M., version 1.2',
      memory: 'Odo: A broker.',
      authors_note: 'He is lying.',
      ai_instructions: 'Be dry.\n\nAbove all: Never pay.',
      tags: 'market, debt',
      story_cards: [
        { keys: '*', entry: 'It is always night.' },
        { name: 'off', keys: '-*, off', entry: 'Hidden.' },
        { name: 'coin', keys: 'coin, +cold', entry: 'Coins are cold.' },
        { name: 'Stall', keys: 'stall, tent', entry: 'Stalls move.', notes: 'private\nInsertion order: 20' },
      ],
    })
  })

  test('of the third, with patterns, decorations and a picture', () => {
    const one = first(read(sample('card-v3.json')))
    expect(one).toMatchObject({
      title: 'Odo Marr',
      description: 'nickname Odo',
      prompt: 'Sit, Odo says.',
      image: PNG,
      memory: 'Odo: A broker.',
    })
    expect(one?.story_cards).toMatchObject([
      { keys: '*, /sta(ll|nd)s?/gi, */(?<=x)y/', entry: 'Always here.' },
      { type: '', name: '/ten+t/', keys: '/ten+t/', entry: 'Tents.', notes: '' },
    ])
  })

  describe('with fields elsewhere than the specification says', () => {
    const book = (key: string) => ({ entries: [{ keys: [key], content: 'Lore.', enabled: true }] })
    const data = { name: 'Odo', first_mes: 'Sit.', description: 'A broker.' }
    const cases: [what: string, file: object, expected: object][] = [
      ['a book beside data', { data, character_book: book('a') }, { story_cards: [{ keys: 'a' }] }],
      [
        'a book in data and one beside it',
        { data: { ...data, character_book: book('a') }, character_book: book('b') },
        { story_cards: [{ keys: 'a' }] },
      ],
      [
        'an empty one in data',
        { data: { ...data, character_book: null }, character_book: book('b') },
        { story_cards: [{ keys: 'b' }] },
      ],
      [
        'a book in the extensions',
        { data: { ...data, extensions: { character_book: book('a') } } },
        { story_cards: [{ keys: 'a' }] },
      ],
      [
        'some texts beside data',
        { description: 'x', alternate_greetings: ['Stand.'], tags: ['a'], data },
        { memory: 'Odo: A broker.', greetings: ['Stand.'], tags: 'a' },
      ],
      [
        'texts beside blank ones in data',
        { first_mes: 'Sit.', name: 'Odo', data: { name: '', first_mes: '' } },
        { title: 'Odo', prompt: 'Sit.' },
      ],
      ['no data at all', { ...data, character_book: book('a') }, { story_cards: [{ keys: 'a' }] }],
      ['no opening', { name: 'Odo', description: 'A broker.', personality: 'dry' }, { title: 'Odo' }],
      ['another number of the version', { spec: 'chara_card_v4', data }, { prompt: 'Sit.' }],
    ]
    test.each(cases)('%s', (_, file, expected) => {
      const { scenarios, receipt } = read({ spec: 'chara_card_v2', ...file })
      expect(scenarios).toMatchObject([expected])
      expect(faultsOf({ spec: 'chara_card_v2', ...file }, receipt)).toEqual([])
    })
  })

  test('with other openings that are none', () => {
    const greetings = (alternate_greetings: unknown) =>
      read({ spec: 'chara_card_v2', data: { name: 'Odo', first_mes: 'Sit.', alternate_greetings } })
    const cases: [written: unknown, openings: string[], section: string][] = [
      ['1687194031049', [], 'left'],
      [1687194031049, [], 'left'],
      [[5, '7', '2023-08-14T10:00:00Z'], [], 'left'],
      [['Stand.', 5], ['Stand.'], 'changed'],
      [{ a: 'Stand.' }, ['Stand.'], 'came'],
      ['Stand.', ['Stand.'], 'came'],
    ]
    for (const [written, openings, section] of cases) {
      const plan = greetings(written)
      expect([written, first(plan)?.greetings]).toEqual([written, openings])
      expect(bucketOf(plan, 'data.alternate_greetings')).toEqual([section])
    }
  })

  test('of other programs, and sloppy ones', () => {
    expect(first(read(sample('card-pygmalion.json')))).toMatchObject({
      title: 'Odo',
      prompt: 'Sit.',
      memory: 'Odo: A broker.\n\nScenario: Night.',
    })
    const { scenarios } = read(sample('card-sloppy.json'), 'odo.card.json')
    expect(scenarios).toMatchObject([
      {
        title: 'odo',
        prompt: '',
        memory: 'odo: 42',
        tags: 'market, debt',
        story_cards: [],
        greetings: ['Stand.'],
      },
    ])
  })

  test('in YAML, as text-generation-webui keeps them', () => {
    const yaml =
      'name: Odo\ncontext: |-\n  {{char}} keeps the pier.\n  <USER> is late.\ngreeting: "Sit, {{user}}."\nyour_name: You\n'
    const { kind, scenarios, receipt } = read(yaml, 'Odo.yaml')
    expect(kind).toBe('character-card')
    expect(scenarios).toMatchObject([
      {
        title: 'Odo',
        memory: 'Odo: Odo keeps the pier.\n${Your name} is late.',
        prompt: 'Sit, ${Your name}.',
      },
    ])
    expect(receipt.left).toEqual([{ what: 'Not used', count: 1, keys: ['your_name'] }])
  })

  test('in YAML whose aliases hold far more than the file are refused before they are written out', () => {
    const layers = Array.from(
      { length: 5 },
      (_, i) => `a${i}: &a${i} [${`*${i ? `a${i - 1}` : 'text'}, `.repeat(10)}]`,
    )
    const yaml = `name: Odo\ncontext: &text ${'x'.repeat(500)}\n${layers.join('\n')}\n`
    const stringify = spyOn(JSON, 'stringify')
    expect(() => read(yaml, 'Odo.yaml')).toThrow('broken or too large')
    const lengths = stringify.mock.results.map(({ value }) => String(value).length)
    stringify.mockRestore()
    expect(Math.max(0, ...lengths)).toBeLessThan(1_000_000)
    expect(() => read('name: &a [*a]\ncontext: x', 'Odo.yaml')).toThrow('broken or too large')
  })

  test('that carry a whole scenario of ours bring that one', () => {
    const own = sample('own-scenario-full.json')
    const card = sample('card-v2.json')
    card.data.extensions.inglenook = own
    const { format: _, version: __, exported_at: ___, ...fields } = own
    expect(read(card).scenarios).toEqual([{ ...fields, greetings: [] }])
    own.image = ''
    const { scenarios, receipt } = parseFile(pngWith([cardChunk('ccv3', card, 'tEXt')]), 'x.png')
    expect(scenarios).toEqual([{ ...fields, greetings: [], image: '' }])
    expect(keysIn(receipt.left)).toContain('picture')
  })

  test('have plot essentials that are never too long, and nothing is lost for it', () => {
    const entries = [{ keys: [], content: 'e'.repeat(30_000), constant: true, enabled: true }]
    const data = {
      name: 'Long',
      description: 'd'.repeat(30_000),
      first_mes: 'x',
      character_book: { entries },
    }
    const one = first(read({ spec: 'chara_card_v2', data }))
    expect(one?.memory).toHaveLength(30_006)
    expect(one?.story_cards).toMatchObject([{ keys: '*', entry: 'e'.repeat(30_000) }])
    const longer = first(read({ spec: 'chara_card_v2', data: { ...data, personality: 'p'.repeat(40_000) } }))
    expect(longer?.memory).toHaveLength(50_000)
  })
})

describe('books of lore', () => {
  test('of SillyTavern, in the order in which they are shown', () => {
    expect(read(sample('world-info.json')).story_cards).toEqual([
      { type: '', name: 'Off', keys: '-*, off', entry: 'Hidden.', notes: '' },
      {
        type: '',
        name: 'coin',
        keys: 'coin, *-purse',
        entry: 'Coins are cold.',
        notes: 'Insertion order: 100',
      },
      { type: '', name: 'Stall', keys: 'stall, +tent', entry: 'Stalls move.', notes: 'Insertion order: 100' },
      {
        type: '',
        name: 'Night',
        keys: '*',
        entry: 'Always night, ${Your name}.',
        notes: 'Insertion order: 5',
      },
    ])
  })

  test('of a character that is not there, and sloppy ones', () => {
    expect(read(sample('world-info-v3.json')).story_cards).toMatchObject([
      { keys: 'stall', entry: 'Stalls move.' },
    ])
    expect(read(sample('world-info-sloppy.json')).story_cards).toMatchObject([
      { name: '3', keys: '', entry: 'Kept.' },
      { keys: 'a\\,b', entry: 'Comma.' },
    ])
  })
})

describe('chats of SillyTavern', () => {
  test('with texts from other keys', () => {
    const plan = read(sampleText('chat-swipes.jsonl'))
    expect(texts(plan)).toEqual([
      'start: Sit, Mira.',
      'story: I sit.',
      'ai: He nods, edited.',
      'ai: He hid this.',
      'do: > You sit.',
    ])
    expect(story(plan)).toMatchObject({
      title: 'Odo',
      authors_note: 'Dry.',
      placeholders: { 'Your name': 'Mira' },
    })
    expect(story(plan)?.actions[2]).toMatchObject({
      variant_index: 1,
      reasoning: 'Nod.',
      created_at: '2024-10-01T10:02:03.040Z',
      variants: [
        { text: 'He waits.', reasoning: 'Wait.', created_at: '2024-10-01T10:01:00.000Z' },
        { text: 'He nods, edited.', reasoning: 'Nod.' },
        { text: 'He leaves.', reasoning: null },
      ],
    })
    expect(
      story(plan)
        ?.actions.slice(0, 2)
        .map(({ created_at }) => created_at),
    ).toEqual(['2024-10-01T10:00:00.000Z', '2024-10-01T10:03:20.000Z'])
    expect(
      story(plan)
        ?.actions.map(({ hidden = false }) => hidden)
        .slice(2, 4),
    ).toEqual([false, true])
    expect(bucketOf(plan, 'lines[]')).toEqual(['left'])
  })

  test('of an older kind, and without an opening', () => {
    expect(texts(read(sampleText('chat-old.jsonl'), 'night.jsonl'))).toEqual([
      'start: ',
      'do: > You knock.',
      'ai: A: The door opens.',
      'ai: B: Someone coughs.',
      'say: > You say "Hello."',
    ])
    expect(story(read(sampleText('chat-old.jsonl'), 'night.jsonl'))?.title).toBe('night')
  })

  test('of a group, whose names stay with the words', () => {
    const line = (name: string, mes: string, more: object = {}) => JSON.stringify({ name, mes, ...more })
    const lines = [
      '{"user_name":"unused","character_name":"unused","chat_metadata":{}}',
      line('Odo', 'I am {{char}}, {{user}}.'),
      line('Mira', 'I sit.', { is_user: true }),
      line('Tamsin', 'Tamsin: no.', { swipes: ['Tamsin: no.', 'Yes.'], swipe_id: 0 }),
      line('System', 'Night falls.', { extra: { type: 'narrator' } }),
    ]
    const plan = read(lines.join('\n'), 'night.jsonl')
    expect(texts(plan)).toEqual([
      'start: Odo: I am Odo, Mira.',
      'story: I sit.',
      'ai: Tamsin: no.',
      'ai: Night falls.',
    ])
    expect(story(plan)?.actions[2]?.variants.map(({ text }) => text)).toEqual(['Tamsin: no.', 'Tamsin: Yes.'])
    expect(story(plan)?.title).toBe('night')
    expect(bucketOf(plan, 'lines[].name')).toContain('changed')
    const room = [line('Ada', 'a', { is_user: true }), line('Bo', 'b', { is_user: true }), line('Odo', 'c')]
    expect(texts(read(room.join('\n')))).toEqual(['start: ', 'story: Ada: a', 'story: Bo: b', 'ai: c'])
  })

  test('with broken lines', () => {
    const plan = read(sampleText('chat-broken.jsonl'))
    expect(texts(plan)).toEqual(['start: Nested.', 'ai: 12'])
    expect(story(plan)?.actions[1]?.variants.map(({ text }) => text)).toEqual(['12', 'Twelve.'])
    expect(plan.receipt.left).toContainEqual({
      what: expect.stringContaining('broken'),
      count: 2,
      keys: ['lines[]'],
    })
  })
})

describe('texts', () => {
  test('are what looks like YAML and is a dialogue, a list or a note', () => {
    for (const text of [
      'Odo: Sit.\nMira: No.\nOdo: Then stand.',
      'Note: the lamp is out.\n\nSomebody knocks: twice.',
      'Things:\nthe lamp is out\n',
      '- a lamp\n- a rope',
      '---\ntitle: Lamp\n---\nThe lamp is out.',
      `${'\n'.repeat(900_000)}The lamp is out.`,
    ])
      expect(read(text, 'a.txt').kind).toBe('text')
  })

  test('are the opening of a scenario, under the name of their file', () => {
    const plan = read(sampleText('text-plain.txt'), 'Lamp.txt')
    expect(first(plan)).toMatchObject({
      title: 'Lamp',
      prompt: 'The lamp is out.\n\nSomebody knocks, and ${Your name} does not answer.',
    })
    expect(plan.receipt.came).toEqual([{ what: 'Opening', count: 1, keys: ['text'] }])
  })

  test('have their heading as a title', () => {
    expect(first(read(sampleText('text-heading.md')))).toMatchObject({
      title: 'The Lamp Road',
      prompt: 'The lamp is **out**.\n\n## Night\n\nSomebody knocks.',
    })
    expect(first(read(sampleText('text-bare.md'), 'a.md'))).toMatchObject({
      title: 'a',
      prompt: '# Only a heading',
    })
  })

  test('that are long, or have lines of a player, are stories; only the opening is the alternative', () => {
    const long = read('The lamp is out. '.repeat(3_000))
    expect(long).toMatchObject({ alternative: 'scenarios', receipt: { changed: [], left: [] } })
    expect(long.adventures[0]?.actions.length).toBeGreaterThan(10)
    expect(read('The lamp is out.\n\n> look\n\nNothing.')).toMatchObject({ alternative: 'scenarios' })
    expect(read('The lamp is out.')).toMatchObject({ alternative: 'adventures' })
  })

  test('of a web page are read without its markup', () => {
    const page = '<!DOCTYPE html><title>Lamp</title><p>The lamp<br>is out.<p>Somebody knocks.'
    expect(first(read(page))).toMatchObject({
      title: 'Lamp',
      prompt: 'The lamp\nis out.\n\nSomebody knocks.',
    })
  })
})

describe('saves of Kobold', () => {
  test('of an adventure', () => {
    const plan = read(sample('kobold-adventure.json'))
    expect(texts(plan)).toEqual([
      'start: You stand at a gate.',
      'do: > You open the gate.',
      'ai: It is shut.',
      'do: > You knock.',
      'ai: Someone coughs.',
    ])
    expect(texts(plan, 1)).toEqual([
      'start: You stand at a gate.',
      'do: > You open the gate.',
      'ai: It is open.',
      'do: > You go.',
      'ai: The road is long.',
    ])
    expect(plan.adventures[1]).toMatchObject({ title: 'a file: branch 2', branch: { id: 1, from: 0, at: 1 } })
    expect(plan.adventures[1]?.actions[4]?.reasoning).toBe('Far?')
    expect(plan.adventures[0]?.branch).toMatchObject({ id: 0, from: null, main: true })
    expect(story(plan)).toMatchObject({
      memory: 'It is night.',
      authors_note: '[Note: Dry.]',
      story_cards: [
        { name: 'Gate', keys: '*gate, *door', entry: 'The gate is iron.', source_ref: null },
        { keys: '-*, *off', entry: 'Hidden.' },
        { keys: '*', entry: 'Always night.' },
      ],
    })
    expect(JSON.stringify(plan)).not.toContain('never read')
  })

  test('of instructions and of a chat', () => {
    expect(texts(read(sample('kobold-instruct.json')))).toEqual([
      'start: ',
      'story: Tell me of the lamp.',
      'ai: It is out.',
      'story: Why?',
      'ai: Nobody pays.',
    ])
    expect(texts(read(sample('kobold-chat.json')))).toEqual([
      'start: Odo: Sit.',
      'story: I sit.',
      'ai: Odo: Good.\nSo tell me.',
      'story: No.',
    ])
  })

  test('of instructions in the words of another model', () => {
    const plan = read(sample('kobold-tags.json'))
    expect(texts(plan)).toEqual([
      'start: ',
      'story: Tell me of the lamp.',
      'ai: It is out.',
      'story: Why?',
      'ai: Nobody pays.',
    ])
    expect(story(plan)?.actions[2]?.reasoning).toBe('Which lamp?')
    expect(story(plan)?.story_cards).toMatchObject([{ keys: '*lamp' }])
    expect(keysIn(plan.receipt.left)).toContain('worldinfo[].wigroup')
  })

  test('of its elder sister', () => {
    const plan = read(sample('kobold-united.json'))
    expect(texts(plan)).toEqual(['start: A gate.', 'ai: It opens.'])
    expect(story(plan)?.actions[1]?.variants.map(({ text }) => text)).toEqual(['It stays shut.', 'It opens.'])
    expect(story(plan)).toMatchObject({ authors_note: 'n', story_cards: [{ keys: '*gate' }] })
  })
})

import { describe, expect, test } from 'bun:test'
import { snippetOf } from '../../../src/domain/adventure.ts'
import { type CoverShape, coverArt, titleSize } from '../../../src/domain/default-cover.ts'
import { estimateTokens } from '../../../src/domain/prompt/tokens.ts'
import { clampTags, tagList } from '../../../src/domain/scenario.ts'
import { fillPlaceholders, questionsIn } from '../../../src/domain/text/placeholder.ts'
import { stateOf, variantFrom } from '../../../src/domain/variant.ts'
import { hasStats, instantiate } from '../../../src/domain/world/state.ts'
import { cutTo, lengthOf } from '../../../src/lib/text.ts'

describe('questions in an author’s text', () => {
  test('are asked once each, in order, by their trimmed words', () => {
    expect(questionsIn(['${ Your name } and ${Your town}', '${Your name}', '${} ${  } ${a${b}}'])).toEqual([
      'Your name',
      'Your town',
      'a${b',
    ])
  })
  test('are filled once; an answer is never asked again', () => {
    expect(fillPlaceholders('${a} ${ a } ${b}', { a: '${b}', toString: 'no' })).toBe('${b} ${b} ${b}')
  })
  test('without an answer stay, an empty answer is one', () =>
    expect(fillPlaceholders('[${a}][${b}]', { a: '' })).toBe('[][${b}]'))
  test('called like a member of every object are ordinary questions', () =>
    expect(fillPlaceholders('${constructor}', {})).toBe('${constructor}'))
})

describe('text is measured as a person counts it', () => {
  test('in code points', () => expect([lengthOf('a🦊é'), cutTo('🦊🦊🦊', 2)]).toEqual([3, '🦊🦊']))
  test('tags are cut where one ends', () => {
    const tags = Array.from({ length: 100 }, (_, i) => `tag${i}`).join(', ')
    expect(lengthOf(clampTags(tags))).toBeLessThanOrEqual(500)
    expect(tags.startsWith(`${clampTags(tags)},`)).toBe(true)
    expect(clampTags('x'.repeat(600))).toHaveLength(500)
    expect(tagList(' a, ,b ')).toEqual(['a', 'b'])
  })
  test('a snippet ends with a word', () => {
    expect(snippetOf('  one\n\n two ')).toBe('one two')
    expect(snippetOf('word '.repeat(100))).toBe(`${'word '.repeat(43)}word…`)
  })
  test('tokens are never estimated too low for plain English', () => {
    expect(estimateTokens('The door is not locked, and the lamp has gone out.')).toBeGreaterThanOrEqual(12)
    expect(estimateTokens('门没有锁')).toBeGreaterThanOrEqual(4)
    expect(estimateTokens('')).toBe(0)
  })
})

describe('cover art', () => {
  test('is the same for a title however it is written', () =>
    expect(coverArt('The Keep')).toEqual(coverArt(' the keep ')))
  test('has every drawing and every color, and each can be drawn', () => {
    const covers = Array.from({ length: 300 }, (_, i) => coverArt(`Title ${i}`))
    const kinds = (shapes: readonly CoverShape[]) => shapes.map(({ look, path }) => look + path.length).join()
    expect(new Set(covers.map(({ from, to }) => from + to)).size).toBe(12)
    expect(new Set(covers.map(({ shapes }) => kinds(shapes))).size).toBeGreaterThanOrEqual(12)
    for (const { shapes } of [...covers, coverArt(''), coverArt('…')]) {
      for (const { path } of shapes) expect(path).toMatch(/^(M[-\d.MLVQTAZqa ]+)?$/)
      expect(shapes.map(({ path }) => path).join('').length).toBeLessThan(6_000)
    }
  })
  test('has nothing that shines where the title stands', () => {
    const shining = Array.from({ length: 300 }, (_, i) => coverArt(`Title ${i}`).shapes)
      .flat()
      .filter(({ look, path }) => look === 'glow' && path !== '')
    // What it begins with is the leftmost or the highest point of a shape; the largest is 42 high above it.
    const top = ({ path }: CoverShape) => Number(/^M[-\d.]+ ([-\d.]+)/.exec(path)?.[1])
    expect(Math.min(...shining.map(top))).toBeGreaterThanOrEqual(150)
  })
  test.each([
    ['Glass', 'short'],
    ['The Cartographer’s Apprentice', 'longest'],
    ['Interlude', 'short'],
    ['Understanding', 'long'],
    ['Everything that the lighthouse keeper forgot', 'long'],
    [`A title of ${'so '.repeat(20)}many words`, 'longest'],
    ['夜の図書館で本たちが話しはじめる', 'short'],
    ['', 'short'],
  ] as const)('sets %s %s', (title, size) => expect(titleSize(title)).toBe(size))
})

describe('a world begins', () => {
  test('with every stat at its initial value', () => {
    const schema = {
      world: { tide: { initial: 3 }, odd: 5 },
      player: { coat: { type: 'text', initial: 'oilskin' }, luck: {}, name: { type: 'text' } },
      npcs: { mira: { stats: { trust: { initial: -10 } } }, gull: {} },
      flags: { lit: { initial: true }, barred: {} },
      milestones: { end: { desc: 'Reach it' } },
    }
    expect(instantiate(schema)).toEqual({
      world: { tide: 3 },
      player: { coat: 'oilskin', luck: 0, name: '' },
      npc: { mira: { trust: -10 }, gull: {} },
      milestones: {},
      flags: { lit: true, barred: false },
      _meta: { last_changed: {} },
    })
  })
  const none = [null, {}, { palette: 'teal' }, { player: {} }, { flags: [1] }]
  for (const schema of none)
    test(`as nothing under ${JSON.stringify(schema)}`, () => {
      expect(hasStats(schema)).toBe(false)
      expect(instantiate(schema)).toEqual({})
    })
})

describe('an old variant is read for what it is', () => {
  for (const odd of [null, 5, 'text', []])
    test(JSON.stringify(odd), () =>
      expect(variantFrom(odd)).toMatchObject({ text: '', reasoning: null, created_at: null }),
    )
  test('keys that we do not know are carried along', () =>
    expect(variantFrom({ text: 'a', script_state: { turns: 1 } }).script_state).toEqual({ turns: 1 }))
  test('without a state it leaves the world alone', () =>
    expect(stateOf(variantFrom({ text: 'a' }))).toBeNull())
})

import { describe, expect, test } from 'bun:test'
import { parseFile } from '../../src/formats/detect.ts'
import { cardChunk, pngWith } from '../support/files/card-png.ts'
import { faultsOf, keysIn } from '../support/files/receipt-faults.ts'
import { read, sample } from './samples.ts'

const NIGHT = { type: '', name: 'Night', keys: '*', entry: 'Always night.', notes: '' }
const CARDS = [
  { type: 'place', name: 'Stall', keys: '=stall, /ten+t/i', entry: '[Stalls move.]', notes: '' },
  { type: '', name: 'Off', keys: '-*, =stall, /ten+t/i', entry: '[Stalls move.]', notes: '' },
]

describe('NovelAI', () => {
  test('a picture that holds a lorebook is its cards', () => {
    const book = sample('novelai-lorebook-full.json')
    const { kind, story_cards, receipt } = parseFile(pngWith([cardChunk('naidata', book, 'tEXt')]), 'a.png')
    expect(kind).toBe('novelai-lorebook')
    expect(story_cards).toEqual(read(book).story_cards)
    expect(faultsOf({ naidata: book, picture: true }, receipt)).toEqual([])
    expect(keysIn(receipt.left)).toContain('picture')
    const both = ['naidata', 'chara'].map((keyword) =>
      cardChunk(keyword, keyword === 'chara' ? sample('card-v2.json') : book, 'tEXt'),
    )
    expect(parseFile(pngWith(both), 'a.png').kind).toBe('character-card')
    const broken = cardChunk('naidata', { lorebookVersion: 1 }, 'tEXt')
    expect(() => parseFile(pngWith([broken]), 'a.png')).toThrow('does not contain a character')
  })

  test('a lorebook is cards in their order, with their categories as types', () => {
    expect(read(sample('novelai-lorebook-full.json')).story_cards).toEqual([NIGHT, ...CARDS])
    expect(read(sample('novelai-lorebook-sloppy.json')).story_cards).toMatchObject([
      { name: '7', keys: '=a, =b', entry: 'Kept.' },
    ])
  })

  test('a scenario comes with its memory, note, lore and questions', () => {
    const { scenarios, receipt } = read(sample('novelai-scenario-full.json'))
    expect(scenarios).toMatchObject([
      {
        title: 'Night Market',
        description: 'For two.\n\nby M.',
        prompt: '${hero} counts the coins of ${Your name}.',
        memory: 'It is night.',
        authors_note: 'Dry.',
        tags: 'market, debt',
        story_cards: [NIGHT, ...CARDS],
      },
    ])
    expect(keysIn(receipt.changed)).toContain('lorebook.entries[].forceActivation')
  })

  test('a story comes with its passages', () => {
    const [story] = read(sample('novelai-story-five.json')).adventures
    expect(story?.actions.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      'start: Dusk. It rains.',
      'story: I wait.',
      'ai: The lamp goes out.\nDark.',
    ])
    expect(story).toMatchObject({ title: 'Lamp', authors_note: 'Dry.', story_cards: [NIGHT, ...CARDS] })
  })

  test('a story of the first version has its text in one piece', () => {
    const story = { version: 1, text: 'Dusk.\n\nIt rains.', datablocks: [], currentBlock: 0, fragments: [] }
    const { adventures } = read({ storyContainerVersion: 1, content: { storyContentVersion: 1, story } })
    expect(adventures[0]?.actions).toMatchObject([{ type: 'start', text: 'Dusk.\n\nIt rains.' }])
  })

  test('a story of version 6 comes with its text by who wrote it, without what was undone', () => {
    const { adventures, receipt } = read(sample('novelai-story-six.json'))
    const [story] = adventures
    expect(story?.actions.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      'start: Dusk falls on Saltmere.',
      'ai: “Late again,” says the ferryman.',
      'story: You hand him the lamp, which is warm.',
      'ai: He counts the oil and nods: enough for one crossing.\n\nThe rope creaks – twice.',
    ])
    expect(story).toMatchObject({ title: 'The ferry', memory: 'It is night.', authors_note: 'Dry.' })
    expect(keysIn(receipt.changed)).toContain('content.document')
  })

  test('what one wrote in many paragraphs is several passages', () => {
    const fragments = Array.from({ length: 20 }, (_, i) => ({
      data: `${i} ${'Rain. '.repeat(50)}\n`,
      origin: 'ai',
    }))
    const { adventures } = read({ storyContainerVersion: 1, content: { story: { fragments } } })
    const texts = adventures[0]?.actions.map(({ text }) => text) ?? []
    expect(texts.map((text) => text.split('\n').length)).toEqual([1, 7, 7, 6])
  })

  test('a story whose text is damaged is a scenario, and says so', () => {
    const { scenarios, receipt } = read(sample('novelai-story-damaged.json'))
    expect(scenarios).toMatchObject([
      { title: 'New', description: 'A walk.', memory: 'It is night.', tags: 'dark' },
    ])
    expect(keysIn(receipt.left)).toContain('content.document')
  })
})

import { describe, expect, test } from 'bun:test'
import { keysIn } from '../support/files/receipt-faults.ts'
import { read, sampleText } from './samples.ts'

const plan = (name: string) => read(sampleText(name), 'A file.json')

describe('scenarios of AI Dungeon', () => {
  test('come with their plot, cards and questions, as an extension exports them', () => {
    const [scenario] = plan('dungeon-scenario-export.json').scenarios
    expect(scenario).toMatchObject({
      title: 'The Ferry',
      description: 'A crossing at night.',
      prompt: 'You board, ${your name}.',
      memory: 'The river has no bridge.',
      authors_note: 'Short sentences.',
      ai_instructions: 'Never name the ferryman.',
      tags: 'river, night',
      image: '',
      story_cards: [{ name: 'Ferryman', keys: 'ferryman', entry: 'He counts twice.', type: 'character' }],
    })
  })

  test('that stand alone are known without a name of their format, and their instructions are read', () => {
    const { kind, receipt, scenarios } = plan('dungeon-scenario-alone.json')
    expect([kind, scenarios.length]).toEqual(['ai-dungeon-scenarios', 1])
    expect(scenarios[0]).toMatchObject({
      title: 'The Lamp Road',
      ai_instructions: 'Never explain the dark.',
      story_cards: [{ name: 'Lamps', keys: 'lamp' }],
    })
    expect(keysIn(receipt.left)).toContain('scripts')
    expect(receipt.came).toContainEqual({
      what: 'AI instructions',
      count: 1,
      keys: ['instructions.scenario'],
    })
  })

  test('have the instructions that their player wrote before those that came with them', () => {
    const { receipt, scenarios } = plan('dungeon-scenario-state.json')
    expect(scenarios[0]?.ai_instructions).toBe('Tell of wind.')
    expect(keysIn(receipt.left)).toContain('state.instructions.scenario')
  })

  test.each([
    [{ title: 'a', prompt: 'b', memory: 'c' }, 'ai-dungeon-scenarios'],
    [{ title: 'a', prompt: 'b', aiInstructions: 'c' }, 'ai-dnd-scenario-v1'],
    [{ title: 'a', memory: 'b', storyCards: [], statSchema: {} }, 'ai-dnd-scenario-v1'],
    [{ format: 'ai-dnd-scenario-v1', title: 'a', prompt: 'b', memory: 'c' }, 'ai-dnd-scenario-v1'],
    [{ prompt: 'a', memory: 'b', actions: ['c'] }, 'kobold-lite'],
    [{ title: 'a', memory: 'b', storyCards: [], actions: [{ text: 'c' }] }, 'ai-dungeon-adventures'],
  ])('are told from others by what only those have: %j', (file, kind) => {
    expect(read(JSON.stringify(file)).kind).toBe(kind as never)
  })

  test('that are a tree are a scenario for each end, with the questions that lead there', () => {
    const { scenarios } = plan('dungeon-scenario-tree.json')
    expect(scenarios.map(({ title, prompt, memory }) => [title, prompt, memory])).toEqual([
      ['The Three Doors: Red', 'You open the red door.', 'All doors are old.'],
      ['The Three Doors: Blue: Iron', 'The iron key turns.', 'The blue door is cold.'],
      ['The Three Doors: Blue: Bone', 'The bone key breaks.', 'The blue door is cold.'],
      ['The Three Doors: Away', '', 'All doors are old.'],
    ])
    expect(scenarios[1]?.description).toBe('Choose well.\n\nWhich door? Blue\n\nWhich key? Iron')
    expect(scenarios.map(({ story_cards }) => story_cards.map(({ entry }) => entry))).toEqual([
      ['Oak.'],
      ['Oak.'],
      ['Brittle.'],
      ['Oak.'],
    ])
  })

  test('of a collection come one by one', () => {
    const { scenarios } = plan('dungeon-scenario-list.json')
    expect(scenarios.map(({ title, prompt }) => [title, prompt])).toEqual([
      ['One', 'It rains.'],
      ['Two', 'It snows.'],
    ])
    expect(scenarios[0]?.story_cards).toMatchObject([{ keys: 'rain, wet', entry: 'Cold.' }])
  })

  test('with more ends than anybody chooses from are refused', () => {
    const options = (depth: number): object[] =>
      Array.from({ length: 30 }, (_, i) => ({
        title: `${i}`,
        prompt: 'x',
        options: depth > 0 ? options(depth - 1) : [],
      }))
    expect(() => read({ title: 'x', prompt: 'y', options: options(1) })).toThrow('more than 500 scenarios')
  })

  test('whose ends inherit more cards than a library should get are refused', () => {
    const storyCards = Array.from({ length: 600 }, (_, i) => ({ title: `${i}`, keys: `${i}`, value: 'x' }))
    const options = Array.from({ length: 90 }, (_, i) => ({ title: `${i}`, prompt: 'x' }))
    expect(() => read({ title: 'x', prompt: 'y', storyCards, options })).toThrow('50000 story cards')
  })
})

describe('stories of AI Dungeon', () => {
  test('that stand alone come with their summary and memories', () => {
    const actions = [
      { text: 'You board.', type: 'start' },
      { text: '> You row.', type: 'do' },
    ]
    const file = {
      title: 'Over the river',
      storySummary: 'You boarded.',
      memories: [{ text: 'It is wide.' }],
    }
    const { kind, adventures } = read(JSON.stringify({ ...file, actions }))
    expect(kind).toBe('ai-dungeon-adventures')
    expect(adventures[0]).toMatchObject({
      title: 'Over the river',
      story_summary: 'You boarded.',
      memories: [{ text: 'It is wide.', source_end: null }],
    })
    expect(adventures[0]?.actions).toHaveLength(2)
  })

  test('come in their order, without what was undone', () => {
    const [story] = plan('dungeon-story-export.json').adventures
    expect(story).toMatchObject({
      title: 'Over the river',
      story_summary: 'You boarded.',
      authors_note: 'Slow.',
    })
    expect(story?.actions.map(({ type, text }) => [type, text])).toEqual([
      ['start', 'You board.'],
      ['do', '> You row.'],
      ['ai', 'The boat turns.'],
    ])
  })

  test('have times of any kind', () => {
    const actions = ['{"toString":"x"}', '5', 'null', '"soon"'].map((at) => `{"text":"a","createdAt":${at}}`)
    const file = `[{"memory":"","actions":[${actions.join()}]}]`
    expect(read(file).adventures[0]?.actions).toHaveLength(4)
  })

  test('without times come as their lists keep them', () => {
    const texts = (name: string) => plan(name).adventures[0]?.actions.map(({ type, text }) => [type, text])
    expect(texts('dungeon-story-window.json')).toEqual([
      ['start', 'First.'],
      ['story', 'You wait.'],
      ['ai', 'Last.'],
    ])
    expect(texts('dungeon-story-old.json')?.map(([, text]) => text)).toEqual([
      'A cave.',
      '> You enter.',
      'It is dark.',
    ])
  })
})

import { describe, expect, test } from 'bun:test'
import { faultsOf } from '../support/files/receipt-faults.ts'
import { read, sample } from './samples.ts'

describe('Agnai', () => {
  test('a chat is a story with its names', () => {
    const file = sample('agnai-chat.json')
    const { adventures, receipt } = read(file, 'Market.json')
    expect(adventures).toMatchObject([
      {
        title: 'Market',
        memory: 'Scenario: A market of Odo.',
        example_dialogue: '${Your name}: hi',
        placeholders: { 'Your name': 'Mira' },
        actions: [
          { type: 'start', text: 'Sit, Mira.', created_at: '2024-10-01T10:00:00.000Z' },
          { type: 'story', text: 'I sit.' },
          { type: 'ai', text: 'Odo nods.' },
        ],
      },
    ])
    expect(adventures[0]?.actions).toHaveLength(3)
    expect(faultsOf(file, receipt)).toEqual([])
  })

  test('a chat whose beginning is missing begins with its greeting', () => {
    expect(read(sample('agnai-chat-late.json')).adventures[0]?.actions).toMatchObject([
      { type: 'start', text: 'Sit, you.' },
      { type: 'ai', text: 'He nods.' },
    ])
  })

  test('a chat without names and an empty one', () => {
    const [story] = read(sample('agnai-chat-bare.json')).adventures
    expect(story?.actions).toMatchObject([
      { type: 'start', text: '' },
      { type: 'story', text: 'Hello.' },
    ])
    expect(story?.placeholders).toEqual({})
    expect(() => read({ messages: [{ msg: ' ' }] })).toThrow('no message with text')
  })

  test('a memory book is cards in the order of their weights', () => {
    expect(read(sample('agnai-book.json')).story_cards).toMatchObject([
      { name: 'Coin', keys: '=coin', entry: 'Coins are cold.', notes: '' },
      { name: 'Stall', keys: '=stall, =tent', entry: 'Stalls move.' },
      { name: 'Off', keys: '-*, =off', entry: 'Hidden.' },
    ])
  })

  test('a character in its own format is refused with what to do', () => {
    const character = { kind: 'character', name: 'Odo', greeting: 'Sit.', persona: { kind: 'attributes' } }
    expect(() => read(character)).toThrow('in the format “Tavern”')
  })
})

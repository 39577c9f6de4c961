import { describe, expect, test } from 'bun:test'
import { keysIn } from '../support/files/receipt-faults.ts'
import { read, sample } from './samples.ts'

describe('RisuAI', () => {
  test('has a lorebook, with its conditions', () => {
    expect(read(sample('risuai-lorebook.json')).story_cards).toEqual([
      {
        ...{ type: '', name: 'Always', keys: '*', entry: 'The sea is near.', notes: '' },
        timing: { when: [], how: { triggers_others: true } },
      },
      {
        type: '',
        name: 'Pier',
        keys: '*pier, *harbour, +*fog',
        entry: 'The pier is closed, ${Your name}.',
        notes: '',
        timing: { when: [], how: { triggers_others: true, chance: 40 } },
      },
      {
        type: '',
        name: 'Toll',
        keys: '/to(w|l)l/i, -*free, -*paid',
        entry: 'The toll is two coins.',
        notes: '',
        timing: { when: [], how: { triggers_others: true, begins: 2 } },
      },
    ])
  })

  test('has modules as JSON, whose scripts are left out', () => {
    const { story_cards, receipt } = read(sample('risuai-module.json'))
    expect(story_cards).toMatchObject([{ name: 'Crane', keys: '*crane', entry: 'It rusts.' }])
    expect(keysIn(receipt.left)).toContain('regex')
  })

  test('has packed modules, which are refused with a way out', () => {
    const packed = new Uint8Array([111, 0, 3, 0, 0, 0, 200, 201, 202, 0])
    expect(() => read(packed)).toThrow(/module of RisuAI.*export that as JSON/)
    expect(() => read(new Uint8Array([111, 0, 3, 0]))).toThrow(/not text/)
  })

  test('has chats, of which notes of the player are left out', () => {
    const [story, ...others] = read(sample('risuai-chat.json'), 'Odo_chat.json').adventures
    expect(others).toEqual([])
    expect(story).toMatchObject({
      title: 'Odo_chat: Fog',
      authors_note: 'Short sentences.',
      story_cards: [{ name: 'Gull', source_ref: null }],
    })
    expect(story?.actions.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      'start: ',
      'story: I look at the sea.',
      'ai: Fog comes in, you.',
      'ai: This was hidden.',
    ])
    expect(read(sample('risuai-chats-all.json'), 'Odo.json').adventures.map(({ title }) => title)).toEqual([
      'Odo',
      'Odo: Second',
    ])
  })
})

test('decorators that have no equal here are named', () => {
  const entry = {
    key: ['a'],
    content: '@@depth 4\n@@once_more x\n@@probability 25\n@@dont_activate_after_match\nLore.',
  }
  const { story_cards, receipt } = read({ entries: [entry] })
  expect(story_cards[0]).toMatchObject({ entry: 'Lore.', timing: { how: { once: true, chance: 25 } } })
  expect(receipt.changed).toContainEqual({
    what: expect.stringContaining('depth, once_more'),
    count: 1,
    keys: ['entries[].content'],
  })
})

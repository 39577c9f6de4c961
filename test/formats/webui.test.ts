import { describe, expect, test } from 'bun:test'
import { read, sample } from './samples.ts'

const actionsOf = (file: unknown) =>
  read(file).adventures[0]?.actions.map(({ type, text }) => `${type}: ${text}`)

describe('text-generation-webui', () => {
  test('a chat comes with its lines as they were written, and the versions of its replies', () => {
    const { kind, adventures } = read(sample('webui-chat.json'))
    expect(kind).toBe('webui-chat')
    const actions = adventures[0]?.actions ?? []
    expect(actions.map(({ type, text }) => `${type}: ${text}`)).toEqual([
      'start: The fog is "thick" tonight.',
      'story: I light the lamp.',
      'ai: It burns low.',
      'ai: The ferry comes.',
      'story: "Who is there?"',
      'ai: Nobody answers & nobody comes.',
    ])
    const versions = actions.map((one) => [one.variant_index, ...one.variants.map(({ text }) => text)])
    expect(versions[2]).toEqual([1, 'It will not burn.', 'It burns low.'])
    expect(versions[3]).toEqual([0])
    // It was edited since.
    expect(versions[5]).toEqual([1, 'Nobody.', 'Nobody answers & nobody comes.'])
  })

  test('a chat of an early version has other names for the same', () => {
    expect(actionsOf(sample('webui-chat-old.json'))).toEqual(['start: ', 'story: I wait.', 'ai: Rain.'])
  })

  test('blank texts are left out, and the first reply is the opening', () => {
    expect(actionsOf(sample('webui-chat-sloppy.json'))).toEqual(['start: Dusk.'])
    const blank = { internal: [['', ' ']], visible: [['', '']] }
    expect(() => read(blank)).toThrow('no message with text')
  })
})

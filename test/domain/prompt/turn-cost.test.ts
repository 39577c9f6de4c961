import { describe, expect, test } from 'bun:test'
import { turnCostFrom } from '../../../src/domain/prompt/turn-cost.ts'
import { previouslyIn } from '../../../src/views/play/previously.tsx'
import { lengthFrom } from '../../../src/views/ui/story-length.ts'

describe('what a turn cost', () => {
  const cases: [what: string, snapshot: Record<string, unknown>, cost: unknown][] = [
    [
      'as the server counted it',
      {
        tokens: { total: 900, fresh: 200 },
        usage: { prompt_tokens: 1000, cached_tokens: 950, completion_tokens: 80 },
        timings: { first: 300, total: 2000 },
      },
      { index: 4, prompt: 1000, reused: 950, written: 80, first: 300, total: 2000 },
    ],
    [
      'as we did, where it tells nothing',
      { tokens: { total: 900, fresh: 200, window: null }, usage: null },
      { index: 4, prompt: 900, reused: 700, written: null, first: null, total: null },
    ],
    [
      'in the earlier release',
      { tokens: { total: 500, budget: 4096 } },
      { index: 4, prompt: 500, reused: null, written: null, first: null, total: null },
    ],
    ['where nothing was kept', {}, null],
    ['where it makes no sense', { tokens: 'many', usage: { prompt_tokens: 'NaN' } }, null],
  ]
  for (const [what, snapshot, cost] of cases)
    test(what, () => expect(turnCostFrom(4, snapshot)).toEqual(cost as never))
})

describe('how long a story is', () => {
  const words = (count: number) => ({ text: 'word '.repeat(count) })
  test('is counted where all of it is there', () =>
    expect(lengthFrom([words(300), words(325)], 2)).toEqual({ words: 625, minutes: 3, exact: true }))
  test('is estimated to two figures where it is not', () =>
    expect(lengthFrom([words(123), words(124)], 1_000)).toEqual({
      words: 120_000,
      minutes: 480,
      exact: false,
    }))
  test('counts the words of scripts that do not separate them', () => {
    const passages: [text: string, words: number][] = [
      ['我打开了门，走进黑暗的走廊。', 8],
      ['私は扉を開けて、暗い廊下に入った。', 13],
      ['ฉันเปิดประตูและเดินเข้าไปในทางเดินมืด', 10],
      ['문을 열었다 그리고', 3],
      ['我打开了门，走进黑暗的走廊。'.repeat(1_000), 8_000],
    ]
    for (const [text, words] of passages) {
      const counted = lengthFrom([{ text }], 1).words
      expect(Math.abs(counted - words)).toBeLessThanOrEqual(words / 6)
    }
  })
  test('is nothing in an empty story', () =>
    expect(lengthFrom([], 0)).toEqual({ words: 0, minutes: 1, exact: true }))
})

test('a story that was just played needs no telling what had happened', () => {
  const now = new Date('2026-01-02T00:00:00Z')
  const told = (created_at: string) => [{ type: 'ai', text: 'It rains. It pours.', created_at }]
  expect(previouslyIn('So far.', told('2026-01-01T00:00:01Z'), now, 'en')).toBeNull()
  expect(previouslyIn('So far.', told('2026-01-01T00:00:00Z'), now, 'en')).toBe('So far.')
  // The newest narration stands above it.
  const [newest] = told('2025-01-01T00:00:00Z')
  expect(previouslyIn(' ', told('2025-01-01T00:00:00Z'), now, 'en')).toBeNull()
  expect(previouslyIn(' ', [...told('2025-01-01T00:00:00Z'), ...(newest ? [newest] : [])], now, 'en')).toBe(
    'It rains.',
  )
  const headed = [{ type: 'ai', text: '# Two\n\n*It* rains. It pours.', created_at: '2025-01-01T00:00:00Z' }]
  expect(previouslyIn('', [...headed, ...headed], now, 'en')).toBe('Two It rains.')
  const asked = [{ type: 'ai', text: 'Ποιος είναι; Μπαίνεις.', created_at: '2025-01-01T00:00:00Z' }]
  expect(previouslyIn('', [...asked, ...asked], now, 'el')).toBe('Ποιος είναι;')
  expect(previouslyIn('So far.', [], now, 'en')).toBeNull()
})

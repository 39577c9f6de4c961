import { expect, test } from 'bun:test'
import type { Phase, Progress } from '../../src/app/turn-events.ts'
import { statusWords } from '../../src/views/play/turn-stream.tsx'

test.each<[Phase, Progress, string]>([
  ['waiting', {}, 'Waiting for the model to answer: 12 s, of 300 s allowed.'],
  ['loading', {}, 'The model is loading: 12 s, of 300 s allowed.'],
  ['reading', {}, 'The model is reading the story: 12 s, of 300 s allowed.'],
  [
    'reading',
    { read: 2_100, total: 13_400 },
    'The model is reading the story: 2,100 of 13,400 tokens, 12 s.',
  ],
  ['reading', { read: 0, total: 900 }, 'The model is reading the story: 0 of 900 tokens, 12 s.'],
  ['thinking', {}, 'The model is thinking: 12 s.'],
  ['writing', {}, 'The narrator is writing.'],
])('%s with %j is said as “%s”', (phase, progress, words) =>
  expect(statusWords({ type: 'status', phase, seconds: 12, allowed: 300, ...progress })).toBe(words),
)

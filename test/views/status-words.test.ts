import { expect, test } from 'bun:test'
import type { Phase, Progress } from '../../src/app/runtime/turn-events.ts'
import { phaseOf, waitOf } from '../../src/views/play/telling.tsx'

test.each<[Phase, Progress, string]>([
  ['waiting', {}, 'Waiting for the model: 12 s (timeout: 300 s).'],
  ['loading', {}, 'Loading the model: 12 s (timeout: 300 s).'],
  ['gone', {}, 'The model server does not answer. Trying again: 12 s (timeout: 300 s).'],
  ['reading', {}, 'Processing the prompt: 12 s (timeout: 300 s).'],
  ['reading', { read: 2_100, total: 13_400 }, 'Processing the prompt: 2,100 of 13,400 tokens, 12 s.'],
  ['reading', { read: 0, total: 900 }, 'Processing the prompt: 0 of 900 tokens, 12 s.'],
  ['thinking', {}, 'The model is thinking: 12 s.'],
  ['writing', {}, 'The narrator is writing.'],
])('%s with %j is said as “%s”', (phase, progress, words) => {
  const status = { type: 'status' as const, phase, seconds: 12, allowed: 300, ...progress }
  expect(phaseOf({ status, discarded: '', text: '' }) + waitOf({ status })).toBe(words)
})

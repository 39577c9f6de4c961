import { expect, test } from 'bun:test'
import { kindOf } from '../../../bench/real/classify.ts'
import { memoryTask, summaryTask } from '../../../src/domain/memory.ts'
import { recorderQuestion } from '../../../src/domain/world/recorder/question.ts'

const CHAT = '/v1/chat/completions'
const asking = (content: string, max_tokens = 400) => ({ max_tokens, messages: [{ role: 'user', content }] })

// The questions are the service's own: one that is reworded must be recognised again.
test.each([
  ['story', CHAT, asking('> You wait.', 121)],
  ['read-ahead', CHAT, asking('> You wait.', 0)],
  ['read-ahead', '/completion', { prompt: 'The road goes on.', n_predict: 1 }],
  ['memory', CHAT, asking(memoryTask(6))],
  ['memory', CHAT, asking(memoryTask(['It rained.', 'The road went on. '.repeat(500)]))],
  ['summary', CHAT, asking(summaryTask('', [], 250))],
  ['summary', CHAT, asking(summaryTask('They went far. '.repeat(400), ['It rained.'], 250))],
  ['recorder', CHAT, asking(recorderQuestion([]))],
  ['recorder', CHAT, { ...asking('What changed?'), response_format: {} }],
  ['embeddings', '/v1/embeddings', {}],
  ['count', '/v1/chat/completions/input_tokens', asking('> You wait.')],
  ['other', '/props', null],
] as const)('%s is recognised', (kind, path, body) => {
  expect(kindOf(path, body && structuredClone(body), 121)).toBe(kind)
})

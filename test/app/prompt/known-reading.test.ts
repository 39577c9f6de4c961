import { expect, test } from 'bun:test'
import { knownReading } from '../../../src/app/prompt/known-reading.ts'
import { PromptCache } from '../../../src/app/runtime/prompt-cache.ts'
import type { ModelRequest } from '../../../src/domain/model/model-request.ts'

test('a turn is compared with the turn before, also when a part of its prompt was read ahead', () => {
  const promptCache = new PromptCache()
  const endpoint = { url: 'http://model' }
  const request = (text: string) =>
    ({ model: 'm', messages: [{ role: 'system', text }] }) as unknown as ModelRequest
  const read = (adventureId: number, text: string) =>
    knownReading({ promptCache }, endpoint, adventureId, request(text)).before
  expect(read(1, 'The lamp.')).toBeNull()
  expect(read(2, 'The road.')).toMatchObject({ isSameStory: false })
  promptCache.answered(endpoint.url, { ...request('The la'), adventureId: 1 }, '', 0)
  expect(read(1, 'The lamp.')).toMatchObject({ isSameStory: false, messages: [{ text: 'The road.' }] })
  expect(read(1, 'The lamp.')).toMatchObject({ isSameStory: true })
})

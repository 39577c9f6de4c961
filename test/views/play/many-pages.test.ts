import { expect, test } from 'bun:test'
import { say } from '../../support/endpoint/endpoint.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

/** Reads the stream of a page until it ends, or until an event that matches. */
async function eventsOf(id: number, until: string): Promise<string> {
  const left = new AbortController()
  const headers = { Accept: 'text/event-stream' }
  const { body } = await server.ask(`/adventures/${id}/events`, { headers, signal: left.signal })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes(until)) break
  }
  left.abort()
  return text
}

test('of 40 pages of one address the last four watch, and the others know that they do not', async () => {
  const { body } = await server.post('/api/adventures', { title: 'Watched' })
  const streams = Array.from({ length: 40 }, () => eventsOf(body.id, 'The rain ends.'))
  const isClosed = Promise.withResolvers<void>()
  let closed = 0
  for (const stream of streams)
    void stream.then((text) => text.includes('event: closed') && ++closed === 36 && isClosed.resolve())
  await isClosed.promise
  endpoint.next(say('The rain ends.'))
  await server.ask(`/adventures/${body.id}/turns`, {
    method: 'POST',
    body: new URLSearchParams({ go_on: '1' }),
  })
  const texts = await Promise.all(streams)
  expect(texts.filter((text) => text.includes('The rain ends.'))).toHaveLength(4)
})

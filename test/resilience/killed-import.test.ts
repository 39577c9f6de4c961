import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Service } from '../support/service/service.ts'
import { temporaryFolder } from '../support/temporary.ts'

const PASSAGES = 30_000
const FILE = JSON.stringify({
  format: 'ai-dnd-adventure-v1',
  title: 'Lamp Road',
  actions: Array.from({ length: PASSAGES }, (_, index) => ({
    index,
    type: index === 0 ? 'start' : 'ai',
    text: `Night ${index}: lantern${index} burns. ${'The road goes on. '.repeat(20)}`,
  })),
})

const began = (service: Service) =>
  fetch(new URL('/api/import?apply=1', service.address), {
    method: 'POST',
    body: FILE,
    headers: { Accept: 'text/event-stream' },
  })

/** Reads events until one matches. */
async function until({ body }: Response, pattern: RegExp): Promise<void> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true })
    if (pattern.test(text)) return
  }
  throw new Error(`The stream ended without ${pattern}.`)
}

/** Waits until nothing is being indexed. Returns how many passages have a word. */
async function foundWhenIndexed(service: Service, word: string): Promise<number> {
  for (;;) {
    const { indexing, items } = await service.json('GET', `/api/search?q=${word}`)
    if (indexing === null) return items.length
    await Bun.sleep(20)
  }
}

test('75 killed during an import, nothing of it is left, and it can be imported again', async () => {
  const env = { APP_DB_PATH: join(temporaryFolder(), 'library.db') }
  const killed = await Service.start(env)
  await until(await began(killed), /"done":[1-9]/)
  await killed.kill()
  const service = await Service.start(env)
  expect(await service.json('GET', '/api/adventures')).toEqual([])
  await until(await began(service), /"type":"done"/)
  const [story] = await service.json('GET', '/api/adventures')
  expect(story.action_count).toBe(PASSAGES)
})

test('75 killed while an imported story is indexed, the next start continues it', async () => {
  const env = { APP_DB_PATH: join(temporaryFolder(), 'library.db') }
  const killed = await Service.start(env)
  await until(await began(killed), /"type":"done"/)
  expect((await killed.json('GET', '/api/search?q=lantern1')).indexing).not.toBeNull()
  await killed.kill()
  const service = await Service.start(env)
  expect(await foundWhenIndexed(service, `lantern${PASSAGES - 1}`)).toBe(1)
  const [story] = await service.json('GET', '/api/adventures')
  expect(story.action_count).toBe(PASSAGES)
})

import { afterAll, describe, expect, test } from 'bun:test'
import { fallSilent, gate, json, type Step, say, startEndpoint, status } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer({ rest: 0 })
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })

const isTask = (content: string) => content.includes('[Leave the story for a moment')
const isSummary = (content: string) => content.includes('bring its summary up to date')
const asked = () => endpoint.requests.at(-1)?.body?.messages ?? []
/** The prompt of the newest turn, whatever was asked in idle time since. */
const prompted = () =>
  endpoint.requests.findLast(({ body }) => !isTask(body?.messages?.at(-1)?.content ?? ''))?.body?.messages ??
  []
let told = 0
let onMemory: Step | null = null
/** Answers turns with numbered passages, and questions for later with numbered notes. */
endpoint.byDefault((exchange) => {
  const last = exchange.request.body?.messages?.at(-1)?.content ?? ''
  if (!isTask(last)) return say(`Passage ${told++}.`)(exchange)
  if (onMemory) return onMemory(exchange)
  return say(isSummary(last) ? `Summary ${told}.` : `Note ${told}.`)(exchange)
})

const begin = async (fields: object = {}) =>
  (await server.post('/api/adventures', { title: 'Long', ...fields })).body.id
const bank = async (id: number) => (await server.get(`/api/adventures/${id}/memories`)).body
const story = async (id: number) => (await server.get(`/api/adventures/${id}`)).body
/** All that was due has been made. */
async function rested(id: number): Promise<void> {
  server.deps.idle.wake(id)
  await server.deps.idle.ended()
}
async function play(id: number, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await playTurn(server, id, { type: 'do', text: `deed ${turn}` })
  await rested(id)
}

describe('memories', () => {
  test('are made of six passages each, from the thirteenth on, and never of the newest', async () => {
    const id = await begin()
    await play(id, 6)
    expect(await bank(id)).toEqual([])
    await play(id, 1)
    expect(await bank(id)).toMatchObject([
      { source_start: 1, source_end: 6, stale: false, pinned: false, forgotten: false, use_count: 0 },
      { source_start: 7, source_end: 12 },
    ])
    // The story prompt itself, and a question behind it: almost all of it was read already.
    expect(asked()[0]?.content).toContain('You are the narrator')
    expect(asked().at(-2)?.role).toBe('assistant')
  })

  test('that tell of a passage that was edited are made anew, and no word of it is left', async () => {
    const id = await begin()
    await play(id, 7)
    const { actions } = await story(id)
    const third = actions.find(({ index }: { index: number }) => index === 3)
    await server.send('PATCH', `/api/adventures/${id}/actions/${third.id}`, { text: 'PLANTED' })
    expect((await bank(id)).map(({ stale }: { stale: boolean }) => stale)).toEqual([true, false])
    await rested(id)
    expect(asked().at(-1)?.content).toContain('PLANTED')
    expect((await bank(id)).map(({ stale }: { stale: boolean }) => stale)).toEqual([false, false])
  })

  test('go with the passages that are undone, and come again', async () => {
    const id = await begin()
    await play(id, 7)
    for (let i = 0; i < 2; i++) await server.post(`/api/adventures/${id}/undo`)
    expect((await bank(id)).map(({ source_end }: { source_end: number }) => source_end)).toEqual([6])
    await play(id, 2)
    expect((await bank(id)).map(({ source_end }: { source_end: number }) => source_end)).toEqual([6, 12])
  })

  test('that fail rest for a turn, for two, for four, and say why', async () => {
    const id = await begin()
    onMemory = status(500)
    for (let turn = 0; turn < 7; turn++) {
      await playTurn(server, id, { type: 'do', text: `deed ${turn}` })
      await server.deps.idle.ended()
    }
    const tries: number[] = []
    for (let turn = 0; turn < 12; turn++) {
      const before = endpoint.requests.length
      await rested(id)
      if (endpoint.requests.length > before) tries.push(turn)
    }
    expect(tries.slice(1).map((turn, i) => turn - (tries[i] ?? 0))).toEqual([3, 5])
    onMemory = null
    for (let turn = 0; turn < 5; turn++) await rested(id)
    expect(await bank(id)).toHaveLength(2)
  })

  test('let every turn pass, also when they have begun', async () => {
    const id = await begin()
    await play(id, 6)
    const begun = gate()
    onMemory = (exchange) => {
      begun.open()
      return fallSilent('Half a')(exchange)
    }
    await playTurn(server, id, { type: 'do', text: 'wait' })
    await begun.opened
    onMemory = null
    const events = await playTurn(server, id, { type: 'do', text: 'go on' })
    expect(events.at(-1)).toMatchObject({ type: 'done' })
    await rested(id)
    expect((await bank(id)).map(({ text }: { text: string }) => text).join()).not.toContain('Half')
    expect(await bank(id)).toHaveLength(2)
  })

  test('of the player’s own are kept, pinned, forgotten, rewritten and deleted', async () => {
    const id = await begin()
    const at = `/api/adventures/${id}/memories`
    const { body, status: code } = await server.post(at, { text: ' The key is false. ' })
    expect([code, body]).toMatchObject([
      201,
      { text: 'The key is false.', source_start: null, embedded: false },
    ])
    expect(
      (await server.send('PATCH', `${at}/${body.id}`, { pinned: true, forgotten: true })).body,
    ).toMatchObject({ pinned: true, forgotten: true })
    expect((await server.send('PATCH', `${at}/${body.id}`, { text: 'It is true.' })).body.text).toBe(
      'It is true.',
    )
    expect((await server.post(at, { text: ' ' })).status).toBe(400)
    expect((await server.send('DELETE', `${at}/${body.id}`)).status).toBe(204)
    expect((await server.send('PATCH', `${at}/${body.id}`, {})).status).toBe(404)
    expect((await server.get('/api/adventures/999/memories')).status).toBe(404)
  })

  test('over the capacity are forgotten, the one not used for longest first', async () => {
    const id = await begin()
    await server.send('PUT', '/api/settings', { memory_bank_capacity: 2 })
    await play(id, 10)
    await server.send('PUT', '/api/settings', { memory_bank_capacity: 80 })
    expect((await bank(id)).map(({ forgotten }: { forgotten: boolean }) => forgotten)).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('the summary', () => {
  test('is brought up to date every fifteen passages, and shown from the next cut on', async () => {
    const id = await begin()
    await play(id, 7)
    expect((await story(id)).story_summary).toBe('')
    await play(id, 1)
    const { story_summary } = await story(id)
    expect(story_summary).toStartWith('Summary')
    await playTurn(server, id, { type: 'continue' })
    expect(prompted()[0]?.content).not.toContain(story_summary)
  })

  test('that the player wrote is built upon, and counts at once', async () => {
    const id = await begin()
    await server.send('PATCH', `/api/adventures/${id}`, { story_summary: 'MINE.' })
    await playTurn(server, id, { type: 'continue' })
    expect(prompted()[0]?.content).toContain('MINE.')
    await play(id, 8)
    const task = endpoint.requests.findLast(({ body }) => isSummary(body?.messages?.at(-1)?.content ?? ''))
    expect(task?.body?.messages?.at(-1)?.content).toContain('MINE.')
    for (let i = 0; i < 8; i++) await server.post(`/api/adventures/${id}/undo`)
    expect((await story(id)).story_summary).toBe('MINE.')
  })

  test('tells nothing that was edited, told anew or undone', async () => {
    const id = await begin()
    await play(id, 8)
    const made = (await story(id)).story_summary
    expect(made).not.toBe('')
    const { actions } = await story(id)
    await server.send('PATCH', `/api/adventures/${id}/actions/${actions[4].id}`, { text: 'Otherwise.' })
    expect((await story(id)).story_summary).toBe('')
    await rested(id)
    expect((await story(id)).story_summary).toStartWith('Summary')
    await retryTurn(server, id)
    await rested(id)
    for (let i = 0; i < 4; i++) await server.post(`/api/adventures/${id}/undo`)
    expect((await story(id)).story_summary).toBe('')
    await playTurn(server, id, { type: 'continue' })
    expect(prompted()[0]?.content).not.toContain('Summary')
  })
})

describe('what was told long ago', () => {
  const small = { context_token_budget: 3_000, max_output_tokens: 200 }
  const filler = 'The road goes on and on, and nobody says a word about it. '.repeat(8)
  const notes = async (id: number) => (await server.get(`/api/adventures/${id}/context`)).body

  /** A story that has long left its first passages behind. */
  async function longStory(): Promise<number> {
    const id = await begin()
    await server.send('PUT', '/api/settings', small)
    for (let turn = 0; turn < 24; turn++) {
      endpoint.next(say(`${turn === 1 ? 'Maren hides the silver key under the well. ' : ''}${filler}`))
      await playTurn(server, id, { type: 'do', text: `deed ${turn}` })
    }
    await server.post(`/api/adventures/${id}/memories`, { text: 'The tall man fears dogs.' })
    return id
  }

  test('is recalled by its words, once, and only when it stands in the window no more', async () => {
    const id = await longStory()
    endpoint.next(say(filler))
    await playTurn(server, id, { type: 'do', text: 'ask the tall man about dogs' })
    const prompt = prompted().at(-1)?.content ?? ''
    expect(prompt).toContain('[Earlier in the story: The tall man fears dogs.]')
    await playTurn(server, id, { type: 'do', text: 'ask the tall man about dogs' })
    expect(prompted().at(-1)?.content).not.toContain('fears dogs')
    expect(JSON.stringify(prompted())).toContain('fears dogs')
    expect(await bank(id)).toContainEqual(
      expect.objectContaining({ text: 'The tall man fears dogs.', use_count: 1 }),
    )
    const { memories } = (
      await server.get(`/api/adventures/${id}/actions/${(await story(id)).actions.at(-1).id}/context`)
    ).body
    expect(memories).toContainEqual(
      expect.objectContaining({ text: 'The tall man fears dogs.', reason: 'already told' }),
    )
  })

  test('is found by its meaning where there is an embedding model, and by its words while there is none', async () => {
    const meaning = (text: string) => [/dog|hound/.test(text) ? 1 : 0, /key|lock/.test(text) ? 1 : 0, 0.1]
    endpoint.embedWith((exchange) =>
      json(200, {
        data: (exchange.request.body?.input ?? []).map((text, index) => ({
          index,
          embedding: meaning(text),
        })),
      })(exchange),
    )
    const id = await longStory()
    await server.send('PUT', '/api/settings', { embedding_model: 'first' })
    await rested(id)
    const kept = (await bank(id)).filter(({ embedded }: { embedded: boolean }) => embedded)
    expect(kept).toHaveLength((await bank(id)).length)
    endpoint.next(say(filler))
    await playTurn(server, id, { type: 'do', text: 'whistle for a hound' })
    expect(prompted().at(-1)?.content).toContain('[Earlier in the story: The tall man fears dogs.]')
    const { memories } = (
      await server.get(`/api/adventures/${id}/actions/${(await story(id)).actions.at(-1).id}/context`)
    ).body
    expect(memories).toContainEqual(expect.objectContaining({ via: 'vector' }))
    // Another model: nothing is compared with the old vectors, and all are made anew.
    await server.send('PUT', '/api/settings', { embedding_model: 'second' })
    const before = endpoint.embedRequests.length
    await rested(id)
    const anew = endpoint.embedRequests.slice(before).flatMap(({ body }) => body?.input ?? [])
    expect(anew).toContain('The tall man fears dogs.')
    // A server that gives none: the turn goes on, and words find what they find.
    endpoint.embedWith(status(500))
    endpoint.next(say(filler))
    const events = await playTurn(server, id, { type: 'do', text: 'whistle again' })
    expect(events.at(-1)).toMatchObject({ type: 'done' })
    await server.send('PUT', '/api/settings', {
      embedding_model: '',
      context_token_budget: 16_384,
      max_output_tokens: 800,
    })
  })

  test('that is taken back is in no later prompt', async () => {
    const id = await longStory()
    endpoint.next(say(filler))
    await playTurn(server, id, { type: 'do', text: 'ask the tall man about dogs' })
    expect(JSON.stringify((await notes(id)).messages)).toContain('fears dogs')
    const { id: memory } = (await bank(id)).find(({ text }: { text: string }) => text.includes('dogs'))
    await server.send('DELETE', `/api/adventures/${id}/memories/${memory}`)
    expect(JSON.stringify((await notes(id)).messages)).not.toContain('fears dogs')
    await server.send('PUT', '/api/settings', { context_token_budget: 16_384, max_output_tokens: 800 })
  })
})

test('nothing is asked of the practice narrator', async () => {
  await server.send('PUT', '/api/settings', { endpoint_url: '' })
  const id = await begin()
  await rested(id)
  expect(await bank(id)).toEqual([])
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url })
})

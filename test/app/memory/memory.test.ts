import { describe, expect, test } from 'bun:test'
import {
  afterGate,
  fallSilent,
  gate,
  json,
  type Step,
  say,
  startEndpoint,
  status,
} from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel({ idleDelay: 0 }, {})

const isTask = (content: string) => content.includes('[Leave the story for a moment')
const isSummary = (content: string) => content.includes('bring its summary up to date')
const asked = () => endpoint.requests.at(-1)?.body?.messages ?? []
/** The prompt of the newest turn, ignoring background requests since. */
const prompted = () =>
  endpoint.requests.findLast(({ body }) => !isTask(body?.messages?.at(-1)?.content ?? ''))?.body?.messages ??
  []
let told = 0
let onMemory: Step | null = null
/** What every turn tells; a scripted reply could go to background work instead. */
let telling: string | null = null
/** Answers turns with numbered passages, and memory questions with numbered notes. */
endpoint.byDefault((exchange) => {
  const last = exchange.request.body?.messages?.at(-1)?.content ?? ''
  if (!isTask(last)) return say(telling ?? `Passage ${told++}.`)(exchange)
  if (onMemory) return onMemory(exchange)
  return say(isSummary(last) ? `Summary ${told}.` : `Note ${told}.`)(exchange)
})

const begin = async (fields: object = {}) =>
  (await server.post('/api/adventures', { title: 'Long', ...fields })).body.id
const bank = async (id: number) => (await server.get(`/api/adventures/${id}/memories`)).body
const story = async (id: number) => (await server.get(`/api/adventures/${id}`)).body
/** Waits until everything due has been made. */
async function rested(id: number): Promise<void> {
  server.deps.idle.wake(id)
  await server.deps.idle.ended()
}
async function play(id: number, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await playTurn(server, id, { type: 'do', text: `step ${turn}` })
  await rested(id)
}

describe('memories', () => {
  test('cover six passages each, from the thirteenth passage on, and never the newest', async () => {
    const id = await begin()
    await play(id, 6)
    expect(await bank(id)).toEqual([])
    await play(id, 1)
    expect(await bank(id)).toMatchObject([
      { source_start: 1, source_end: 6, stale: false, pinned: false, forgotten: false, use_count: 0 },
      { source_start: 7, source_end: 12 },
    ])
    // The story prompt itself, followed by the question: the server has already read almost all of it.
    expect(asked()[0]?.content).toContain('You are the narrator')
    expect(asked().at(-2)?.role).toBe('assistant')
  })

  test('of an edited passage are made again, and none of its old words is left', async () => {
    const id = await begin()
    await play(id, 7)
    const { actions } = await story(id)
    const third = actions.find(({ index }: { index: number }) => index === 3)
    const looked = gate()
    onMemory = afterGate(looked, say('Note anew.'))
    await server.send('PATCH', `/api/adventures/${id}/actions/${third.id}`, { text: 'PLANTED' })
    expect((await bank(id)).map(({ stale }: { stale: boolean }) => stale)).toEqual([true, false])
    looked.open()
    await rested(id)
    onMemory = null
    expect(asked().at(-1)?.content).toContain('PLANTED')
    expect((await bank(id)).map(({ stale }: { stale: boolean }) => stale)).toEqual([false, false])
  })

  for (const [what, note] of [
    ['copy their passages', (told: string) => told],
    // Qwen2.5 1.5B.
    ['say what is no longer so', (told: string) => `No longer: ${told}`],
  ] as const)
    test(`that only ${what} are asked for once more, in fewer words`, async () => {
      const id = await begin()
      const told = 'The lamp burns low, and the fog comes in over the rail.'
      telling = told
      onMemory = (exchange) => {
        const isSecond = asked().at(-1)?.content.includes('Do not repeat them')
        return say(isSecond ? 'The hero saw the fog come in.' : note(told))(exchange)
      }
      await play(id, 7)
      expect((await bank(id)).map(({ text }: { text: string }) => text)).toEqual([
        'The hero saw the fog come in.',
        'The hero saw the fog come in.',
      ])
      onMemory = null
      telling = null
    })

  // Qwen2.5 1.5B.
  test('that then tell the newest passage instead are kept as they were', async () => {
    const id = await begin()
    onMemory = (exchange) => {
      const isSecond = asked().at(-1)?.content.includes('Do not repeat them')
      return say(isSecond ? 'The hero smiled. “Please treat everyone with kindness.”' : (telling ?? ''))(
        exchange,
      )
    }
    telling = 'The lamp burns low, and the fog comes in over the rail.'
    await play(id, 6)
    telling = 'You smile. “Please treat everyone with kindness.”'
    await playTurn(server, id, { type: 'do', text: 'read on' })
    telling = 'The lamp burns low, and the fog comes in over the rail.'
    await rested(id)
    expect((await bank(id)).map(({ text }: { text: string }) => text)).toEqual([telling, telling])
    onMemory = null
    telling = null
  })

  test('are deleted with undone passages, and made again', async () => {
    const id = await begin()
    await play(id, 7)
    for (let i = 0; i < 2; i++) await server.post(`/api/adventures/${id}/undo`)
    expect((await bank(id)).map(({ source_end }: { source_end: number }) => source_end)).toEqual([6])
    await play(id, 2)
    expect((await bank(id)).map(({ source_end }: { source_end: number }) => source_end)).toEqual([6, 12])
  })

  test('that fail pause for one turn, two, then four, and say why', async () => {
    const id = await begin()
    onMemory = status(500)
    for (let turn = 0; turn < 7; turn++) {
      await playTurn(server, id, { type: 'do', text: `step ${turn}` })
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

  test('are preempted by every turn, even when they have started', async () => {
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
    expect(await bank(id)).toMatchObject([{ source_start: 1, source_end: 13 }])
  })

  test('are asked for without quotes where the server reads slowly', async () => {
    const id = await begin()
    server.deps.speeds.measureReading(endpoint.url, 20, 1_000)
    const text = 'walk along the wall '.repeat(40)
    for (let turn = 0; turn < 7; turn++) await playTurn(server, id, { type: 'do', text })
    await rested(id)
    expect(await bank(id)).toMatchObject([{ source_start: 1, source_end: 13 }])
    expect(asked().at(-1)?.content).toContain('the last 13 passages before the newest one')
    server.deps.speeds.measureReading(endpoint.url, 2_048, 1_000)
  })

  test('that the model makes too long are stopped, and keep four sentences', async () => {
    const id = await begin()
    onMemory = say('One. Two. Three. Four. Five. Six. Seven.')
    await play(id, 7)
    onMemory = null
    expect(await bank(id)).toMatchObject([
      { text: 'One. Two. Three. Four.' },
      { text: 'One. Two. Three. Four.' },
    ])
  })

  test('that reach their limit keep whole sentences', async () => {
    const id = await begin()
    onMemory = say('The key is false. Brisa has', { finish: 'length' })
    await play(id, 7)
    onMemory = null
    expect((await bank(id))[0].text).toBe('The key is false.')
  })

  test('by the player are added, pinned, forgotten, edited and deleted', async () => {
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
    expect(
      (await server.send('PATCH', `${at}/${body.id}`, { no_longer: ' It was false. ' })).body,
    ).toMatchObject({
      text: 'It is true.',
      no_longer: 'It was false.',
    })
    const bundle = (await server.get(`/api/adventures/${id}/export?format=json`)).body
    const [taken] = (await server.post('/api/import?apply=1', bundle)).body.adventure_ids
    expect(await bank(taken)).toMatchObject([{ text: 'It is true.', no_longer: 'It was false.' }])
    expect((await server.post(at, { text: ' ' })).status).toBe(400)
    expect((await server.send('DELETE', `${at}/${body.id}`)).status).toBe(204)
    expect((await server.send('PATCH', `${at}/${body.id}`, {})).status).toBe(404)
    expect((await server.get('/api/adventures/999/memories')).status).toBe(404)
  })

  test('over the capacity are forgotten, the least recently used first', async () => {
    const id = await begin()
    await server.send('PUT', '/api/settings', { memory_bank_capacity: 2 })
    await play(id, 7)
    await play(id, 3)
    await server.send('PUT', '/api/settings', { memory_bank_capacity: 80 })
    expect((await bank(id)).map(({ forgotten }: { forgotten: boolean }) => forgotten)).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('the summary', () => {
  test('is asked for in fewer words where the server cannot write it in a pause', async () => {
    const id = await begin()
    server.deps.speeds.measureWriting(endpoint.url, 100, 10_000)
    await play(id, 8)
    const task = endpoint.requests.findLast(({ body }) => isSummary(body?.messages?.at(-1)?.content ?? ''))
    expect(task?.body?.messages?.at(-1)?.content).toContain('at most 60 words')
    expect((await story(id)).story_summary).toStartWith('Summary')
    server.deps.speeds.measureWriting(endpoint.url, 100, 1)
  })

  test('is updated every fifteen passages, and used from the next cut on', async () => {
    const id = await begin()
    await play(id, 7)
    expect((await story(id)).story_summary).toBe('')
    await play(id, 1)
    const { story_summary } = await story(id)
    expect(story_summary).toStartWith('Summary')
    await playTurn(server, id, { type: 'continue' })
    expect(prompted()[0]?.content).not.toContain(story_summary)
  })

  test('that the player wrote is built upon, and used at once', async () => {
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

  test('contains nothing that was edited, retried or undone', async () => {
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

describe('a memory by the player', () => {
  const small = { context_token_budget: 3_000, max_output_tokens: 200 }
  const filler = 'The road goes on and on, and nobody says a word about it. '.repeat(8)
  const notes = async (id: number) => (await server.get(`/api/adventures/${id}/context`)).body

  /** A story whose first passages have long left the prompt. */
  async function longStory(): Promise<number> {
    const id = await begin()
    await server.send('PUT', '/api/settings', small)
    for (let turn = 0; turn < 24; turn++) {
      telling = `${turn === 1 ? 'Maren hides the silver key under the well. ' : ''}${filler}`
      await playTurn(server, id, { type: 'do', text: `step ${turn}` })
    }
    await server.post(`/api/adventures/${id}/memories`, { text: 'The tall man fears dogs.' })
    // Enough others for one to stand out.
    for (let stone = 1; stone <= 20; stone++)
      await server.post(`/api/adventures/${id}/memories`, { text: `Milestone ${stone} has moss on it.` })
    return id
  }

  test('is recalled by its words, once', async () => {
    const id = await longStory()
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

  const meaning = (text: string) => [/dog|hound/.test(text) ? 1 : 0, /key|lock/.test(text) ? 1 : 0, 0.1]
  const embedding: Step = (exchange) =>
    json(200, {
      data: (exchange.request.body?.input ?? []).map((text, index) => ({ index, embedding: meaning(text) })),
    })(exchange)
  /** The memories that the last turn of a story recalled. */
  async function recalled(id: number): Promise<{ text: string; via: string }[]> {
    const { actions } = await story(id)
    return (await server.get(`/api/adventures/${id}/actions/${actions.at(-1).id}/context`)).body.memories
  }
  const ordinary = {
    embedding_model: '',
    embedding_endpoint_url: '',
    context_token_budget: 16_384,
    max_output_tokens: 800,
  }

  test('is found by meaning with an embedding model, and by words without one', async () => {
    endpoint.embedWith(embedding)
    const id = await longStory()
    await server.send('PUT', '/api/settings', { embedding_model: 'first' })
    await rested(id)
    for (const { embedded, source_end } of await bank(id)) expect(embedded).toBe(source_end === null)
    // Nothing stands out for a line that fits none.
    await playTurn(server, id, { type: 'do', text: 'whistle for a taxi' })
    expect(await recalled(id)).toEqual([])
    await rested(id)
    await playTurn(server, id, { type: 'do', text: 'whistle for a hound' })
    expect(prompted().at(-1)?.content).toContain('[Earlier in the story: The tall man fears dogs.]')
    expect(await recalled(id)).toEqual([
      expect.objectContaining({ text: 'The tall man fears dogs.', via: 'vector' }),
    ])
    const inputs = endpoint.embedRequests.map(({ body }) => body?.input ?? [])
    expect(inputs).toContainEqual(['You whistle for a taxi.'])
    expect(inputs).toContainEqual(['You whistle for a hound.'])
    // Another model: nothing is compared with the old vectors, and all are made again.
    await server.send('PUT', '/api/settings', { embedding_model: 'second' })
    const before = endpoint.embedRequests.length
    await rested(id)
    const anew = endpoint.embedRequests.slice(before).flatMap(({ body }) => body?.input ?? [])
    expect(anew).toContain('The tall man fears dogs.')
    // A server without embeddings: the turn continues, and recall uses words alone.
    endpoint.embedWith(status(500))
    const events = await playTurn(server, id, { type: 'do', text: 'whistle again' })
    expect(events.at(-1)).toMatchObject({ type: 'done' })
    await server.send('PUT', '/api/settings', ordinary)
  })

  test('is embedded with the prefixes that E5 wants, at an address of its own', async () => {
    await using own = await startEndpoint()
    own.embedWith(embedding)
    endpoint.embedWith(status(501, 'This server does not support embeddings.'))
    const id = await longStory()
    const before = endpoint.embedRequests.length
    await server.send('PUT', '/api/settings', {
      embedding_model: 'e5-small',
      embedding_endpoint_url: own.url,
    })
    await rested(id)
    expect(own.embedRequests.flatMap(({ body }) => body?.input)).toContain(
      'passage: The tall man fears dogs.',
    )
    await playTurn(server, id, { type: 'do', text: 'whistle for a hound' })
    expect(own.embedRequests.map(({ body }) => body?.input?.[0])).toContain('query: You whistle for a hound.')
    expect(await recalled(id)).toContainEqual(expect.objectContaining({ via: 'vector' }))
    expect(endpoint.embedRequests).toHaveLength(before)
    expect(own.requests).toEqual([])
    // The same model elsewhere: its vectors are kept.
    await rested(id)
    await using other = await startEndpoint()
    await server.send('PUT', '/api/settings', { embedding_endpoint_url: other.url })
    await rested(id)
    expect(other.embedRequests).toEqual([])
    await server.send('PUT', '/api/settings', ordinary)
  })

  test('that is undone is in no later prompt', async () => {
    const id = await longStory()
    await playTurn(server, id, { type: 'do', text: 'ask the tall man about dogs' })
    expect(JSON.stringify((await notes(id)).messages)).toContain('fears dogs')
    const { id: memory } = (await bank(id)).find(({ text }: { text: string }) => text.includes('dogs'))
    await server.send('DELETE', `/api/adventures/${id}/memories/${memory}`)
    expect(JSON.stringify((await notes(id)).messages)).not.toContain('fears dogs')
    await server.send('PUT', '/api/settings', { context_token_budget: 16_384, max_output_tokens: 800 })
  })
})

test('the practice narrator is asked nothing', async () => {
  await server.send('PUT', '/api/settings', { endpoint_url: '' })
  const id = await begin()
  await rested(id)
  expect(await bank(id)).toEqual([])
  await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url })
})

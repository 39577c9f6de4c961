import { afterAll, expect, test } from 'bun:test'
import { say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer()
await server.send('PUT', '/api/settings', {
  endpoint_url: endpoint.url,
  model: 'teller',
  context_token_budget: 2_200,
  max_output_tokens: 100,
})

const FACT = 'The ferryman whispers that the silver bell of Orrin lies under the drowned chapel.'
const ASK = 'Where did the ferryman say the silver bell lies?'

let told = 0
const filler = () =>
  say(`Turn ${++told}. ${'The road goes on between the hedges, and rain begins. '.repeat(8)}`)
const sent = () => (endpoint.requests.at(-1)?.body?.messages ?? []).map(({ content }) => content).join('\n')
const quotes = () => sent().match(/\[Earlier, passage \d+: [^\]]*\]/g) ?? []
const actionsOf = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions

/** A story in which passage 2 tells the fact, long before the window. */
async function longStory(fields: object = {}): Promise<number> {
  const { id } = (await server.post('/api/adventures', { title: 'The ferry' })).body
  await server.send('PATCH', `/api/adventures/${id}`, fields)
  endpoint.next(filler())
  await playTurn(server, id, { type: 'story', text: FACT })
  for (let turn = 0; turn < 12; turn++) {
    endpoint.next(filler())
    await playTurn(server, id, { type: 'continue' })
  }
  return id
}

async function ask(id: number, text = ASK) {
  endpoint.next(filler())
  await playTurn(server, id, { type: 'say', text })
}

test('an early passage is quoted once, with its number, and stays there until it is rewritten', async () => {
  const id = await longStory()
  const fact = (await actionsOf(id)).find(({ text }: { text: string }) => text === FACT)
  await ask(id)
  const quote = `[Earlier, passage ${fact.index}: ${FACT}]`
  expect(quotes()).toEqual([quote])
  const { passages } = (
    await server.get(`/api/adventures/${id}/actions/${(await actionsOf(id)).at(-1).id}/context`)
  ).body
  expect(passages).toEqual([
    {
      id: fact.id,
      index: fact.index,
      quote: FACT,
      terms: expect.arrayContaining(['ferryman']),
      via: 'words',
      isPast: false,
      reason: 'told',
    },
  ])
  const before = sent()
  endpoint.next(filler())
  await retryTurn(server, id)
  expect(sent()).toBe(before)
  await ask(id)
  expect(sent().startsWith(before)).toBe(true)
  expect(quotes()).toEqual([quote])
  const page = await (await server.ask(`/adventures/${id}/insights`)).text()
  expect(page).toContain('Insights')

  await server.send('PATCH', `/api/adventures/${id}/actions/${fact.id}`, {
    text: 'The ferryman says nothing.',
  })
  endpoint.next(filler())
  await retryTurn(server, id)
  expect(sent()).not.toContain('drowned chapel')
  await ask(id)
  expect(sent()).not.toContain('drowned chapel')
})

test('nothing is recalled that the window still shows, nor by a line about something else', async () => {
  const id = await longStory()
  await ask(id, 'I walk on.')
  expect(quotes()).toEqual([])
  const { id: short } = (await server.post('/api/adventures', { title: 'Short' })).body
  endpoint.next(filler())
  await playTurn(server, short, { type: 'story', text: FACT })
  await ask(short)
  expect(quotes()).toEqual([])
})

test('a story without its memory bank recalls nothing', async () => {
  const id = await longStory({ memory_bank_enabled: false })
  await ask(id)
  expect(quotes()).toEqual([])
})

test('the insights of a turn link to the passage that was recalled', async () => {
  const id = await longStory()
  await ask(id)
  const actions = await actionsOf(id)
  const fact = actions.find(({ text }: { text: string }) => text === FACT)
  const page = await (await server.ask(`/adventures/${id}/insights?turn=${actions.at(-1).id}`)).text()
  expect(page).toContain('Passages recalled')
  expect(page).toContain(`href="/adventures/${id}?at=${fact.id}#action-${fact.id}"`)
})

test('a line can be tried: what it would recall, from where and why, without a trace', async () => {
  const id = await longStory()
  const actions = await actionsOf(id)
  const fact = actions.find(({ text }: { text: string }) => text === FACT)
  await server.post(`/api/adventures/${id}/memories`, { text: 'Mother Agathe distrusts the ferryman.' })
  const requests = endpoint.requests.length
  const tried = await server.post(`/api/adventures/${id}/recall`, { line: ASK })
  expect(tried.body).toEqual({
    memories: [],
    passages: [
      {
        id: fact.id,
        index: fact.index,
        quote: FACT,
        terms: expect.arrayContaining(['ferryman']),
        via: 'words',
        isPast: false,
        reason: 'told',
      },
    ],
  })
  const agathe = await server.post(`/api/adventures/${id}/recall`, {
    line: 'I ask Agathe about the ferryman.',
  })
  expect(agathe.body.memories).toEqual([
    expect.objectContaining({ text: 'Mother Agathe distrusts the ferryman.', via: 'words', reason: 'told' }),
  ])
  expect((await server.post(`/api/adventures/${id}/recall`, { line: 'I walk on.' })).body).toEqual({
    memories: [],
    passages: [],
  })
  expect((await server.post('/api/adventures/999/recall', { line: ASK })).status).toBe(404)
  for (const headers of [{}, { 'HX-Request': 'true' }]) {
    const page = await server.ask(`/adventures/${id}/recall`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ line: ASK }).toString(),
    })
    const html = await page.text()
    expect(html).toContain(`href="/adventures/${id}?at=${fact.id}#action-${fact.id}"`)
    expect(html).toContain('drowned chapel')
  }
  expect(endpoint.requests).toHaveLength(requests)
  expect(await actionsOf(id)).toEqual(actions)
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { upsertFacts } from '../../../src/db/tables/endpoint-facts.ts'
import { type CardProposal, PROPOSAL_SCHEMA } from '../../../src/domain/cards/proposals.ts'
import { type Step, say, status } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel({ idleDelay: 0 })

const isQuestion = (content: string) => content.includes('lore that is worth keeping')
const lastOf = (exchange: Parameters<Step>[0]) => exchange.request.body?.messages?.at(-1)?.content ?? ''
let told = 0
let answer: Step = say('{"cards": []}')
endpoint.byDefault((exchange) =>
  isQuestion(lastOf(exchange))
    ? answer(exchange)
    : say(
        lastOf(exchange).includes('[Leave the story') ? 'A note.' : `The ferry of Ansa ${told++} lies still.`,
      )(exchange),
)
const questions = () =>
  endpoint.requests.filter(({ body }) => isQuestion(body?.messages?.at(-1)?.content ?? ''))
const ANSA = {
  passage: 2,
  quote: 'the ferry of ANSA',
  name: 'Ansa',
  keys: 'Ansa, ferry',
  entry: 'She has a ferry.',
}
const proposing = (...cards: object[]) => {
  answer = say(`Here it is:\n${JSON.stringify({ cards })}`)
}

async function rested(id: number): Promise<void> {
  server.deps.idle.wake(id)
  await server.deps.idle.ended()
}
async function play(id: number, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await playTurn(server, id, { type: 'do', text: `step ${turn}` })
  await rested(id)
}
async function begin(
  fields: object = { propose_cards: true, memory_bank_enabled: false, auto_summarize: false },
) {
  const { id } = (await server.post('/api/adventures', { title: 'Long' })).body
  await server.send('PATCH', `/api/adventures/${id}`, fields)
  return id
}
const waiting = async (id: number): Promise<CardProposal[]> =>
  (await server.get(`/api/adventures/${id}/card-proposals`)).body
const cards = async (id: number) => (await server.get(`/api/story-cards?adventure_id=${id}`)).body
const texts = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions
const post = (id: number, proposal: number | undefined, what: string, body?: object) =>
  server.post(`/api/adventures/${id}/card-proposals/${proposal}/${what}`, body)
/** A story with one proposal that waits. */
async function proposed(): Promise<{ id: number; one: CardProposal }> {
  proposing(ANSA)
  const id = await begin()
  await play(id, 4)
  const [one] = await waiting(id)
  if (!one) throw new Error('Nothing was proposed.')
  return { id, one }
}

describe('story cards', () => {
  test('are proposed every six passages, never of the newest, and only where that is switched on', async () => {
    const off = await begin({})
    await play(off, 8)
    expect((await server.get(`/api/adventures/${off}`)).body.propose_cards).toBe(false)
    expect(questions()).toEqual([])
    const { id, one } = await proposed()
    expect(one).toMatchObject({ ...ANSA, card_id: null })
    expect(await cards(id)).toEqual([])
    const [asked] = questions()
    expect(asked?.body?.messages?.at(-1)?.content).toContain('Passage 2:\nThe ferry of Ansa')
    const before = questions().length
    await rested(id)
    expect(questions()).toHaveLength(before)
    await play(id, 3)
    expect(questions()).toHaveLength(before + 1)
  })

  test('are asked for under a schema, where the server takes one', async () => {
    const facts = (kind: 'llama-cpp' | 'unknown') =>
      server.deps.library.write((tx) => upsertFacts(tx, endpoint.url, 'test-model', { server: kind }))
    facts('llama-cpp')
    await proposed()
    facts('unknown')
    expect(questions().at(-1)?.body).toMatchObject({
      response_format: { json_schema: { schema: PROPOSAL_SCHEMA } },
    })
  })

  const botched: [string, object | string][] = [
    ['a quote that stands nowhere', { ...ANSA, quote: 'the ferry of Brisa' }],
    // Qwen2.5 1.5B.
    ['only what the player does', { ...ANSA, entry: 'You step 0.' }],
    ['a quote that stands everywhere', { ...ANSA, quote: 'The' }],
    ['no name', { ...ANSA, name: ' ' }],
    ['no entry', { ...ANSA, entry: 7 }],
    ['no JSON', 'There is nothing.'],
    ['half of it', '{"cards": [{"passage": 2, "quote": "the ferry'],
  ]
  test.each(botched)('are dropped that have %s', async (_, card) => {
    answer = typeof card === 'string' ? say(card) : say(JSON.stringify({ cards: [card] }))
    const id = await begin()
    await play(id, 4)
    expect(await waiting(id)).toEqual([])
    const before = questions().length
    await rested(id)
    expect(questions()).toHaveLength(before)
  })

  test.each([1, 99])(
    'belong to the passage that they quote, whatever number they give: %d',
    async (passage) => {
      proposing({ ...ANSA, passage })
      const id = await begin()
      await play(id, 4)
      expect(await waiting(id)).toMatchObject([{ ...ANSA, passage: 2 }])
    },
  )

  test('that could not be asked for are asked for after the next turn', async () => {
    answer = status(500)
    const id = await begin()
    await play(id, 4)
    expect(await waiting(id)).toEqual([])
    proposing(ANSA)
    await play(id, 1)
    expect(await waiting(id)).toMatchObject([{ name: 'Ansa' }])
  })
})

describe('a proposed card', () => {
  test('that is accepted is a card of the story, once', async () => {
    const { id, one } = await proposed()
    const { body, status: code } = await post(id, one.id, 'accept')
    expect([code, body]).toMatchObject([
      200,
      { name: 'Ansa', keys: 'Ansa, ferry', entry: 'She has a ferry.' },
    ])
    expect(await cards(id)).toMatchObject([{ id: body.id, adventure_id: id }])
    expect(await waiting(id)).toEqual([])
    expect((await post(id, one.id, 'accept')).status).toBe(404)
    expect((await post(id, one.id, 'decline')).status).toBe(404)
  })

  test('may be accepted in other words, but not in none', async () => {
    const { id, one } = await proposed()
    expect((await post(id, one.id, 'accept', { name: ' ' })).status).toBe(422)
    expect((await post(id, one.id, 'accept', { nme: 'x' })).status).toBe(422)
    await post(id, one.id, 'accept', { name: 'Ansa Lind', entry: 'A ferrywoman.' })
    expect(await cards(id)).toMatchObject([
      { name: 'Ansa Lind', keys: 'Ansa, ferry', entry: 'A ferrywoman.' },
    ])
  })

  test('with the name of a card is added to it', async () => {
    proposing({ ...ANSA, name: 'ansa', keys: 'ANSA, boat' })
    const id = await begin()
    const old = { name: 'Ansa', keys: 'Ansa', entry: 'She is old.' }
    await server.post('/api/story-cards', { adventure_id: id, ...old })
    await play(id, 4)
    const [one] = await waiting(id)
    expect(one?.card_id).toBe((await cards(id))[0].id)
    await post(id, one?.id, 'accept')
    expect(await cards(id)).toMatchObject([
      { name: 'Ansa', keys: 'Ansa, boat', entry: 'She is old.\nShe has a ferry.' },
    ])
  })

  test('that is declined does not come back, by its name or its quote', async () => {
    const { id, one } = await proposed()
    expect((await post(id, one.id, 'decline')).status).toBe(204)
    const again = { ...ANSA, passage: 8, quote: 'ferry of Ansa' }
    proposing(again, { ...again, name: 'The ferry' })
    const before = questions().length
    await play(id, 3)
    expect(questions()).toHaveLength(before + 1)
    expect(await waiting(id)).toEqual([])
    expect(await cards(id)).toEqual([])
  })

  test('disappears with its passage: edited, undone, or retried', async () => {
    for (const change of ['edit', 'undo', 'another edit'] as const) {
      const { id, one } = await proposed()
      const path = `/api/adventures/${id}/actions/${one.action_id}`
      if (change === 'undo') for (let i = 0; i < 4; i++) await server.post(`/api/adventures/${id}/undo`)
      else await server.send('PATCH', path, { text: 'Nothing at all.' })
      expect(await waiting(id)).toEqual([])
      expect((await post(id, one.id, 'accept')).status).toBe(404)
      expect(await cards(id)).toEqual([])
    }
  })

  test('of a passage that is played again after an undo is asked for again', async () => {
    const { id } = await proposed()
    for (let i = 0; i < 4; i++) await server.post(`/api/adventures/${id}/undo`)
    await play(id, 4)
    expect(await waiting(id)).toMatchObject([{ passage: 2 }])
    await retryTurn(server, id)
    expect(await waiting(id)).toHaveLength(1)
  })

  test('comes along in copies and files, with what was declined', async () => {
    const { id, one } = await proposed()
    const bundle = (await server.get(`/api/adventures/${id}/export?format=json`)).body
    const [taken] = (await server.post('/api/import?apply=1', bundle)).body.adventure_ids
    const copy = (await server.post(`/api/adventures/${id}/copy`, {})).body.id
    for (const other of [taken, copy]) {
      expect(await waiting(other)).toMatchObject([ANSA])
      expect((await server.get(`/api/adventures/${other}`)).body.propose_cards).toBe(true)
    }
    await post(id, one.id, 'decline')
    const { card_proposals } = (await server.get(`/api/adventures/${id}/export?format=json`)).body
    expect(card_proposals).toEqual([{ ...ANSA, answer: 'declined' }])
  })

  test('of another story cannot be answered', async () => {
    const { one } = await proposed()
    const other = await begin()
    for (const what of ['accept', 'decline']) expect((await post(other, one.id, what)).status).toBe(404)
  })
})

test('after any edits, undos and retries, every pending proposal quotes a current passage', async () => {
  proposing(ANSA, { ...ANSA, passage: 4, name: 'Ferry', quote: 'lies still' })
  const steps = fc.array(fc.constantFrom('play', 'undo', 'edit', 'retry'), { minLength: 3, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(steps, async (operations) => {
      const id = await begin()
      await play(id, 4)
      for (const operation of operations) {
        const actions = await texts(id)
        const path = `/api/adventures/${id}/actions/${actions.at(actions.length > 3 ? 2 : -1).id}`
        if (operation === 'play') await play(id, 1)
        if (operation === 'undo') await server.post(`/api/adventures/${id}/undo`)
        if (operation === 'edit') await server.send('PATCH', path, { text: `Otherwise ${told++}.` })
        if (operation === 'retry' && actions.length > 1) await retryTurn(server, id)
        const now = await texts(id)
        for (const { passage, quote } of await waiting(id)) {
          const found = now.find(({ index }: { index: number }) => index === passage)
          expect(found?.text.toLowerCase()).toContain(quote.toLowerCase())
        }
      }
    }),
    { numRuns: 8 },
  )
})

test('the memory panel accepts, changes and declines without script', async () => {
  const { id, one } = await proposed()
  const page = await (await server.ask(`/adventures/${id}?panel=memory`)).text()
  expect(page).toContain('Proposed story cards')
  expect(page).toContain('the ferry of ANSA')
  const send = (fields: Record<string, string>) =>
    server.ask(`/adventures/${id}/card-proposals/${one.id}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
  const empty = await send({ do: 'accept', name: 'Ansa', keys: '', entry: ' ' })
  expect([empty.status, (await empty.text()).includes('needs a name and an entry')]).toEqual([422, true])
  const accepted = await send({ do: 'accept', name: 'Ansa', keys: 'Ansa', entry: 'Old.' })
  expect([accepted.status, accepted.headers.get('location')?.includes('did=accepted')]).toEqual([303, true])
  expect(await cards(id)).toMatchObject([{ name: 'Ansa', entry: 'Old.' }])
  const { one: other, id: second } = await proposed()
  const declined = await server.ask(`/adventures/${second}/card-proposals/${other.id}`, {
    method: 'POST',
    body: new URLSearchParams({ do: 'decline' }),
    redirect: 'manual',
  })
  expect(declined.status).toBe(303)
  expect(await waiting(second)).toEqual([])
})

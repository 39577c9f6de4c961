import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { findFacts } from '../../../src/db/tables/endpoint-facts.ts'
import { OTHER_REQUEST } from '../../../src/domain/prompt/phrases.ts'
import {
  breakOff,
  type ScriptedEndpoint,
  say,
  silent,
  startEndpoint,
  status,
} from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn, startTurn, streamedText } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint: ScriptedEndpoint = await startEndpoint()
afterAll(() => endpoint.close())
endpoint.pages.set('/props', { default_generation_settings: { n_ctx: 8_192 } })
const server = await startServer({ idleDelay: 0 })
const set = (settings: object) => server.send('PUT', '/api/settings', settings)
const begin = async (): Promise<number> => (await server.post('/api/adventures', { title: 'Loop' })).body.id
/** A story with one turn. */
async function waited(reply: string): Promise<number> {
  const id = await begin()
  endpoint.next(say(reply))
  await playTurn(server, id, { type: 'do', text: 'wait' })
  return id
}
const newest = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions.at(-1)

const GOOD = 'You lift the lantern and the dark draws back a little. Something drips in the next room.'
const AGAIN = ' The door at the end of the hall is locked, and nobody answers when you knock.'
const LOOP = GOOD + AGAIN.repeat(12)
const ONLY = AGAIN.trim()

beforeEach(async () => {
  await set({ endpoint_url: endpoint.url, model: 'test-model', loop_guard: true, read_ahead: false })
  await server.deps.idle.ended()
  expect(findFacts(server.deps.library.reader, endpoint.url, 'test-model').server).toBe('llama-cpp')
})

describe('a reply that begins to repeat itself', () => {
  test('is stopped; the good part is kept, with a word about it', async () => {
    const id = await begin()
    endpoint.next(say(LOOP, { pieces: 60 }))
    const events = await playTurn(server, id, { type: 'do', text: 'look' })
    const told = events.find(ofType('done'))?.action
    expect(told).toMatchObject({ cut: 'repeated', text: GOOD + AGAIN })
    expect(streamedText(events).length).toBeLessThan(LOOP.length / 2)
    expect(await (await server.ask(`/adventures/${id}`)).text()).toContain('began to repeat itself')
    // A model must not learn from it: later prompts hold the good part alone.
    endpoint.next(say('A mouse.'))
    await playTurn(server, id)
    const sent = JSON.stringify(endpoint.requests.at(-1)?.body?.messages)
    expect(sent.split(AGAIN.trim())).toHaveLength(2)
  })

  test('is shown to its end where the player allows it', async () => {
    await set({ loop_guard: false })
    const id = await begin()
    endpoint.next(say(LOOP, { pieces: 60 }))
    const events = await playTurn(server, id, { type: 'do', text: 'look' })
    expect(events.find(ofType('done'))?.action).toMatchObject({ cut: null, text: LOOP })
  })
})

describe('a reply that only repeats an earlier passage', () => {
  const repeatedOnce = async () => {
    const earlier = `${ONLY} You wait, and count to a hundred, and hear the rain come over the roof like a herd of goats.`
    return { id: await waited(earlier), earlier }
  }

  test('is asked for once more in other words; what was shown is cleared', async () => {
    const { id, earlier } = await repeatedOnce()
    endpoint.next(say(earlier, { pieces: 40 }), say('A mouse runs over your boot.'))
    const events = await playTurn(server, id, { type: 'do', text: 'wait' })
    const discarded = events.findIndex(ofType('discarded'))
    expect(events[discarded]).toMatchObject({ detail: expect.stringContaining('repeated earlier passages') })
    expect(streamedText(events.slice(discarded))).toBe('A mouse runs over your boot.')
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      action: { text: 'A mouse runs over your boot.', cut: null },
    })
    const [first, second] = endpoint.requests.slice(-2).map(({ body }) => body)
    const { messages: asked = [], ...settings } = second ?? {}
    const { messages: before = [], ...usual } = first ?? {}
    expect(settings).toEqual(usual)
    expect(asked.slice(0, -1)).toEqual(before.slice(0, -1))
    const last = asked.at(-1)?.content ?? ''
    expect(last).toEndWith(OTHER_REQUEST)
    expect(before.at(-1)?.content).not.toEndWith(OTHER_REQUEST)
    // The server has read them, so they stay.
    endpoint.next(say('Nothing more.'))
    await playTurn(server, id)
    expect(endpoint.requests.at(-1)?.body?.messages?.map(({ content }) => content)).toContain(last)
  })

  test('begins its second attempt with a character where the server continues a message', async () => {
    const { id, earlier } = await repeatedOnce()
    await server.post(`/api/story-cards`, {
      adventure_id: id,
      type: 'character',
      name: 'Old Mara',
      keys: 'roof',
      entry: 'A cat.',
    })
    endpoint.next(say(earlier), say(' yawns.'))
    const events = await playTurn(server, id, { type: 'do', text: 'wait' })
    expect(endpoint.requests.at(-1)?.body?.messages?.at(-1)).toEqual({
      role: 'assistant',
      content: 'Old Mara',
    })
    expect(events.find(ofType('done'))?.action).toMatchObject({ text: 'Old Mara yawns.' })
  })

  test('twice is no reply, and nothing is stored', async () => {
    const { id, earlier } = await repeatedOnce()
    endpoint.next(say(earlier), say(earlier))
    const events = await playTurn(server, id, { type: 'do', text: 'wait' })
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'state_only_reply', retryable: true })
    expect(await newest(id)).toMatchObject({ type: 'do', waiting: true })
  })
})

describe('a reply that repeats an earlier passage after a few words', () => {
  const EARLIER = `${GOOD} ${ONLY} You count to a hundred, and hear the rain come over the roof like a herd of goats, and somewhere below you the sea lifts the boats on their chains and lets them fall again, one after the other, like a sleeper who turns over.`
  const FEW = '"I hear you," you say to the rain.'
  const asked = async (again: string) => {
    const id = await waited(EARLIER)
    endpoint.next(say(`${FEW} ${EARLIER}`, { pieces: 40 }), say(again))
    return playTurn(server, id, { type: 'do', text: 'listen' })
  }

  test('is asked for once more', async () => {
    const events = await asked('A mouse runs over your boot.')
    expect(events.find(ofType('discarded'))?.detail).toContain('too soon')
    expect(events.find(ofType('done'))?.action).toMatchObject({ text: 'A mouse runs over your boot.' })
  })

  test('keeps them if nothing of the second is good', async () => {
    const events = await asked(EARLIER)
    expect(events.find(ofType('done'))?.action).toMatchObject({ text: FEW, cut: 'repeated' })
  })
})

describe("a reply that only says the player's line back", () => {
  const PARROT = 'The ferryman says, "Who lit the lamp tonight?"'
  const asked = async (...replies: string[]) => {
    const id = await begin()
    endpoint.next(...replies.map((text) => say(text)))
    return playTurn(server, id, { type: 'say', text: 'Who lit the lamp tonight?' })
  }

  test('is asked for once more', async () => {
    const events = await asked(PARROT, 'Nobody answers.')
    expect(events.find(ofType('discarded'))?.detail).toContain('only repeated your line')
    expect(events.find(ofType('done'))?.action).toMatchObject({ text: 'Nobody answers.' })
  })

  test('or sentences of earlier passages, is asked for once more', async () => {
    const id = await waited(GOOD)
    endpoint.next(say('You lift the lantern and the dark draws back a little.'), say('Nobody answers.'))
    const events = await playTurn(server, id, { type: 'do', text: 'listen' })
    expect(events.find(ofType('discarded'))?.detail).toContain('only repeated earlier passages')
    expect(events.find(ofType('done'))?.action).toMatchObject({ text: 'Nobody answers.' })
  })

  test('twice is no reply', async () => {
    const events = await asked(PARROT, PARROT)
    expect(events.at(-1)).toMatchObject({
      code: 'state_only_reply',
      detail: expect.stringContaining('your line'),
    })
  })
})

describe('if the second attempt fails before any prose, the good part of the first', () => {
  const EARLIER = `${GOOD} ${ONLY} You count to a hundred, and hear the rain come over the roof.`
  const FEW = '"I hear you," you say to the rain.'
  const PARROT = 'The ferryman says, "Who lit the lamp tonight?"'
  const LINE = { type: 'say', text: 'Who lit the lamp tonight?' }
  const FIRSTS = {
    'of a repetition': { first: `${FEW} ${EARLIER}`, text: FEW, cut: 'repeated' },
    "that is the player's line": { first: PARROT, text: PARROT, cut: null },
  }
  for (const [what, { first, text, cut }] of Object.entries(FIRSTS)) {
    for (const [how, fault] of Object.entries({ 'an error': status(500), 'a break': breakOff() }))
      test(`${what} is the interrupted reply: ${how}`, async () => {
        const id = await waited(EARLIER)
        endpoint.next(say(first), fault)
        const events = await playTurn(server, id, LINE)
        expect(events.at(-1)).toMatchObject({ type: 'error', code: 'provider_error' })
        const { body } = await server.get(`/api/adventures/${id}`)
        expect(body.interrupted).toMatchObject({ text })
        await server.post(`/api/adventures/${id}/interrupted/keep`)
        expect(await newest(id)).toMatchObject({ text, cut })
      })

    test(`${what} is the reply of a turn that is stopped`, async () => {
      const id = await waited(EARLIER)
      endpoint.next(say(first), silent)
      const turn = await startTurn(server, `/api/adventures/${id}/actions`, LINE)
      await turn.until(ofType('discarded'))
      await server.post(`/api/adventures/${id}/stop`)
      expect((await turn.rest()).at(-1)).toMatchObject({ type: 'done', action: { text, cut } })
    })
  }
})

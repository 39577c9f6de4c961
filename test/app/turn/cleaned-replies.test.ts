import { describe, expect, test } from 'bun:test'
import { endless, frame, say } from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn, retryTurn, streamedText } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel({ narrator: { retryEvery: 0.01, acceptTimeout: 0.01 } })

const STATS = { player: { warmth: { min: 0, max: 40, initial: 30 } } }
const BLOCK = '```state_delta\n{"player.warmth":-3}\n```'

const begin = async (stat_schema: object = {}): Promise<number> => {
  const scenario = (await server.post('/api/scenarios', { title: 'Rock', prompt: 'Night.', stat_schema }))
    .body
  return (await server.post('/api/adventures', { scenario_id: scenario.id })).body.id
}
const newest = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions.at(-1)
/** The newest reply as the model wrote it, from the page that shows it. */
async function rawOutput(id: number): Promise<string> {
  const page = await (await server.ask(`/adventures/${id}/insights?turn=${(await newest(id)).id}`)).text()
  const [, raw = ''] = [...page.matchAll(/<pre class="raw">([\s\S]*?)<\/pre>/g)].at(-1) ?? []
  return raw.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"')
}

/** The replies in the newest request. */
const replied = () =>
  endpoint.requests
    .at(-1)
    ?.body?.messages?.filter(({ role }) => role === 'assistant')
    .map(({ content }) => content)

describe('text that is not prose', () => {
  const cases: [what: string, raw: string][] = [
    [
      'a template token and everything after it',
      'The door opens.<|im_end|>\n<|im_start|>user\nWorld lore: x',
    ],
    ['notes and labels', 'Narrator: The door\n\n[World state now (totals):\nYou: warm.]\n\nopens.'],
    ['the line of the player', '> You wait.\n\nThe door opens.'],
    ['the player, played by the model', 'The door opens.\n\nUser: I go in.\n\nAssistant: You go in.'],
  ]
  for (const [what, raw] of cases)
    for (const pieces of [1, 9, 60])
      test(`is not shown, stored or sent, but kept as raw output: ${what}, in ${pieces} pieces`, async () => {
        const prose = raw.startsWith('Narrator') ? 'The door\n\nopens.' : 'The door opens.'
        const id = await begin()
        endpoint.next(say(raw, { pieces }))
        const events = await playTurn(server, id, { type: 'do', text: 'wait' })
        expect(streamedText(events).trim()).toBe(prose)
        expect((await newest(id)).text).toBe(prose)
        // Where the reply has ended, the model is stopped.
        const output = await rawOutput(id)
        expect(output).toBe(raw.slice(0, output.length))
        expect(output).not.toBe(prose)
        await playTurn(server, id, { type: 'do', text: 'go in' })
        expect(replied()).toEqual(['Night.', prose])
      })

  const RAW = `Narrator: The door opens.\n\n${BLOCK}`
  test('stays out when another version is chosen and this one again', async () => {
    const id = await begin(STATS)
    endpoint.next(say(RAW))
    await playTurn(server, id, { type: 'do', text: 'wait' })
    endpoint.next(say('It stays shut.'))
    await retryTurn(server, id)
    const { id: action } = await newest(id)
    await server.post(`/api/adventures/${id}/actions/${action}/variant`, { index: 0 })
    await playTurn(server, id, { type: 'do', text: 'go in' })
    expect(replied()).toEqual(['Night.', 'The door opens.'])
  })

  test('stays out when the story is exported and imported', async () => {
    const id = await begin(STATS)
    endpoint.next(say(RAW))
    await playTurn(server, id, { type: 'do', text: 'wait' })
    const exported = (await server.get(`/api/adventures/${id}/export`)).body
    const { body: copy } = await server.post('/api/adventures/import', exported)
    await playTurn(server, copy.id, { type: 'do', text: 'go in' })
    expect(replied()).toEqual(['Night.', 'The door opens.'])
  })
})

test('the model is stopped where its reply has ended', async () => {
  const id = await begin()
  endpoint.next(endless(frame({ choices: [{ delta: { content: 'The door opens.<|im_end|>' } }] })))
  const events = await playTurn(server, id, { type: 'do', text: 'wait' })
  expect(events.at(-1)).toMatchObject({ type: 'done', action: { text: 'The door opens.', cut: null } })
  await endpoint.hungUp()
})

describe('a reply that only repeats its prompt', () => {
  const ECHO = 'You wait.\n\nGo on with the story.'

  test('is asked for once more', async () => {
    const id = await begin()
    endpoint.next(say(ECHO), say('A mouse runs over your boot.'))
    const events = await playTurn(server, id, { type: 'do', text: 'wait' })
    expect(events.find(ofType('discarded'))?.detail).toContain('repeated what it had been told')
    expect(events.at(-1)).toMatchObject({ type: 'done', action: { text: 'A mouse runs over your boot.' } })
    const [first, second] = endpoint.requests.slice(-2).map(({ body }) => body?.messages)
    expect(second?.slice(0, -1)).toEqual(first?.slice(0, -1))
    expect(second?.at(-1)).not.toEqual(first?.at(-1))
  })

  test('twice is none, and says so', async () => {
    const id = await begin()
    endpoint.next(say(ECHO), say(ECHO))
    const events = await playTurn(server, id, { type: 'do', text: 'wait' })
    expect(events.find(ofType('error'))).toMatchObject({
      code: 'state_only_reply',
      detail: expect.stringContaining('repeated'),
    })
  })
})

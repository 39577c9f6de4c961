import { afterAll, describe, expect, test } from 'bun:test'
import {
  afterGate,
  gate,
  say,
  sayAndRecord,
  sayAround,
  startEndpoint,
} from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn, startTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer({ idleDelay: 0 })
await server.send('PUT', '/api/settings', {
  endpoint_url: endpoint.url,
  model: 'test-model',
  read_ahead: false,
})

const NPCS = { mira: { name: '${Friend}', desc: '${Friend} waits.', stats: { trust: { initial: 3 } } } }
const COAT = { type: 'text', initial: '${Your name}’s coat', options: ['${Your name}’s coat', 'none'] }
const ASKING = {
  title: 'Lamp Road',
  prompt: '${Your name} wakes in ${Town}.',
  memory: '${Your name} keeps the lamp. ${ }',
  authors_note: 'Slow, says ${Your name}.',
  ai_instructions: 'Call them ${Your name}.',
  stat_schema: { player: { coat: COAT }, npcs: NPCS },
}

/** A scenario that asks, and a story that a program began of it without answers. */
async function begin(placeholders?: Record<string, string>) {
  const scenario = (await server.post('/api/scenarios', ASKING)).body.id as number
  const lamp = { scenario_id: scenario, name: '${Your name}', keys: '${Town}', entry: '${Town} is dark.' }
  await server.post('/api/story-cards', lamp)
  const begun = await server.post('/api/adventures', {
    scenario_id: scenario,
    ...(placeholders && { placeholders }),
  })
  const id = begun.body.id as number
  const story = `/api/adventures/${id}`
  return {
    id,
    read: async () => (await server.get(story)).body,
    world: async () => (await server.get(`${story}/world-state`)).body,
    refresh: async () => (await server.get(`${story}/refresh`)).body,
    memories: async () => (await server.get(`${story}/memories`)).body,
    page: async () => (await server.ask(`/adventures/${id}`)).text(),
    answer: (fields: Record<string, string>) =>
      server.ask(`/adventures/${id}/questions`, { method: 'POST', body: new URLSearchParams(fields) }),
  }
}

const FORM = { 'question-0': 'Your name', 'question-1': 'Town', 'question-2': 'Friend' }
const FILLED = { ...FORM, 'answer-0': 'Ada', 'answer-1': '', 'answer-2': 'Mira' }
const messages = () => endpoint.requests.at(-1)?.body?.messages ?? []
const sent = () =>
  messages()
    .map(({ content }) => content)
    .join('\n')
const asks = (page: string) => page.includes('id="asks"')
const play = (id: number, text: string) => playTurn(server, id, { type: 'do', text })

describe('a story that began without answers', () => {
  test('sends the names of its placeholders, in every text and on every turn', async () => {
    const story = await begin()
    await play(story.id, 'look for the town')
    for (const words of ['Your name wakes in Town.', 'Your name keeps the lamp.', 'Slow, says Your name.'])
      expect(sent()).toContain(words)
    for (const words of ['Call them Your name.', 'Town is dark.', 'Friend waits.', 'Your name’s coat'])
      expect(sent()).toContain(words)
    expect(sent()).not.toContain('${')
    const first = sent()
    await retryTurn(server, story.id)
    expect(sent()).toBe(first)
    await play(story.id, 'wait')
    expect(sent().startsWith(messages()[0]?.content ?? '-')).toBe(true)
    expect(sent()).not.toContain('${')
    expect(first.split('\n').filter((line) => !sent().includes(line))).toEqual([])
  })

  test('sends the answers that are stored, before its texts have them', async () => {
    const story = await begin()
    await server.send('PUT', `/api/adventures/${story.id}/placeholders`, { placeholders: { Town: 'Veld' } })
    await play(story.id, 'walk to Veld')
    expect(sent()).toContain('Your name wakes in Veld.')
    expect(sent()).toContain('Veld is dark.')
    const tried = await server.post('/api/story-cards/try', { adventure_id: story.id, text: 'Off to Veld.' })
    expect(tried.body.cards).toMatchObject([{ name: 'Your name', keyword: 'Veld' }])
    expect((await story.read()).story_cards[0]).toMatchObject({ keys: '${Town}', entry: '${Town} is dark.' })
  })

  test('keeps its texts as they are', async () => {
    const story = await begin()
    const before = await story.read()
    await play(story.id, 'wait')
    const { memory, authors_note, ai_instructions, story_cards, actions } = await story.read()
    expect({ memory, authors_note, ai_instructions, story_cards }).toEqual({
      ...{ memory: before.memory, authors_note: before.authors_note },
      ...{ ai_instructions: before.ai_instructions, story_cards: before.story_cards },
    })
    expect(actions[0].text).toBe('${Your name} wakes in ${Town}.')
  })

  test('names an option of a stat as the model was sent it', async () => {
    const story = await begin()
    endpoint.next(sayAndRecord('Cold.', { 'player.coat': 'none' }))
    await play(story.id, 'take the coat off')
    endpoint.next(sayAndRecord('Warm.', { 'player.coat': 'Your name’s coat' }))
    await play(story.id, 'put it on')
    expect((await story.world()).state.player.coat).toBe('${Your name}’s coat')
    await play(story.id, 'wait')
    expect(sent()).not.toContain('${')
  })

  test('asks for a change that was not reported without any raw placeholder', async () => {
    const story = await begin()
    endpoint.next(say('Friend smiles.'), say('{"edits": []}'))
    await play(story.id, 'greet Friend')
    expect(sent()).toContain('Your name’s coat')
    expect(sent()).toContain('npc.mira.trust')
    expect(sent()).not.toContain('${')
  })

  test('quotes its opening in a memory as the model was sent it', async () => {
    const story = await begin()
    const before = endpoint.requests.length
    for (let turn = 0; turn < 6; turn++) await play(story.id, `step ${turn}`)
    server.deps.idle.wake(story.id)
    await server.deps.idle.ended()
    const tasks = endpoint.requests.slice(before).map(({ body }) => body?.messages?.at(-1)?.content ?? '')
    expect(tasks.some((task) => task.includes('Your name wakes in Town.'))).toBe(true)
    expect(JSON.stringify(endpoint.requests.slice(before))).not.toContain('${')
  })

  test('keeps what the player and the narrator write', async () => {
    const story = await begin()
    endpoint.next(say('The wall says ${HOME}.'))
    await play(story.id, 'write ${PATH}')
    await play(story.id, 'wait')
    expect(sent()).toContain('You write ${PATH}.')
    expect(sent()).toContain('The wall says ${HOME}.')
    await story.answer({ ...FORM, skip: '1' })
    await play(story.id, 'wait')
    expect(sent()).toContain('You write ${PATH}.')
    expect(sent()).toContain('The wall says ${HOME}.')
  })
})

describe('the answers that it is given on its page', () => {
  test('are in it as if it had begun with them, and are asked once', async () => {
    const story = await begin()
    await play(story.id, 'wait')
    expect(asks(await story.page())).toBe(true)
    const { status, headers } = await story.answer(FILLED)
    expect([status, headers.get('location')]).toEqual([303, `/adventures/${story.id}?did=saved#end`])
    const placeholders = { 'Your name': 'Ada', Town: 'Town', Friend: 'Mira' }
    const other = await begin(placeholders)
    const { memory, authors_note, ai_instructions, story_cards, actions } = await story.read()
    const begun = await other.read()
    expect([memory, authors_note, ai_instructions]).toEqual([
      begun.memory,
      begun.authors_note,
      begun.ai_instructions,
    ])
    expect(story_cards.map(withoutIds)).toEqual(begun.story_cards.map(withoutIds))
    expect(actions[0].text).toBe(begun.actions[0].text)
    expect(await story.world()).toEqual(await other.world())
    expect(await story.refresh()).toMatchObject({ has_changes: false, placeholders_needed: [] })
    expect(asks(await story.page())).toBe(false)
    await play(story.id, 'look for Town')
    for (const words of ['Ada wakes in Town.', 'Ada keeps the lamp.', 'Mira waits.'])
      expect(sent()).toContain(words)
    expect(sent()).not.toContain('${')
  })

  test('are the names when they are skipped', async () => {
    const story = await begin()
    await story.answer({ ...FILLED, skip: '1' })
    expect((await story.read()).actions[0].text).toBe('Your name wakes in Town.')
    expect(asks(await story.page())).toBe(false)
  })

  test('change no text of a story that does not ask', async () => {
    const story = await begin({ 'Your name': 'Ada', Town: '${Friend}', Friend: 'Mira' })
    const before = await story.read()
    expect(asks(await story.page())).toBe(false)
    await story.answer(FILLED)
    expect(await story.read()).toEqual(before)
  })

  test('that are too long are refused, and stay in their fields', async () => {
    const story = await begin()
    const response = await story.answer({ ...FILLED, 'answer-0': 'long '.repeat(4_000) })
    expect(response.status).toBe(422)
    expect(await response.text()).toContain('value="Mira"')
    expect((await story.read()).memory).toContain('${Your name}')
  })

  test('make memories of the opening stale, and no other', async () => {
    const story = await begin()
    for (let turn = 0; turn < 6; turn++) await play(story.id, `step ${turn}`)
    server.deps.idle.wake(story.id)
    await server.deps.idle.ended()
    const stale = async () => (await story.memories()).map((memory: { stale: boolean }) => memory.stale)
    expect(await stale()).toEqual([false, false])
    const looked = gate()
    endpoint.next(afterGate(looked, say('Note anew.')))
    await story.answer(FILLED)
    expect(await stale()).toEqual([true, false])
    looked.open()
    await server.deps.idle.ended()
    expect(await stale()).toEqual([false, false])
  })

  test('are refused while a turn runs', async () => {
    const story = await begin()
    const told = gate()
    endpoint.next(sayAround('The sea', told, ' rises.'))
    const turn = await startTurn(server, `/api/adventures/${story.id}/actions`, { type: 'do', text: 'wait' })
    const response = await story.answer(FILLED)
    expect(response.status).toBe(409)
    expect(await response.text()).toContain('value="Mira"')
    told.open()
    await turn.rest()
  })

  test('leave an audit in order', async () => {
    const story = await begin()
    await play(story.id, 'wait')
    await story.answer(FILLED)
    await play(story.id, 'wait')
    expect((await server.get(`/api/adventures/${story.id}/audit`)).body).toMatchObject({
      ok: true,
      breaks: [{ what: 'follows the answers to its placeholders' }],
    })
  })
})

function withoutIds({ id: _, adventure_id: __, ...card }: Record<string, unknown>): object {
  return card
}

import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { REQUEST } from '../../../src/domain/prompt/phrases.ts'
import {
  afterGate,
  breakOff,
  gate,
  loading,
  type Step,
  say,
  sayByteByByte,
  sayNothing,
  sayWhole,
  status,
  thinkThenSay,
} from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn, retryTurn, startTurn, streamedText } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel({ narrator: { retryEvery: 0.01, acceptTimeout: 0.01 } })

const begin = async (fields: object = { scenario_id: 1 }): Promise<number> =>
  (await server.post('/api/adventures', fields)).body.id
const story = async (id: number) => (await server.get(`/api/adventures/${id}`)).body
const texts = async (id: number) => (await story(id)).actions.map(({ text }: { text: string }) => text)
const world = async (id: number) => (await server.get(`/api/adventures/${id}/world-state`)).body.state
/** Everything stored, verbatim, to check that a failure changed nothing. */
function stored(id: number): string {
  using db = new Database(server.path, { readonly: true })
  return JSON.stringify([
    db
      .query(
        'SELECT id, "index", type, text, reasoning, world_delta, world_state_before, variants, variant_index, hex(context_snapshot) FROM actions WHERE adventure_id = ?',
      )
      .all(id),
    db.query('SELECT world_state, action_count FROM adventures WHERE id = ?').all(id),
  ])
}

/** A step of the model server, and a promise that resolves when it starts. */
function watched(step: Step): { step: Step; begun: Promise<void> } {
  const begun = gate()
  return {
    begun: begun.opened,
    step: (exchange) => {
      begun.open()
      return step(exchange)
    },
  }
}

describe('a turn', () => {
  test('shows the stored line first, then the prose as it arrives, then the stored reply', async () => {
    const id = await begin()
    endpoint.next(say('The door opens slowly.', { pieces: 4 }))
    const events = await playTurn(server, id, { type: 'do', text: 'open the door' })
    expect(events[0]).toMatchObject({
      type: 'player',
      action: { text: '> You open the door.', index: 1, waiting: true },
    })
    expect(events[1]).toMatchObject({ type: 'status', phase: 'waiting', seconds: 0, allowed: 300 })
    expect(streamedText(events)).toBe('The door opens slowly.')
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      action: {
        type: 'ai',
        index: 2,
        text: 'The door opens slowly.',
        variant_count: 1,
        variant_index: 0,
        cut: null,
        waiting: false,
      },
    })
    expect(await texts(id)).toEqual([expect.any(String), '> You open the door.', 'The door opens slowly.'])
  })

  test('stores what is done in the first person in the second, and what is said as said', async () => {
    const id = await begin()
    for (const text of ['I open my bag', '"Marmalade!" I call', 'Ich öffne meine Tasche'])
      await playTurn(server, id, { type: 'do', text })
    const lines = (await story(id)).actions.filter(({ type }: { type: string }) => /^(?:do|say)$/.test(type))
    expect(lines.map(({ type, text }: { type: string; text: string }) => [type, text])).toEqual([
      ['do', '> You open your bag.'],
      ['say', '> You call, "Marmalade!"'],
      ['do', '> Ich öffne meine Tasche'],
    ])
  })

  test('sends the model, the sampling and the story, and nothing else', async () => {
    const id = await begin({ title: 'Blank' })
    await playTurn(server, id, { type: 'say', text: 'Hello' })
    const { body, headers, path } = endpoint.requests.at(-1) ?? {}
    expect(Object.keys(body ?? {}).sort()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'stream',
      'temperature',
    ])
    expect(body).toMatchObject({ model: 'test-model', temperature: 0.8, max_tokens: 800, stream: true })
    expect(body?.messages?.at(-1)?.content).toBe(`> You say "Hello."\n\n${REQUEST}`)
    expect(path).toBe('/v1/chat/completions')
    expect(headers?.authorization).toBeUndefined()
  })

  test('stores the exact prompt, whatever happens to the story later', async () => {
    const id = await begin()
    await playTurn(server, id, { type: 'do', text: 'wait' })
    const sent = endpoint.requests.at(-1)?.body?.messages
    const { id: action } = (await story(id)).actions.at(-1)
    await server.send('PATCH', `/api/adventures/${id}/actions/${action - 1}`, { text: 'Something else.' })
    await playTurn(server, id)
    const { messages, sections } = (await server.get(`/api/adventures/${id}/actions/${action}/context`)).body
    expect(
      messages.map(({ role, text }: { role: string; text: string }) => ({ role, content: text })),
    ).toEqual(sent)
    expect(sections[0]).toMatchObject({ label: 'narrator', role: 'system' })
  })

  test('without text continues without a player line', async () => {
    const id = await begin()
    for (const body of [
      { type: 'continue', text: 'ignored' },
      { type: 'do', text: '  ' },
      { type: 'story' },
    ]) {
      const events = await playTurn(server, id, body)
      expect(events.some(ofType('player'))).toBe(false)
    }
    expect((await story(id)).actions.map(({ type }: { type: string }) => type)).toEqual([
      'start',
      'ai',
      'ai',
      'ai',
    ])
  })

  test('that reaches the length limit says so', async () => {
    const id = await begin()
    endpoint.next(say('And then', { finish: 'length' }))
    expect((await playTurn(server, id)).at(-1)).toMatchObject({
      type: 'done',
      action: { cut: 'length', text: 'And then' },
    })
  })

  test('keeps reasoning out of the story', async () => {
    const id = await begin()
    endpoint.next(thinkThenSay('Hm, a door.', 'The door opens.'))
    const events = await playTurn(server, id)
    expect(
      events
        .filter(ofType('reasoning'))
        .map(({ text }) => text)
        .join(''),
    ).toBe('Hm, a door.')
    expect(events.at(-1)).toMatchObject({ action: { text: 'The door opens.', reasoning: 'Hm, a door.' } })
    endpoint.next(say('I think first.</think>Then the lamp goes out.'))
    expect((await playTurn(server, id)).at(-1)).toMatchObject({
      action: { text: 'Then the lamp goes out.', reasoning: 'I think first.' },
    })
    await playTurn(server, id)
    expect(JSON.stringify(endpoint.requests.at(-1)?.body)).not.toContain('think first')
  })

  test('of a completion model sends the same story as one text', async () => {
    await server.send('PUT', '/api/settings', { api_mode: 'completion' })
    const id = await begin({ title: 'Blank' })
    await playTurn(server, id, { type: 'story', text: 'The rain.' })
    expect(endpoint.requests.at(-1)).toMatchObject({
      path: '/v1/completions',
      body: { prompt: expect.stringContaining('\n\nThe rain.\n\n') },
    })
    await server.send('PUT', '/api/settings', { api_mode: 'chat' })
  })

  const refused: [body: unknown, status: number][] = [
    [{ type: 'fly', text: 'up' }, 422],
    [{ type: 'DO', text: 'up' }, 422],
    [{ text: 'up' }, 422],
    [{ type: 'do', text: null }, 422],
    [{ type: 'do', text: 'x'.repeat(20_001) }, 422],
  ]
  for (const [body, wanted] of refused)
    test(`${JSON.stringify(body).slice(0, 30)} gets ${wanted}`, async () => {
      const id = await begin()
      expect((await server.post(`/api/adventures/${id}/actions`, body)).status).toBe(wanted)
      expect((await story(id)).action_count).toBe(1)
    })

  test('of an unknown story is 404', async () =>
    expect((await server.post('/api/adventures/9999/actions', { type: 'continue' })).status).toBe(404))
})

describe('each phase of waiting has its own status', () => {
  test('503, silence, reasoning and text are distinguished, in that order', async () => {
    const id = await begin()
    const opened = gate()
    endpoint.next(...loading(2), afterGate(opened, thinkThenSay('Hm.', 'Text.')))
    const turn = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'continue' })
    await turn.until((event) => event.type === 'status' && event.phase === 'loading')
    const waits = await turn.until((event) => event.type === 'status' && event.phase === 'waiting')
    expect(waits).toMatchObject({ allowed: 300, seconds: expect.any(Number) })
    opened.open()
    const phases = (await turn.rest()).filter(ofType('status')).map(({ phase }) => phase)
    expect(phases.filter((phase) => phase === 'thinking' || phase === 'writing')).toEqual([
      'thinking',
      'writing',
    ])
  })

  test('seconds are counted while the model is silent', async () => {
    const id = await begin()
    const opened = gate()
    endpoint.next(afterGate(opened, say('At last.')))
    const turn = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'continue' })
    expect(await turn.until((event) => event.type === 'status' && event.seconds >= 2)).toMatchObject({
      phase: 'waiting',
      allowed: 300,
    })
    opened.open()
    expect((await turn.rest()).at(-1)).toMatchObject({ type: 'done' })
  })
})

describe('forms of a reply, and requests that cannot be sent', () => {
  const sound: [what: string, step: Step][] = [
    ['characters split across chunks', sayByteByByte('Naïve — “quoted” 🦊 門')],
    ['lines that end in CRLF', say('Naïve — “quoted” 🦊 門', { lineEnd: '\r\n' })],
    ['no end marker', say('Naïve — “quoted” 🦊 門', { done: false })],
    ['one plain JSON body', sayWhole('Naïve — “quoted” 🦊 門')],
  ]
  for (const [what, step] of sound)
    test(`${what}: still a reply`, async () => {
      const id = await begin()
      endpoint.next(step)
      const events = await playTurn(server, id)
      expect(events.at(-1)).toMatchObject({ type: 'done', action: { text: 'Naïve — “quoted” 🦊 門' } })
      expect(streamedText(events)).toBe('Naïve — “quoted” 🦊 門')
    })

  test('no model is chosen', async () => {
    await server.send('PUT', '/api/settings', { model: '' })
    const id = await begin()
    expect((await playTurn(server, id)).at(-1)).toMatchObject({
      code: 'provider_error',
      reason: 'no_model',
      retryable: false,
    })
    await server.send('PUT', '/api/settings', { model: 'test-model' })
  })

  test('an address from an old file that is no longer allowed', async () => {
    server.deps.library.write((tx) =>
      tx.run("UPDATE settings SET endpoint_url = 'https://api.openai.com/v1'"),
    )
    const id = await begin()
    expect((await playTurn(server, id)).at(-1)).toMatchObject({
      code: 'provider_error',
      reason: 'endpoint_refused',
      detail: expect.stringContaining('api.openai.com'),
    })
    await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url })
  })

  test('a prompt that cannot fit', async () => {
    const id = await begin()
    await server.send('PATCH', `/api/adventures/${id}`, { memory: 'word '.repeat(9_000) })
    await server.send('PUT', '/api/settings', { context_token_budget: 2_000 })
    expect((await playTurn(server, id)).at(-1)).toMatchObject({ code: 'prompt_too_large', retryable: false })
    await server.send('PUT', '/api/settings', { context_token_budget: 16_384 })
  })

  test('each failure is counted by its code', async () => {
    const { turns } = (await server.get('/api/health')).body
    expect(turns.failed).toEqual({ provider_error: 2, prompt_too_large: 1 })
    expect(turns.accepted).toBeGreaterThan(10)
  })
})

describe('one turn at a time', () => {
  test('a second turn is refused at once, and so is every other change', async () => {
    const id = await begin()
    await playTurn(server, id)
    const opened = gate()
    endpoint.next(afterGate(opened, say('Done.')))
    const turn = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'do', text: 'wait' })
    const { id: action } = (await story(id)).actions.at(-1)
    const operations: [method: string, path: string, body?: unknown][] = [
      ['POST', '/actions', { type: 'continue' }],
      ['POST', '/retry'],
      ['POST', '/undo'],
      ['PATCH', `/actions/${action}`, { text: 'x' }],
      ['POST', `/actions/${action}/variant`, { index: 0 }],
      ['DELETE', ''],
    ]
    for (const [method, path, body] of operations)
      expect(await server.send(method, `/api/adventures/${id}${path}`, body)).toMatchObject({
        status: 409,
        body: { code: 'turn_in_progress' },
      })
    opened.open()
    expect((await turn.rest()).at(-1)).toMatchObject({ type: 'done' })
    expect((await story(id)).action_count).toBe(4)
  })

  test('of two at the same moment, one is played', async () => {
    const id = await begin()
    const both = await Promise.all(
      [1, 2].map(() => startTurn(server, `/api/adventures/${id}/actions`, { type: 'do', text: 'wait' })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    for (const turn of both) await turn.rest()
    expect((await story(id)).action_count).toBe(3)
  })

  test('the model generates for one story at a time', async () => {
    const [one, two] = [await begin(), await begin()]
    const opened = gate()
    const waits = watched(afterGate(opened, say('First.')))
    endpoint.next(waits.step, say('Second.'))
    const first = await startTurn(server, `/api/adventures/${one}/actions`, { type: 'continue' })
    await waits.begun
    const second = await startTurn(server, `/api/adventures/${two}/actions`, { type: 'do', text: 'wait' })
    await second.until(ofType('player'))
    const asked = endpoint.requests.length
    opened.open()
    expect(streamedText(await first.rest())).toBe('First.')
    expect(streamedText(await second.rest())).toBe('Second.')
    expect(endpoint.requests.length).toBe(asked + 1)
  })
})

describe('a line without a reply', () => {
  test('gets its reply when it is sent again, and is not stored twice', async () => {
    const id = await begin()
    endpoint.next(status(500))
    const failed = await playTurn(server, id, { type: 'do', text: 'wait' })
    const again = await playTurn(server, id, { type: 'do', text: 'wait' })
    const [first, second] = [failed, again].map((events) => events.find(ofType('player'))?.action.id)
    expect(first).toBe(second)
    expect(await texts(id)).toHaveLength(3)
  })

  test('is followed by another line, and both form one message', async () => {
    const id = await begin()
    endpoint.next(status(500))
    await playTurn(server, id, { type: 'do', text: 'wait' })
    await playTurn(server, id, { type: 'say', text: 'Hm' })
    expect(endpoint.requests.at(-1)?.body?.messages?.at(-1)?.content).toContain(
      '> You wait.\n\n> You say "Hm."',
    )
  })

  test('is undone by itself, and its text comes back', async () => {
    const id = await begin()
    endpoint.next(status(500))
    await playTurn(server, id, { type: 'say', text: 'Hm' })
    const { body } = await server.post(`/api/adventures/${id}/undo`)
    expect(body).toMatchObject({ total: 1, typed: { type: 'say', text: 'Hm' } })
  })
})

describe('a retry', () => {
  test('adds a version of the same turn and keeps the first', async () => {
    const id = await begin()
    endpoint.next(say('First.'), say('Second.'))
    await playTurn(server, id, { type: 'do', text: 'wait' })
    const done = (await retryTurn(server, id)).at(-1)
    expect(done).toMatchObject({
      type: 'done',
      action: { index: 2, text: 'Second.', variant_count: 2, variant_index: 1 },
    })
    const [first, second] = endpoint.requests.slice(-2)
    expect(second?.body).toEqual(first?.body)
    const { id: action } = (await story(id)).actions.at(-1)
    expect((await server.get(`/api/adventures/${id}/actions/${action}/variants`)).body).toMatchObject([
      { index: 0, text: 'First.', active: false },
      { index: 1, text: 'Second.', active: true },
    ])
  })

  for (const [what, step] of [
    ['fails', status(500)],
    ['is empty', sayNothing()],
    ['breaks off', breakOff('Half')],
  ] as const)
    test(`that ${what} leaves every byte as it was`, async () => {
      const id = await begin()
      await playTurn(server, id, { type: 'do', text: 'wait' })
      const before = stored(id)
      endpoint.next(step)
      expect((await retryTurn(server, id)).at(-1)).toMatchObject({ type: 'error' })
      expect(stored(id)).toBe(before)
    })

  test('of an opening continues the story', async () => {
    const id = await begin()
    expect((await retryTurn(server, id)).at(-1)).toMatchObject({
      type: 'done',
      action: { type: 'ai', index: 1 },
    })
  })
})

describe('versions', () => {
  async function threeVariants() {
    const id = await begin()
    endpoint.next(say('First.'), say('Second.'), say('Third.'))
    await playTurn(server, id, { type: 'do', text: 'wait' })
    await retryTurn(server, id)
    await retryTurn(server, id)
    const { id: action } = (await story(id)).actions.at(-1)
    return { id, path: `/api/adventures/${id}/actions/${action}` }
  }

  test('are switched with their text, and a retry is added at the end', async () => {
    const { id, path } = await threeVariants()
    expect((await server.post(`${path}/variant`, { index: 0 })).body).toMatchObject({
      text: 'First.',
      variant_index: 0,
      variant_count: 3,
    })
    endpoint.next(say('Fourth.'))
    await retryTurn(server, id)
    expect((await server.get(`${path}/variants`)).body.map(({ text }: { text: string }) => text)).toEqual([
      'First.',
      'Second.',
      'Third.',
      'Fourth.',
    ])
  })

  test('are refused when they do not exist, and when the story has moved on', async () => {
    const { id, path } = await threeVariants()
    expect(await server.post(`${path}/variant`, { index: 3 })).toMatchObject({
      status: 400,
      body: { code: 'no_such_variant' },
    })
    expect((await server.post(`${path}/variant`, { index: -1 })).status).toBe(422)
    await playTurn(server, id)
    expect(await server.post(`${path}/variant`, { index: 0 })).toMatchObject({
      status: 400,
      body: { code: 'not_last' },
    })
  })

  test('keep an edit after switching away and back', async () => {
    const { path } = await threeVariants()
    await server.send('PATCH', path, { text: 'Mine.', variant_index: 2 })
    await server.post(`${path}/variant`, { index: 0 })
    expect((await server.post(`${path}/variant`, { index: 2 })).body.text).toBe('Mine.')
  })

  test('are edited only if they are on screen', async () => {
    const { path } = await threeVariants()
    expect(await server.send('PATCH', path, { text: 'Lost?', variant_index: 0 })).toMatchObject({
      status: 409,
      body: { code: 'changed_elsewhere' },
    })
    expect((await server.get(`${path}/variants`)).body.map(({ text }: { text: string }) => text)).toEqual([
      'First.',
      'Second.',
      'Third.',
    ])
  })
})

describe('an edit', () => {
  test('of a stored line is not formatted again', async () => {
    const id = await begin()
    await playTurn(server, id, { type: 'do', text: 'wait' })
    const { id: line } = (await story(id)).actions[1]
    expect(
      (await server.send('PATCH', `/api/adventures/${id}/actions/${line}`, { text: '> You run.' })).body.text,
    ).toBe('> You run.')
  })

  test('ends a reply that was cut off only if it ends in another word, also after a switch', async () => {
    const id = await begin()
    endpoint.next(say('The lamp burns. And then', { finish: 'length' }))
    await playTurn(server, id)
    const path = `/api/adventures/${id}/actions/${(await story(id)).actions.at(-1).id}`
    const edit = async (text: string) => (await server.send('PATCH', path, { text })).body.cut
    expect(await edit('The lamp is lit. And then')).toBe('length')
    expect(await edit('The lamp is lit. And then it goes out.')).toBeNull()
    endpoint.next(say('Another.'))
    await retryTurn(server, id)
    expect((await server.post(`${path}/variant`, { index: 0 })).body).toMatchObject({
      text: 'The lamp is lit. And then it goes out.',
      cut: null,
    })
  })
})

describe('an undo', () => {
  test('removes the reply with its line, and their indexes are used again', async () => {
    const id = await begin()
    await playTurn(server, id, { type: 'do', text: 'wait' })
    const { actions } = await story(id)
    const { body } = await server.post(`/api/adventures/${id}/undo`)
    expect(body).toMatchObject({
      total: 1,
      has_more: false,
      actions: [{ type: 'start' }],
      typed: { type: 'do', text: 'wait' },
    })
    await playTurn(server, id, { type: 'do', text: 'run' })
    expect((await story(id)).actions.map(({ index }: { index: number }) => index)).toEqual(
      actions.map(({ index }: { index: number }) => index),
    )
  })

  test('counts how many were undone in a row', async () => {
    const id = await begin()
    const undo = async () => (await server.post(`/api/adventures/${id}/undo`)).body.in_a_row
    for (const text of ['one', 'two', 'three']) await playTurn(server, id, { type: 'do', text })
    expect([await undo(), await undo()]).toEqual([1, 2])
    await playTurn(server, id, { type: 'do', text: 'four' })
    expect(await undo()).toBe(1)
  })

  test('never removes the opening', async () => {
    const id = await begin()
    expect(await server.post(`/api/adventures/${id}/undo`)).toMatchObject({
      status: 400,
      body: { code: 'nothing_to_undo' },
    })
  })

  test('deletes the prompts of what it removed, and only those', async () => {
    const id = await begin()
    await playTurn(server, id, { type: 'do', text: 'keep this' })
    await playTurn(server, id, { type: 'do', text: 'forget that' })
    await server.post(`/api/adventures/${id}/undo`)
    using db = new Database(server.path, { readonly: true })
    const kept = JSON.stringify(db.query('SELECT text FROM prompt_parts WHERE adventure_id = ?').all(id))
    expect(kept).toContain('keep this')
    expect(kept).not.toContain('forget that')
  })
})

describe('the world state', () => {
  const stat_schema = { player: { hp: { initial: 9 } } }
  const setWorld = (id: number, hp: number) =>
    server.deps.library.write((tx) =>
      tx.run('UPDATE adventures SET world_state = ? WHERE id = ?', JSON.stringify({ player: { hp } }), id),
    )

  test('changes with each turn, and is restored by retry, switch and undo', async () => {
    const { id: scenario_id } = (await server.post('/api/scenarios', { stat_schema })).body
    const id = await begin({ scenario_id })
    await playTurn(server, id, { type: 'do', text: 'wait' })
    setWorld(id, 5)
    await retryTurn(server, id)
    expect(await world(id)).toMatchObject({ player: { hp: 9 } })
    setWorld(id, 3)
    await playTurn(server, id, { type: 'do', text: 'rest' })
    expect(await world(id)).toMatchObject({ player: { hp: 3 } })
    setWorld(id, 1)
    const { id: action } = (await story(id)).actions.at(-1)
    await server.post(`/api/adventures/${id}/actions/${action}/variant`, { index: 0 })
    expect(await world(id)).toMatchObject({ player: { hp: 3 } })
    await server.post(`/api/adventures/${id}/undo`)
    expect(await world(id)).toMatchObject({ player: { hp: 3 } })
    await server.post(`/api/adventures/${id}/undo`)
    expect(await world(id)).toMatchObject({ player: { hp: 9 } })
  })
})

test('saving a reply waits for a library that another program has locked', async () => {
  const id = await begin()
  const opened = gate()
  endpoint.next(afterGate(opened, say('Kept.')))
  const turn = await startTurn(server, `/api/adventures/${id}/actions`, { type: 'continue' })
  await turn.until(ofType('status'))
  const other = new Database(server.path)
  other.run('BEGIN IMMEDIATE')
  opened.open()
  await turn.until(ofType('chunk'))
  const rest = turn.rest()
  other.run('ROLLBACK')
  other.close()
  expect((await rest).at(-1)).toMatchObject({ type: 'done', action: { text: 'Kept.' } })
})

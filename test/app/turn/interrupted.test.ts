import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import {
  breakOff,
  editsAbout,
  failInStream,
  fallSilent,
  gate,
  onlyThink,
  type Step,
  say,
  sayAndRecord,
  sayAround,
  silent,
  startEndpoint,
  status,
} from '../../support/endpoint/endpoint.ts'
import { ofType, playTurn, retryTurn, startTurn, type WireEvent } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const writes: string[] = []
const server = await startServer({
  narrator: { msPerSecond: 20, connectTimeout: 500 },
  watch: (sql) => sql.startsWith('UPDATE waiting_lines') && sql.includes('"prose"') && writes.push(sql),
})
const SETTINGS = { endpoint_url: endpoint.url, model: 'test-model' }
await server.send('PUT', '/api/settings', { ...SETTINGS, read_timeout_seconds: 3_600 })
const { id: scenario_id } = (
  await server.post('/api/scenarios', {
    prompt: 'The lamp is lit.',
    stat_schema: { player: { warmth: { initial: 9, min: 0, max_delta_per_turn: 4 } } },
  })
).body

const FIRST = 'The tide turns.'
const HALF = 'Half a tale, and'
/** A state block that nobody asked for, whole or broken off. */
const BLOCK = '\n\n```state_delta\n{"player.warmth": -2}\n```'
const HALF_A_BLOCK = BLOCK.slice(0, -6)

/** A story with one turn. */
async function begin(): Promise<number> {
  endpoint.recordWith(null)
  const { id } = (await server.post('/api/adventures', { scenario_id })).body
  endpoint.next(sayAndRecord(FIRST, { 'player.warmth': -1 }))
  expect((await playTurn(server, id, { type: 'do', text: 'look' })).at(-1)).toMatchObject({ type: 'done' })
  return id
}

const story = async (id: number) => (await server.get(`/api/adventures/${id}`)).body
const interrupted = async (id: number) => (await story(id)).interrupted
const texts = async (id: number) => (await story(id)).actions.map(({ text }: { text: string }) => text)
const warmth = async (id: number) =>
  (await server.get(`/api/adventures/${id}/world-state`)).body.state.player.warmth
const keep = (id: number) => server.post(`/api/adventures/${id}/interrupted/keep`)
const recorded = (id: number) => server.deps.recordings.ended(id)
const discard = (id: number) => server.send('DELETE', `/api/adventures/${id}/interrupted`)

const OPERATIONS = {
  'a line': ['actions', { type: 'do', text: 'wait' }],
  continue: ['actions', { type: 'continue' }],
  'a retry': ['retry', undefined],
} as const
type OperationName = keyof typeof OPERATIONS

const start = (id: number, operation: OperationName) => {
  const [path, body] = OPERATIONS[operation]
  return startTurn(server, `/api/adventures/${id}/${path}`, body)
}

/** Plays a turn that tells `told`, and hangs up when it has. */
async function hangUp(id: number, operation: OperationName = 'a line', told = HALF): Promise<void> {
  const turn = await startAndTell(id, operation, told)
  turn.disconnect()
  await server.deps.locks.freed(id)
}

/** The recorder answers that it is three degrees colder. */
async function startAndTell(id: number, operation: OperationName, told: string) {
  endpoint.recordWith(say(editsAbout(HALF, { 'player.warmth': -3 })))
  endpoint.next(sayAround(told, gate(), '', { pieces: 1 }))
  const turn = await start(id, operation)
  await turn.until(ofType('chunk'))
  return turn
}

/** Everything stored of the story, but for times and what a hang-up may add to it. */
function stored(id: number): string {
  using db = new Database(server.path, { readonly: true })
  const actions = db.query('SELECT * FROM actions WHERE adventure_id = ? ORDER BY "index"').all(id)
  const world = db.query('SELECT world_state, action_count FROM adventures WHERE id = ?').all(id)
  return JSON.stringify([actions, world])
}

/** What a turn leaves in the story that does not differ from one story to another. */
async function remains(id: number): Promise<unknown> {
  using db = new Database(server.path, { readonly: true })
  const rows = db
    .query<Record<string, string>, [number]>(
      `SELECT "index", type, text, reasoning, world_delta, world_state_before, variants, variant_count, variant_index, cut,
         raw_output, told_mark, prompt_notes FROM actions WHERE adventure_id = ? ORDER BY "index"`,
    )
    .all(id)
  const untimed = JSON.parse(
    JSON.stringify(rows)
      .replace(/(\\"created_at\\":\\")[^"\\]+/g, '$1')
      .replace(/\\"milliseconds\\":\d+/g, ''),
  )
  const { actions } = await story(id)
  const { parts, tokens, settings } = (
    await server.get(`/api/adventures/${id}/actions/${actions.at(-1).id}/context`)
  ).body
  return { untimed, warmth: await warmth(id), parts, tokens, settings }
}

describe('a hang-up', () => {
  const moments: [what: string, step: Step, at: (event: WireEvent) => boolean, told: string | null][] = [
    ['as the turn begins', silent, () => true, null],
    ['while the model is waited for', silent, (e) => e.type === 'status' && e.phase === 'waiting', null],
    ['while the prompt is read', fallSilent(), (e) => e.type === 'status' && e.phase === 'reading', null],
    [
      'in its reasoning',
      ({ response, closed }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: {"choices":[{"delta":{"reasoning_content":"Hm."}}]}\n\n')
        return closed
      },
      ofType('reasoning'),
      null,
    ],
    ['in the prose', sayAround(HALF, gate(), '', { pieces: 1 }), ofType('chunk'), HALF],
    [
      'within a state block',
      sayAround(`${HALF} on.${HALF_A_BLOCK}`, gate(), '', { pieces: 1 }),
      ofType('chunk'),
      `${HALF} on.`,
    ],
    [
      'behind a state block',
      sayAround(`${HALF} on.${BLOCK}\n\nAnd `, gate(), '', { pieces: 1 }),
      ofType('chunk'),
      `${HALF} on.\n\nAnd`,
    ],
  ]
  for (const operation of Object.keys(OPERATIONS) as OperationName[])
    for (const [what, step, at, told] of moments)
      test(`${what} of ${operation} ends the turn, and ${told === null ? 'leaves nothing' : 'leaves its prose beside the story'}`, async () => {
        const id = await begin()
        const before = await texts(id)
        const line = operation === 'a line' ? ['> You wait.'] : []
        endpoint.byDefault(step)
        const turn = await start(id, operation)
        await turn.until(at)
        turn.disconnect()
        await server.deps.locks.freed(id)
        endpoint.byDefault(say('Otherwise.'))
        expect(await texts(id)).toEqual([...before, ...line])
        expect(await warmth(id)).toBe(8)
        const reason = expect.stringContaining('The page was closed')
        const left = told === null ? null : { text: told, retry: operation === 'a retry', reason }
        expect(await interrupted(id)).toEqual(left)
      })

  test('behind the end of the turn leaves nothing', async () => {
    const id = await begin()
    endpoint.next(say('The whole tale.'))
    const turn = await start(id, 'a line')
    await turn.until(ofType('done'))
    turn.disconnect()
    expect(await interrupted(id)).toBeNull()
    expect((await texts(id)).at(-1)).toBe('The whole tale.')
  })

  test('is written once, however many chunks were streamed', async () => {
    const id = await begin()
    writes.length = 0
    endpoint.next(sayAround('word '.repeat(400), gate(), '', { pieces: 400 }))
    const turn = await start(id, 'a line')
    for (let told = ''; told.length < 1_900; )
      told += ((await turn.until(ofType('chunk'))) as { text: string }).text
    expect(writes).toHaveLength(0)
    turn.disconnect()
    await server.deps.locks.freed(id)
    expect(writes).toHaveLength(1)
  })

  test('does not reach the next prompt, nor a copy or an export of the story', async () => {
    const id = await begin()
    await hangUp(id)
    const { body: copy } = await server.post(`/api/adventures/${id}/copy`, { up_to: null })
    expect(await interrupted(copy.id)).toBeNull()
    const file = await (await server.ask(`/api/adventures/${id}/export?format=json`)).text()
    expect(file).not.toContain(HALF)
    expect(await (await server.ask('/api/search?q=tale')).text()).not.toContain(HALF)
    endpoint.next(say('Told anew.'))
    await retryTurn(server, id)
    expect(JSON.stringify(endpoint.requests.at(-1)?.body)).not.toContain(HALF)
  })

  for (const [what, step, code, told] of [
    ['a connection that is lost', breakOff(HALF), 'provider_error', HALF],
    ['an error in the stream', failInStream({ message: 'overflow' }, HALF), 'provider_error', HALF],
    ['silence', fallSilent(HALF), 'timeout', HALF],
    ['a connection that is lost within a block', breakOff(HALF + HALF_A_BLOCK), 'provider_error', HALF],
    ['a server that says no', status(500), 'provider_error', null],
    ['reasoning alone', onlyThink('Hm.'), 'empty_reply', null],
    ['a connection that is lost behind blanks', breakOff(' \n\u200b '), 'provider_error', null],
  ] as const)
    test(`of the model by ${what} leaves ${told === null ? 'nothing' : 'its prose'}`, async () => {
      const id = await begin()
      await server.send('PUT', '/api/settings', { read_timeout_seconds: 10 })
      endpoint.next(step)
      const end = (await playTurn(server, id, { type: 'do', text: 'wait' })).at(-1)
      expect(end).toMatchObject({ code })
      const reason = end?.type === 'error' ? end.detail : ''
      await server.send('PUT', '/api/settings', { read_timeout_seconds: 3_600 })
      expect(await interrupted(id)).toEqual(told === null ? null : { text: told, retry: false, reason })
    })
})

describe('an interrupted reply that is kept', () => {
  const tales = {
    'prose alone': HALF,
    'half a block': `${HALF}${HALF_A_BLOCK}`,
  }
  for (const operation of Object.keys(OPERATIONS) as OperationName[])
    for (const [what, told] of Object.entries(tales))
      test(`is what Stop would have made of ${operation} with ${what}`, async () => {
        const [stopped, kept] = [await begin(), await begin()]
        const turn = await startAndTell(stopped, operation, told)
        await server.post(`/api/adventures/${stopped}/stop`)
        expect((await turn.rest()).at(-1)).toMatchObject({ type: 'done', action: { cut: 'stopped' } })
        await hangUp(kept, operation, told)
        const { turns } = (await server.get('/api/health')).body
        const { status, body } = await keep(kept)
        expect(status).toBe(200)
        expect(body.text).toBe(HALF)
        await recorded(kept)
        expect(await warmth(kept)).toBe(operation === 'a retry' ? 6 : 5)
        expect(await remains(kept)).toEqual(await remains(stopped))
        expect(await interrupted(kept)).toBeNull()
        expect((await server.get('/api/health')).body.turns.accepted).toBe(turns.accepted + 1)
        expect((await server.get(`/api/adventures/${kept}/audit`)).body).toMatchObject({ ok: true })
      })

  test('is another variant where a retry was interrupted, and the earlier ones stay', async () => {
    const id = await begin()
    for (const text of ['The second.', 'The third.']) {
      endpoint.next(say(text))
      await retryTurn(server, id)
    }
    const before = stored(id)
    await hangUp(id, 'a retry')
    expect(stored(id)).toBe(before)
    expect((await keep(id)).body).toMatchObject({
      text: HALF,
      variant_count: 4,
      variant_index: 3,
      cut: 'stopped',
    })
    const { actions } = await story(id)
    const { body } = await server.get(`/api/adventures/${id}/actions/${actions.at(-1).id}/variants`)
    expect(body.map(({ text }: { text: string }) => text)).toEqual([FIRST, 'The second.', 'The third.', HALF])
    await server.post(`/api/adventures/${id}/actions/${actions.at(-1).id}/variant`, { index: 0 })
    expect((await texts(id)).at(-1)).toBe(FIRST)
  })

  test('is kept once, also when it is asked for twice at the same moment', async () => {
    const id = await begin()
    await hangUp(id)
    const both = await Promise.all([keep(id), keep(id)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await keep(id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await texts(id)).toHaveLength(5)
  })

  test('continues like any reply', async () => {
    const id = await begin()
    await hangUp(id)
    await keep(id)
    endpoint.next(say('On it goes.'))
    await playTurn(server, id)
    expect(endpoint.requests.at(-1)?.body?.messages?.at(-2)?.content).toContain(HALF)
    const { body } = await server.post(`/api/adventures/${id}/undo`)
    expect(body.actions.at(-1).text).toBe(HALF)
  })
})

test('an interrupted reply that is discarded is gone, and the story is as it was', async () => {
  const id = await begin()
  await hangUp(id)
  const before = stored(id)
  expect((await discard(id)).status).toBe(204)
  expect(stored(id)).toBe(before)
  expect(await interrupted(id)).toBeNull()
  for (const gone of [await discard(id), await keep(id)])
    expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

describe('an interrupted reply is kept first by', () => {
  const AFTER = {
    'a new line': [{ type: 'say', text: 'Hm', keep: true }, ['> You say "Hm."']],
    continue: [{ type: 'continue', keep: true }, []],
  } as const
  for (const [what, [body, line]] of Object.entries(AFTER))
    for (const operation of Object.keys(OPERATIONS) as OperationName[])
      test(`${what}, as Keep would have kept it of ${operation}`, async () => {
        const [kept, sent] = [await begin(), await begin()]
        for (const id of [kept, sent]) await hangUp(id, operation, HALF)
        await keep(kept)
        await recorded(kept)
        const before = JSON.parse(stored(kept))[0].length
        const { turns } = (await server.get('/api/health')).body
        endpoint.next(say('On it goes.'))
        const events = await playTurn(server, sent, body)
        expect(events[0]).toMatchObject({ type: 'kept', action: { text: HALF, cut: 'stopped' } })
        expect((await texts(sent)).slice(before)).toEqual([...line, 'On it goes.'])
        expect(endpoint.requests.at(-1)?.body?.messages?.some(({ content }) => content.includes(HALF))).toBe(
          true,
        )
        expect((await server.get('/api/health')).body.turns.accepted).toBe(turns.accepted + 2)
        expect((await server.get(`/api/adventures/${sent}/audit`)).body).toMatchObject({ ok: true })
        await server.post(`/api/adventures/${sent}/undo`)
        expect(await remains(sent)).toEqual(await remains(kept))
      })

  test('a new line that gets no reply', async () => {
    const id = await begin()
    await hangUp(id)
    endpoint.next(status(500))
    await playTurn(server, id, { type: 'say', text: 'Hm', keep: true })
    expect((await texts(id)).slice(-3)).toEqual(['> You wait.', HALF, '> You say "Hm."'])
    expect(await interrupted(id)).toBeNull()
  })

  test('a line once, also when it is sent twice at the same moment, and again after a hang-up', async () => {
    const id = await begin()
    await hangUp(id)
    const end = gate()
    endpoint.next(sayAround(HALF, end, '', { pieces: 1 }))
    const path = `/api/adventures/${id}/actions`
    const line = { type: 'say', text: 'Hm', keep: true }
    const both = await Promise.all([startTurn(server, path, line), startTurn(server, path, line)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const turn = both.find(({ status }) => status === 200)
    await turn?.until(ofType('chunk'))
    turn?.disconnect()
    await server.deps.locks.freed(id)
    endpoint.next(say('Told anew.'))
    expect((await playTurn(server, id, line)).some(ofType('kept'))).toBe(false)
    expect((await texts(id)).slice(-4)).toEqual(['> You wait.', HALF, '> You say "Hm."', 'Told anew.'])
  })
})

test('a retry of a continued passage replaces that one, not the passage before', async () => {
  const id = await begin()
  await hangUp(id, 'continue')
  endpoint.next(status(500))
  await retryTurn(server, id)
  expect(await interrupted(id)).toMatchObject({ text: HALF, retry: false })
  await hangUp(id, 'a retry', 'Another half')
  expect(await interrupted(id)).toMatchObject({ text: 'Another half', retry: false })
  endpoint.next(say('Told anew.'))
  await retryTurn(server, id)
  expect((await story(id)).actions.slice(-2)).toMatchObject([
    { text: FIRST, variant_count: 1 },
    { text: 'Told anew.', variant_count: 1 },
  ])
})

describe('while another turn runs, an interrupted reply', () => {
  test('is neither kept nor discarded, and is deleted when that turn is stored', async () => {
    const id = await begin()
    await hangUp(id)
    const end = gate()
    endpoint.next(sayAround('Told ', end, 'anew.', { pieces: 1 }))
    const turn = await start(id, 'a retry')
    await turn.until(ofType('chunk'))
    for (const refused of [await keep(id), await discard(id)])
      expect(refused).toMatchObject({ status: 409, body: { code: 'turn_in_progress' } })
    end.open()
    expect((await turn.rest()).at(-1)).toMatchObject({ action: { text: 'Told anew.' } })
    expect(await interrupted(id)).toBeNull()
    expect(await texts(id)).toEqual(['The lamp is lit.', '> You look.', FIRST, '> You wait.', 'Told anew.'])
  })

  test('stays if that turn tells nothing, and is replaced if it is interrupted too', async () => {
    const id = await begin()
    await hangUp(id)
    endpoint.next(status(500))
    await retryTurn(server, id)
    expect(await interrupted(id)).toMatchObject({ text: HALF })
    await hangUp(id, 'a retry', 'Another half')
    expect(await interrupted(id)).toMatchObject({ text: 'Another half', retry: false })
  })
})

test('a line says whether an interrupted reply before it was dropped', async () => {
  const playerEvent = async (body: object) => (await playTurn(server, id, body)).find(ofType('player'))
  const id = await begin()
  await hangUp(id, 'a line')
  expect(await playerEvent({ type: 'say', text: 'Hm' })).toMatchObject({ dropped: true })
  expect(await playerEvent({ type: 'say', text: 'Hm again' })).not.toHaveProperty('dropped')
  await hangUp(id, 'a line')
  expect(await playerEvent({ type: 'say', text: 'Kept', keep: true })).not.toHaveProperty('dropped')
})

describe('an interrupted reply goes when the end of the story changes:', () => {
  const newestId = async (id: number) => (await story(id)).actions.at(-1).id
  const changes: [what: string, operation: OperationName, change: (id: number) => Promise<unknown>][] = [
    [
      'a new line that does not keep it, also if it gets no reply',
      'a line',
      (id) => {
        endpoint.next(status(500))
        return playTurn(server, id, { type: 'say', text: 'Hm' })
      },
    ],
    ['a reply of Continue that does not keep it', 'continue', (id) => playTurn(server, id)],
    ['an undo', 'a line', (id) => server.post(`/api/adventures/${id}/undo`)],
    ['an undo of the turn before', 'continue', (id) => server.post(`/api/adventures/${id}/undo`)],
    [
      'an edit of the line',
      'a line',
      async (id) =>
        server.send('PATCH', `/api/adventures/${id}/actions/${await newestId(id)}`, { text: 'Otherwise.' }),
    ],
    ['the same line', 'a line', (id) => playTurn(server, id, OPERATIONS['a line'][1])],
    ['a retry', 'a retry', (id) => retryTurn(server, id)],
    [
      'another variant',
      'continue',
      async (id) => server.post(`/api/adventures/${id}/actions/${await newestId(id)}/variant`, { index: 0 }),
    ],
  ]
  for (const [what, operation, change] of changes)
    test(what, async () => {
      const id = await begin()
      endpoint.next(say('Another attempt.'))
      await retryTurn(server, id)
      await hangUp(id, operation)
      expect(await interrupted(id)).toMatchObject({ text: HALF })
      await change(id)
      expect(await interrupted(id)).toBeNull()
      expect((await keep(id)).status).toBe(404)
    })

  test('an undo gives the words of the line back', async () => {
    const id = await begin()
    await hangUp(id)
    expect((await server.post(`/api/adventures/${id}/undo`)).body.typed).toEqual({
      type: 'do',
      text: 'wait',
    })
  })

  test('but not when an earlier passage or a stat is changed', async () => {
    const id = await begin()
    await hangUp(id)
    const { actions } = await story(id)
    await server.send('PATCH', `/api/adventures/${id}/actions/${actions[0].id}`, { text: 'The lamp is out.' })
    await server.send('PUT', `/api/adventures/${id}/world-state`, { 'player.warmth': 5 })
    expect((await keep(id)).body).toMatchObject({ text: HALF })
    await recorded(id)
    expect(await warmth(id)).toBe(2)
  })
})

test('an interrupted reply survives the end of the service, which interrupts turns itself', async () => {
  const dbPath = `${temporaryFolder()}/library.db`
  const first = await startServer({ dbPath })
  await first.send('PUT', '/api/settings', SETTINGS)
  const { id } = (await first.post('/api/adventures', { title: 'Blank' })).body
  endpoint.next(sayAround(HALF, gate(), '', { pieces: 1 }))
  const turn = await startTurn(first, `/api/adventures/${id}/actions`, { type: 'do', text: 'wait' })
  await turn.until(ofType('chunk'))
  await first.stop()
  const second = await startServer({ dbPath })
  const { body } = await second.get(`/api/adventures/${id}`)
  const reason = 'Inglenook was stopped before the reply was complete.'
  expect(body.interrupted).toEqual({ text: HALF, retry: false, reason: expect.stringContaining(reason) })
  expect(await (await second.ask(`/adventures/${id}`)).text()).toContain(reason)
  expect((await second.post(`/api/adventures/${id}/interrupted/keep`)).body).toMatchObject({
    text: HALF,
    cut: 'stopped',
  })
})

import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import {
  afterGate,
  fallSilent,
  gate,
  type RecordedBody,
  type Step,
  say,
  startEndpoint,
} from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer({ idleDelay: 0 })
const llama = (n_ctx: number) => endpoint.pages.set('/props', { default_generation_settings: { n_ctx } })
llama(8_192)

const isReading = ({ body }: { body: RecordedBody | null }) => body?.max_tokens === 1
const lastOf = ({ body }: { body: RecordedBody | null }) => body?.messages?.at(-1)?.content ?? ''
const isTask = (request: { body: RecordedBody | null }) => lastOf(request).includes('[Leave the story')
const textOf = ({ body }: { body: RecordedBody | null }) =>
  (body?.messages ?? []).map(({ role, content }) => `<${role}>${content}`).join('')
const PASSAGE = 'The road goes on and on, past a mill and a ruined tower. '.repeat(12)
let told = 0
let onReading: Step | null = null
let onTask: Step | null = null
endpoint.byDefault((exchange) => {
  if (isReading(exchange.request)) return (onReading ?? say('x'))(exchange)
  if (isTask(exchange.request)) return (onTask ?? say('A note.'))(exchange)
  return say(`${told++}. ${PASSAGE}`)(exchange)
})
afterEach(() => {
  onReading = null
  onTask = null
})
const set = (settings: object) => server.send('PUT', '/api/settings', settings)
const rested = () => server.deps.idle.ended()

async function begin(settings: object = {}): Promise<number> {
  await set({
    endpoint_url: endpoint.url,
    model: 'test-model',
    read_ahead: true,
    loop_guard: false,
    context_token_budget: 16_384,
    max_output_tokens: 300,
    ...settings,
  })
  await rested()
  const { id } = (await server.post('/api/adventures', { title: 'Road' })).body
  await server.send('PATCH', `/api/adventures/${id}`, { memory: PASSAGE, auto_summarize: false })
  await rested()
  return id
}
const line = (text = 'go on') => ({ type: 'do', text })
/** The requests since the last call. */
let seen = 0
function fresh() {
  const some = endpoint.requests.slice(seen)
  seen = endpoint.requests.length
  return some
}

describe('while the player reads, the server reads', () => {
  test('what was changed, so that the next turn reads little more than its line', async () => {
    const id = await begin()
    for (let turn = 0; turn < 4; turn++) await playTurn(server, id, line())
    await rested()
    fresh()
    const { actions } = (await server.get(`/api/adventures/${id}`)).body
    await server.send('PATCH', `/api/adventures/${id}/actions/${actions[2].id}`, { text: `Rain. ${PASSAGE}` })
    await rested()
    const read = fresh()
    expect(read.length).toBeGreaterThan(0)
    expect(read.every(isReading)).toBe(true)
    await playTurn(server, id, line('look up'))
    const turn = fresh().find((request) => !isReading(request))
    const ahead = textOf(read.at(-1) as never).replace(/<user>…$/, '')
    expect(textOf(turn as never)).toStartWith(ahead)
  })

  test('the notes that do not depend on the line, so that a turn reads only the others', async () => {
    const id = await begin()
    await server.send('PATCH', `/api/adventures/${id}`, { authors_note: 'Few words.' })
    await playTurn(server, id, line())
    await server.send('PATCH', `/api/adventures/${id}`, { authors_note: 'Many words.' })
    const card = { adventure_id: id, keys: 'ruined tower', entry: `The tower has no door. ${PASSAGE}` }
    await server.post('/api/story-cards', { name: 'Tower', ...card })
    await server.post('/api/story-cards', { name: 'Lamp', ...card, keys: 'lamp', entry: 'The lamp is oil.' })
    await rested()
    const ahead = lastOf(fresh().findLast(isReading) as never)
    expect(ahead).toContain('The tower has no door.')
    expect(ahead).toContain('Many words.')
    expect(ahead).not.toContain('The lamp is oil.')
    await playTurn(server, id, line('light the lamp'))
    const turn = lastOf(fresh().find((request) => !isReading(request)) as never)
    expect(turn).toStartWith(ahead.replace(/…$/, ''))
    expect(turn).toContain('The lamp is oil.')
  })

  test('the beginning of the prompt of a story that has not begun', async () => {
    const id = await begin()
    fresh()
    await server.send('PATCH', `/api/adventures/${id}`, { memory: `Unread. ${PASSAGE}` })
    await rested()
    const ahead = textOf(fresh().findLast(isReading) as never).replace(/(<user>)?…$/, '')
    expect(ahead).toContain('Unread.')
    await playTurn(server, id, line())
    expect(textOf(fresh().find((request) => !isReading(request)) as never)).toStartWith(ahead)
  })

  test('and reads them again behind a question', async () => {
    const id = await begin()
    await server.send('PATCH', `/api/adventures/${id}`, { memory_bank_enabled: true })
    for (let turn = 0; turn < 7; turn++) await playTurn(server, id, line())
    await server.send('PATCH', `/api/adventures/${id}`, { authors_note: `Long. ${PASSAGE}` })
    fresh()
    await rested()
    const asked = fresh()
    expect(asked.findLastIndex(isTask)).toBeGreaterThanOrEqual(0)
    expect(lastOf(asked.at(-1) as never)).toContain('Long.')
  })

  test('in pieces that grow from one to the next, each soon read', async () => {
    const id = await begin()
    for (let turn = 0; turn < 2; turn++) {
      endpoint.next(say(PASSAGE.repeat(12)))
      await playTurn(server, id, line())
      await rested()
    }
    const other = await begin()
    await playTurn(server, other, line())
    await rested()
    fresh()
    await server.ask(`/adventures/${id}`)
    await rested()
    const pieces = fresh().map(textOf)
    expect(pieces.length).toBeGreaterThan(1)
    for (const [i, piece] of pieces.slice(1).entries())
      expect(piece.startsWith((pieces[i] ?? '').replace(/<user>…$/, ''))).toBe(true)
  })

  test('and gives way to a turn at once', async () => {
    const id = await begin()
    await playTurn(server, id, line())
    await rested()
    const begun = gate()
    onReading = (exchange) => {
      begun.open()
      return fallSilent('')(exchange)
    }
    await server.send('PATCH', `/api/adventures/${id}`, { memory: `New. ${PASSAGE}` })
    await begun.opened
    onReading = null
    expect((await playTurn(server, id, line())).at(-1)).toMatchObject({ type: 'done' })
    await rested()
  })

  test('and starts again when the story is changed in the middle of other work', async () => {
    const id = await begin()
    await server.send('PATCH', `/api/adventures/${id}`, { memory_bank_enabled: true })
    for (let turn = 0; turn < 8; turn++) await playTurn(server, id, line())
    await rested()
    const begun = gate()
    onTask = (exchange) => {
      begun.open()
      return fallSilent('A note that takes')(exchange)
    }
    for (let turn = 0; turn < 3; turn++) await playTurn(server, id, line())
    await begun.opened
    onTask = null
    fresh()
    const { actions } = (await server.get(`/api/adventures/${id}`)).body
    await server.send('PATCH', `/api/adventures/${id}/actions/${actions[4].id}`, { text: `Hail. ${PASSAGE}` })
    await rested()
    expect(fresh().some(isReading)).toBe(true)
  })

  const never: [what: string, settings: object][] = [
    ['when it is switched off', { read_ahead: false }],
    ['with the practice narrator', { endpoint_url: '' }],
  ]
  for (const [what, settings] of never)
    test(`nothing ${what}`, async () => {
      const id = await begin(settings)
      fresh()
      await playTurn(server, id, line())
      await server.send('PATCH', `/api/adventures/${id}`, { memory: 'New.' })
      await rested()
      expect(fresh().filter(isReading)).toEqual([])
    })

  test('nothing on a server that is not known to keep prompts', async () => {
    endpoint.pages.clear()
    const id = await begin({ model: 'unknown-model' })
    fresh()
    await playTurn(server, id, line())
    await rested()
    expect(fresh().filter(isReading)).toEqual([])
    llama(8_192)
  })
})

test('the window is cut, and its new beginning read, before the turn that would not fit', async () => {
  llama(4_096)
  const id = await begin()
  const cuts: boolean[] = []
  for (let turn = 0; turn < 30; turn++) {
    await playTurn(server, id, line())
    const { epoch } = (await server.get(`/api/adventures/${id}/actions/${await last(id)}/context`)).body
    cuts.push(epoch.reason === 'full')
    await rested()
  }
  // The first prompt begins the window; every later one finds it as it was left.
  expect(cuts).not.toContain(true)
  const { included, total } = (await server.get(`/api/adventures/${id}/context`)).body.history
  expect(included).toBeLessThan(total)
  llama(8_192)
})

test.each([true, false])(
  'a retry is read from its last line on, although the window was cut since: reading ahead %p',
  async (read_ahead) => {
    llama(4_096)
    const id = await begin({ read_ahead })
    await server.send('PATCH', `/api/adventures/${id}`, { auto_summarize: true })
    let cut = 0
    for (let turn = 0; turn < 30; turn++) {
      await playTurn(server, id, line())
      await rested()
      const read = textOf(endpoint.requests.at(-1) as never)
      const { included, total } = (await server.get(`/api/adventures/${id}/context`)).body.history
      if (included < total) cut++
      fresh()
      await retryTurn(server, id)
      const sent = textOf(fresh().find((request) => !isReading(request)) as never)
      expect(sent.slice(sharedLength(sent, read)).length).toBeLessThanOrEqual('<user>> You go on.'.length)
      await rested()
    }
    expect(cut).toBeGreaterThan(0)
    await set({ read_ahead: true })
    llama(8_192)
  },
)

function sharedLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

const last = async (id: number) => (await server.get(`/api/adventures/${id}`)).body.actions.at(-1).id

test('memories go first when many passages wait for one', async () => {
  const id = await begin({ read_ahead: false })
  await server.send('PATCH', `/api/adventures/${id}`, { memory_bank_enabled: false })
  for (let turn = 0; turn < 8; turn++) await playTurn(server, id, line())
  await rested()
  fresh()
  await set({ read_ahead: true })
  await server.send('PATCH', `/api/adventures/${id}`, { memory_bank_enabled: true, memory: 'Changed.' })
  server.deps.idle.wake(id)
  await rested()
  const requests = fresh()
  const firstTask = requests.findIndex(isTask)
  const firstAhead = requests.findIndex((request) => isReading(request) && lastOf(request).endsWith('…'))
  expect(firstTask).toBeGreaterThanOrEqual(0)
  expect(firstAhead === -1 || firstTask < firstAhead).toBe(true)
})

test('memories and summary are finished although turns break most background work off', async () => {
  const id = await begin()
  await server.send('PATCH', `/api/adventures/${id}`, { auto_summarize: true })
  for (let turn = 0; turn < 40; turn++) {
    await playTurn(server, id, line(`step ${turn}`))
    if (turn % 3 === 2) await rested()
  }
  await rested()
  const { story_summary } = (await server.get(`/api/adventures/${id}`)).body
  expect((await server.get(`/api/adventures/${id}/memories`)).body.length).toBeGreaterThanOrEqual(11)
  expect(story_summary).not.toBe('')
})

test('nothing begins while a turn runs, however long it takes', async () => {
  const id = await begin()
  await playTurn(server, id, line())
  await rested()
  fresh()
  const asked = gate()
  const opened = gate()
  endpoint.next((exchange) => {
    asked.open()
    return afterGate(opened, say(`At last. ${PASSAGE}`))(exchange)
  })
  const playing = playTurn(server, id, line())
  await asked.opened
  // What the player types meanwhile wakes the work.
  for (let i = 0; i < 3; i++)
    await server.send('PATCH', `/api/adventures/${id}`, { memory: `Plot ${i}. ${PASSAGE}` })
  opened.open()
  await playing
  expect(fresh().filter(isReading)).toEqual([])
  await rested()
  expect(fresh().filter(isReading).length).toBeGreaterThan(0)
})

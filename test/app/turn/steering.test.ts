import { describe, expect, test } from 'bun:test'
import { LIMITS } from '../../../src/domain/limits.ts'
import { breakOff, say, status } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { playForm } from '../../support/service/form-turn.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const RAIN = 'Let it rain.'
const NOTE = `[For this passage only: ${RAIN}]`

const begin = async (): Promise<number> =>
  (await server.post('/api/adventures', { title: 'Steered' })).body.id
const path = (id: number, rest = '') => `/api/adventures/${id}${rest}`
const actions = async (id: number) => (await server.get(path(id))).body.actions
const newest = async (id: number) => (await actions(id)).at(-1)
const sent = () => endpoint.requests.at(-1)?.body?.messages ?? []
const lastSent = () => sent().at(-1)?.content ?? ''
const timesSent = () => JSON.stringify(sent()).split(NOTE).length - 1
const page = async (id: number) => (await server.ask(`/adventures/${id}`)).text()

async function tell(id: number, text: string, steering?: string): Promise<void> {
  endpoint.next(say(text))
  await playTurn(server, id, { type: 'do', text: 'wait', ...(steering === undefined ? {} : { steering }) })
}

async function retell(id: number, text: string, body?: unknown): Promise<void> {
  endpoint.next(say(text))
  await retryTurn(server, id, body)
}

/** Sends the form of the composer, and reads the answer to its end. */
async function send(id: number, fields: Record<string, string>, htmx = false): Promise<string> {
  const headers: Record<string, string> = htmx ? { 'HX-Request': 'true' } : {}
  return (await playForm(server, id, { type: 'do', text: '', ...fields }, headers)).page
}

describe('a note to the narrator', () => {
  test('is sent with its passage only, and is not part of the story', async () => {
    const id = await begin()
    await tell(id, 'It rains.', ` ${RAIN}\n`)
    expect(lastSent()).toStartWith(`> You wait.\n\n${NOTE}`)
    expect(
      (await actions(id)).map(({ text, steering }: Record<string, unknown>) => [text, steering]),
    ).toEqual([
      ['', null],
      ['> You wait.', null],
      ['It rains.', RAIN],
    ])
    await tell(id, 'It stops.')
    expect(await newest(id)).toMatchObject({ text: 'It stops.', steering: null })
    // The earlier message stays as it was sent, for servers that keep what they have read.
    expect(
      sent()
        .map(({ content }) => content)
        .filter((content) => content?.includes(NOTE)),
    ).toEqual([expect.stringContaining(`> You wait.\n\n${NOTE}`)])
    expect(lastSent()).not.toContain('[For this passage only')
  })

  test('waits until a reply is stored, whatever fails', async () => {
    const id = await begin()
    endpoint.next(status(500))
    await playTurn(server, id, { type: 'do', text: 'wait', steering: RAIN })
    expect(await page(id)).toContain(RAIN)
    endpoint.next(breakOff('It ra'))
    await retryTurn(server, id)
    expect(lastSent()).toContain(NOTE)
    await server.ask(path(id, '/interrupted'), { method: 'DELETE' })
    await retell(id, 'It rains.')
    expect(await newest(id)).toMatchObject({ text: 'It rains.', steering: RAIN })
    await tell(id, 'It stops.')
    expect(lastSent()).not.toContain(NOTE)
  })

  test('of a reply that broke off and is kept is kept with it', async () => {
    const id = await begin()
    endpoint.next(breakOff('It rains.'))
    await playTurn(server, id, { type: 'do', text: 'wait', steering: RAIN })
    await server.post(path(id, '/interrupted/keep'))
    expect(await newest(id)).toMatchObject({ text: 'It rains.', steering: RAIN })
    await tell(id, 'It stops.')
    expect(lastSent()).not.toContain(NOTE)
  })

  test('is repeated by a retry, replaced by another, and left out on demand', async () => {
    const id = await begin()
    await tell(id, 'It rains.', RAIN)
    await retell(id, 'It pours.')
    expect(timesSent()).toBe(1)
    await retell(id, 'It snows.', { steering: 'Let it snow.' })
    expect(lastSent()).toStartWith('> You wait.\n\n[For this passage only: Let it snow.]')
    await retell(id, 'It is dry.', { steering: '' })
    expect(lastSent()).not.toContain('[For this passage only')
    const { id: action } = await newest(id)
    const listed = (await server.get(path(id, `/actions/${action}/variants`))).body
    expect(listed.map(({ text, steering }: Record<string, unknown>) => [text, steering])).toEqual([
      ['It rains.', RAIN],
      ['It pours.', RAIN],
      ['It snows.', 'Let it snow.'],
      ['It is dry.', null],
    ])
  })

  test('belongs to its version: the prompt has that of the version that is live', async () => {
    const id = await begin()
    await tell(id, 'It rains.', RAIN)
    await retell(id, 'It is dry.', { steering: '' })
    const { id: action } = await newest(id)
    await tell(id, 'On.')
    expect(timesSent()).toBe(0)
    await server.post(path(id, '/undo'))
    const { body } = await server.post(path(id, `/actions/${action}/variant`), { index: 0 })
    expect(body.steering).toBe(RAIN)
    await tell(id, 'On again.')
    expect(timesSent()).toBe(1)
  })

  test('comes back with an undone turn, unless another waits', async () => {
    const id = await begin()
    await tell(id, 'It rains.', RAIN)
    await server.post(path(id, '/undo'))
    await tell(id, 'It rains again.')
    expect(await newest(id)).toMatchObject({ steering: RAIN })
    await server.ask(`/adventures/${id}/draft`, {
      method: 'POST',
      body: new URLSearchParams({ type: 'do', text: '', steering: 'Let it snow.' }),
    })
    await server.post(path(id, '/undo'))
    await tell(id, 'It snows.')
    expect(await newest(id)).toMatchObject({ steering: 'Let it snow.' })
  })

  test('travels with the story, version by version', async () => {
    const id = await begin()
    await tell(id, 'It rains.', RAIN)
    await retell(id, 'It is dry.', { steering: '' })
    const file = await (await server.ask(path(id, '/export'))).text()
    const copies = [
      (await server.post(path(id, '/copy'))).body.id,
      (await server.post('/api/import?apply=1', JSON.parse(file))).body.adventure_ids[0],
    ]
    for (const copy of copies) {
      const { id: action, steering } = await newest(copy)
      expect(steering).toBeNull()
      const { body } = await server.get(path(copy, `/actions/${action}/variants`))
      expect(body.map((variant: { steering: string | null }) => variant.steering)).toEqual([RAIN, null])
    }
  })

  test('that is too long is refused, and nothing is sent', async () => {
    const id = await begin()
    const steering = 'x'.repeat(LIMITS.steering + 1)
    expect((await server.post(path(id, '/actions'), { type: 'continue', steering })).status).toBe(422)
    expect(await send(id, { text: 'wait', steering })).toContain('can have up to 2000 characters')
    expect(await actions(id)).toHaveLength(1)
  })
})

describe('on the page', () => {
  test('it goes along with a line, a continuation and a retry, without script', async () => {
    const id = await begin()
    endpoint.next(say('It rains.'))
    expect(await send(id, { text: 'wait', steering: RAIN })).toContain('Steered')
    expect(lastSent()).toContain(NOTE)
    endpoint.next(say('It rains on.'))
    await send(id, { go_on: '1', steering: 'Let it end.' })
    expect(await newest(id)).toMatchObject({ text: 'It rains on.', steering: 'Let it end.' })
    endpoint.next(say('Dry.'))
    await send(id, { retry: '1', text: 'my next line', steering: '' })
    expect(await newest(id)).toMatchObject({ text: 'Dry.', steering: 'Let it end.', variant_count: 2 })
    endpoint.next(say('Free.'))
    await send(id, { retry: 'unsteered', text: 'my next line', steering: '' }, true)
    expect(await newest(id)).toMatchObject({ text: 'Free.', steering: null, variant_count: 3 })
    expect(await page(id)).toContain('my next line')
  })

  test('a form that knows nothing of it leaves it alone', async () => {
    const id = await begin()
    endpoint.next(status(500))
    await send(id, { text: 'wait', steering: RAIN })
    await server.ask(`/adventures/${id}/draft`, {
      method: 'POST',
      body: new URLSearchParams({ type: 'do', text: 'next' }),
    })
    expect(await page(id)).toContain(RAIN)
  })
})

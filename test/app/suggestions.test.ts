import { describe, expect, test } from 'bun:test'
import { afterGate, gate, say, status } from '../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../support/service/events.ts'
import { startServer } from '../support/service/server.ts'
import { startWithModel } from '../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

const SUGGESTED = [
  { manner: 'careful', text: 'wait' },
  { manner: 'bold', text: 'jump' },
  { manner: 'unexpected', text: 'sing' },
]
const ANSWER = JSON.stringify(Object.fromEntries(SUGGESTED.map(({ manner, text }) => [manner, text])))

const story = async (): Promise<number> => {
  const { id } = (await server.post('/api/adventures', { title: 'Suggested' })).body
  endpoint.next(say('The lamp burns.'))
  await playTurn(server, id, { type: 'do', text: 'light the lamp' })
  return id
}
const suggest = (id: number) => server.post(`/api/adventures/${id}/suggestions`)
const asked = () => endpoint.requests.length
const page = async (id: number) => (await server.ask(`/adventures/${id}`)).text()
/** Sends a form of the page, and shows the page that follows. */
async function send(id: number, fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(fields)
  const { status: redirect } = await server.ask(`/adventures/${id}/suggestions`, { method: 'POST', body })
  expect(redirect).toBe(303)
  return page(id)
}

describe('suggestions', () => {
  test('are asked for once, behind the prompt of the story, and stay until it moves', async () => {
    const id = await story()
    const told = endpoint.requests.at(-1)?.body?.messages ?? []
    endpoint.next(say(ANSWER))
    expect((await suggest(id)).body).toEqual(SUGGESTED)
    const messages = endpoint.requests.at(-1)?.body?.messages ?? []
    expect(messages.slice(0, told.length)).toEqual(told)
    expect(messages.at(-1)?.content).toContain('- light the lamp\n')
    const before = asked()
    expect((await suggest(id)).body).toEqual(SUGGESTED)
    expect(await page(id)).toContain('value="jump"')
    expect(asked()).toBe(before)
    const retry = () => retryTurn(server, id)
    const goOn = () => playTurn(server, id)
    for (const move of [retry, goOn]) {
      endpoint.next(say('Another.'))
      await move()
      expect(await page(id)).not.toContain('value="jump"')
      endpoint.next(say(ANSWER))
      expect((await suggest(id)).body).toEqual(SUGGESTED)
    }
  })

  test('repeat neither the player nor the story', async () => {
    const id = await story()
    endpoint.next(say('{"careful":"Light the lamp","bold":"The lamp burns","unexpected":"sing"}'))
    expect((await suggest(id)).body).toEqual([{ manner: 'unexpected', text: 'sing' }])
  })

  test('come from the model that tells the story, which has read it', async () => {
    const id = await story()
    await server.send('PUT', '/api/settings', { summary_model: 'another' })
    endpoint.next(say(ANSWER))
    await suggest(id)
    await server.send('PUT', '/api/settings', { summary_model: '' })
    const { model, messages } = endpoint.requests.at(-1)?.body ?? {}
    expect(model).not.toBe('another')
    expect(JSON.stringify(messages)).toContain('The lamp burns.')
  })

  test('are about the text as it stands', async () => {
    const id = await story()
    endpoint.next(say(ANSWER))
    await suggest(id)
    const { actions } = (await server.get(`/api/adventures/${id}`)).body
    await server.send('PATCH', `/api/adventures/${id}/actions/${actions.at(-1).id}`, { text: 'It is dark.' })
    expect(await page(id)).not.toContain('value="jump"')
  })

  test('give way to a turn, which waits for nothing', async () => {
    const id = await story()
    const opened = gate()
    const reached = gate()
    endpoint.next((exchange) => {
      reached.open()
      return afterGate(opened, say(ANSWER))(exchange)
    })
    const pending = suggest(id)
    await reached.opened
    endpoint.next(say('The turn.'))
    expect((await playTurn(server, id, { type: 'do', text: 'go on' })).at(-1)?.type).toBe('done')
    opened.open()
    expect(await pending).toMatchObject({ status: 409, body: { code: 'turn_in_progress' } })
    expect(await page(id)).not.toContain('value="jump"')
  })

  test('go before background work', async () => {
    const id = await story()
    const { endpoint_url } = (await server.get('/api/settings')).body
    const enter = () => server.deps.calls.enter(endpoint_url, new AbortController().signal, 'background')
    const background = await enter()
    const aborted = new Promise((resolve) => background.signal.addEventListener('abort', resolve))
    endpoint.next(say(ANSWER))
    const pending = suggest(id)
    await aborted
    expect(enter()).rejects.toThrow()
    background[Symbol.dispose]()
    expect((await pending).body).toEqual(SUGGESTED)
    using again = await enter()
    expect(again.signal.aborted).toBe(false)
  })

  test('that cannot be had are refused with a sentence, and nothing is stored', async () => {
    const id = await story()
    endpoint.next(say('I would rather not.'))
    expect(await suggest(id)).toMatchObject({ status: 502, body: { code: 'empty_reply' } })
    endpoint.next(status(500))
    expect((await suggest(id)).body.code).toBe('provider_error')
    endpoint.next(status(500))
    await playTurn(server, id, { type: 'do', text: 'wait' })
    expect((await suggest(id)).body).toMatchObject({
      code: 'line_waiting',
      detail: expect.stringContaining('Retry'),
    })
    expect((await server.post('/api/adventures/999/suggestions')).status).toBe(404)
  })

  test('without script: the page shows them, and the chosen one is added after the typed text', async () => {
    const id = await story()
    endpoint.next(say(ANSWER))
    expect(await send(id, { suggest: '1', text: 'my words', steering: 'slowly' })).toContain('value="jump"')
    const shown = await send(id, { suggestion: 'jump', text: 'my words', steering: 'slowly' })
    expect(shown).toMatch(/my words\njump\s*<\/textarea>/)
    expect(shown).toContain('slowly')
    expect((await server.get(`/api/adventures/${id}`)).body.actions).toHaveLength(3)
  })

  test('are asked for by the page alone only where that is switched on, and then fail in silence', async () => {
    const id = await story()
    const asks = 'suggestions?automatic=1'
    expect(await page(id)).not.toContain(asks)
    await server.send('PUT', '/api/preferences', { suggest: true })
    expect(await page(id)).toContain(asks)
    endpoint.next(status(500))
    const answer = await server.ask(`/adventures/${id}/suggestions?automatic=1`, {
      method: 'POST',
      headers: { 'HX-Request': 'true' },
    })
    expect(answer.status).toBe(204)
    await server.send('PUT', '/api/preferences', { suggest: false })
  })
})

test('the practice narrator suggests as well', async () => {
  const practice = await startServer()
  const { id } = (await practice.post('/api/adventures', { scenario_id: 1 })).body
  const { body } = await practice.post(`/api/adventures/${id}/suggestions`)
  expect(body.map(({ manner }: { manner: string }) => manner)).toEqual(['careful', 'bold', 'unexpected'])
})

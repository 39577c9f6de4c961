import { expect, test } from 'bun:test'
import { afterGate, breakOff, gate, say, status } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()

async function begin() {
  const { body } = await server.post('/api/adventures', { title: 'The pier' })
  const newest = body.actions.at(-1).id
  const send = (text: string, init: RequestInit = {}, later = 0) =>
    server.ask(`/adventures/${body.id}/turns`, {
      ...init,
      method: 'POST',
      body: new URLSearchParams({ type: 'do', text, newest: String(newest + later) }),
    })
  const texts = async () =>
    (await server.get(`/api/adventures/${body.id}`)).body.actions
      .slice(1)
      .map(({ text }: { text: string }) => text)
  return { id: body.id as number, send, texts }
}

test('a line that is sent twice is played once, and answered like the first time', async () => {
  for (const headers of [{}, { 'HX-Request': 'true' }]) {
    const { id, send, texts } = await begin()
    const held = gate()
    endpoint.next(afterGate(held, say('It rains.')))
    const answers = [await send('wait', { headers }), await send('wait', { headers })]
    held.open()
    await server.deps.locks.freed(id)
    answers.push(await send('wait', { headers }))
    for (const { status } of answers) expect(status).toBe('HX-Request' in headers ? 204 : 303)
    expect(await texts()).toEqual(['> You wait.', 'It rains.'])
  }
})

test('a line that is sent twice behind an interrupted reply is played once', async () => {
  const { id, send, texts } = await begin()
  endpoint.next(breakOff('Half a tale'), say('It rains.'))
  await send('wait')
  await server.deps.locks.freed(id)
  for (const _ of [1, 2]) {
    expect((await send('run', {}, 1)).status).toBe(303)
    await server.deps.locks.freed(id)
  }
  expect(await texts()).toEqual(['> You wait.', 'Half a tale', '> You run.', 'It rains.'])
})

test('a line that is sent twice is played once, also when the story has gone on', async () => {
  const { id, send, texts } = await begin()
  endpoint.next(say('It rains.'), say('It snows.'))
  await send('wait')
  await server.deps.locks.freed(id)
  await playTurn(server, id)
  expect((await send('wait')).status).toBe(303)
  expect(await texts()).toEqual(['> You wait.', 'It rains.', 'It snows.'])
})

test('a line that is sent again after its turn was undone is played again', async () => {
  const { id, send, texts } = await begin()
  for (const reply of ['It rains.', 'It snows.']) {
    endpoint.next(say(reply))
    await send('wait')
    await server.deps.locks.freed(id)
    expect(await texts()).toEqual(['> You wait.', reply])
    await server.post(`/api/adventures/${id}/undo`)
  }
})

test('a line without a reply that is sent again gets one', async () => {
  const { id, send, texts } = await begin()
  endpoint.next(status(500), say('It rains.'))
  for (const _ of [1, 2]) {
    expect((await send('wait')).status).toBe(303)
    await server.deps.locks.freed(id)
  }
  expect(await texts()).toEqual(['> You wait.', 'It rains.'])
})

test('a page that is left does not end its turn', async () => {
  const { id, send, texts } = await begin()
  const held = gate()
  endpoint.next(afterGate(held, say('It snows.')))
  const left = new AbortController()
  await send('wait', { signal: left.signal })
  left.abort()
  held.open()
  await server.deps.locks.freed(id)
  expect(await texts()).toEqual(['> You wait.', 'It snows.'])
})

test('other words from an old page are sent nowhere', async () => {
  const { id, send, texts } = await begin()
  endpoint.next(say('It rains.'))
  await send('wait')
  await server.deps.locks.freed(id)
  const answer = await send('run')
  expect([answer.status, (await answer.text()).includes('The story has changed')]).toEqual([409, true])
  expect(await texts()).toEqual(['> You wait.', 'It rains.'])
})

import { expect, test } from 'bun:test'
import { afterGate, breakOff, gate, say } from '../../support/endpoint/endpoint.ts'
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
  const stored = () =>
    new Promise<void>((resolve) => {
      const check = async () => ((await texts()).length > 0 ? resolve() : setImmediate(check))
      void check()
    })
  return { send, texts, stored }
}

test('a line that is sent twice is played once, and nobody is alarmed', async () => {
  for (const headers of [{}, { 'HX-Request': 'true' }]) {
    const { send, texts, stored } = await begin()
    const held = gate()
    endpoint.next(afterGate(held, say('It rains.')))
    const first = send('wait')
    await stored()
    const second = send('wait', { headers })
    held.open()
    expect(await (await first).text()).toContain('It rains.')
    const answer = await second
    expect(answer.status).toBe('HX-Request' in headers ? 200 : 303)
    expect(await answer.text()).not.toContain('The story has changed')
    expect(await texts()).toEqual(['> You wait.', 'It rains.'])
  }
})

test('a line that is sent twice behind an interrupted reply is played once', async () => {
  const { send, texts } = await begin()
  endpoint.next(breakOff('Half a tale'), say('It rains.'))
  await (await send('wait')).text()
  for (const status of [200, 303]) {
    const answer = await send('run', {}, 1)
    await answer.text()
    expect(answer.status).toBe(status)
  }
  expect(await texts()).toEqual(['> You wait.', 'Half a tale', '> You run.', 'It rains.'])
})

test('the second time answers it where the browser gave up the first', async () => {
  for (const _ of endpoint.requests) await endpoint.requestArrived()
  const { send, texts, stored } = await begin()
  const left = new AbortController()
  endpoint.next(afterGate(gate(), say('Nobody reads this.')), say('It snows.'))
  const first = send('wait', { signal: left.signal }).catch(() => null)
  await stored()
  await endpoint.requestArrived()
  left.abort()
  await first
  const answer = await send('wait')
  expect([answer.status, (await answer.text()).includes('It snows.')]).toEqual([200, true])
  expect(await texts()).toEqual(['> You wait.', 'It snows.'])
})

test('other words from an old page are sent nowhere', async () => {
  const { send, texts } = await begin()
  endpoint.next(say('It rains.'))
  await (await send('wait')).text()
  const answer = await send('run')
  expect([answer.status, (await answer.text()).includes('The story has changed')]).toEqual([409, true])
  expect(await texts()).toEqual(['> You wait.', 'It rains.'])
})

import { expect, test } from 'bun:test'
import { afterGate, gate, say } from '../support/endpoint/endpoint.ts'
import { playTurn } from '../support/service/events.ts'
import { sendRaw } from '../support/service/raw-request.ts'
import { startWithModel } from '../support/service/with-model.ts'

const { endpoint, server } = await startWithModel({ idleTimeout: 1 })

/** Resolves when the service has closed a connection on which half a body was sent. */
function idleTimeout(): Promise<string> {
  const { host } = new URL(server.address)
  return sendRaw(
    server.address,
    `POST /api/scenarios HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  )
}

const SUGGESTED = '{"careful":"wait","bold":"jump","unexpected":"sing"}'

async function begin(): Promise<number> {
  const { id } = (await server.post('/api/adventures', { title: 'Slow' })).body
  endpoint.next(say('The lamp burns.'))
  await playTurn(server, id, { type: 'do', text: 'light the lamp' })
  return id
}

test('the service waits longer for the model than for a client, in the API and on a page', async () => {
  const [first, second] = [await begin(), await begin()]
  const [asked, answered] = [gate(), gate()]
  endpoint.next((exchange) => {
    asked.open()
    return afterGate(answered, say(SUGGESTED))(exchange)
  })
  endpoint.next(say(SUGGESTED))
  const inApi = server.ask(`/api/adventures/${first}/suggestions`, { method: 'POST' })
  await asked.opened
  const body = new URLSearchParams({ suggest: '1' })
  const onPage = server.ask(`/adventures/${second}/suggestions`, { method: 'POST', body })
  expect([await idleTimeout(), await idleTimeout()]).toEqual(['', ''])
  answered.open()
  expect([(await inApi).status, (await onPage).status]).toEqual([200, 303])
})

import { expect, test } from 'bun:test'
import type { ActionView } from '../../../src/domain/action.ts'
import { say } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel({ idleDelay: 0 })

let told = 0
endpoint.byDefault((exchange) => {
  const last = exchange.request.body?.messages?.at(-1)?.content ?? ''
  return say(last.includes('[Leave the story for a moment') ? 'Note.' : `Passage ${++told}.`)(exchange)
})
const sent = () => endpoint.requests.map(({ body }) => JSON.stringify(body?.messages ?? []))
const actionsOf = async (id: number): Promise<ActionView[]> =>
  (await server.get(`/api/adventures/${id}`)).body.actions
const memoriesOf = async (id: number) => (await server.get(`/api/adventures/${id}/memories`)).body
const hide = (action: ActionView, hidden: boolean) =>
  server.send('PATCH', `/api/adventures/${action.adventure_id}/actions/${action.id}`, { hidden })

/** Waits until everything due has been made. */
async function rested(id: number): Promise<void> {
  server.deps.idle.wake(id)
  await server.deps.idle.ended()
}

async function story(lines: string[]): Promise<number> {
  const { id } = (await server.post('/api/adventures', { title: 'Lantern Rock' })).body
  for (const text of lines) await playTurn(server, id, { type: 'story', text })
  return id
}

test('a hidden passage stays in the story, leaves the prompt, and returns when it is shown again', async () => {
  const id = await story(['The PLANTED bell rings.', 'Night falls.'])
  const [, line] = await actionsOf(id)
  expect((await hide(line as ActionView, true)).body).toMatchObject({
    text: 'The PLANTED bell rings.',
    hidden: true,
  })
  await playTurn(server, id, { type: 'do', text: 'wait' })
  expect(sent().at(-1)).not.toContain('PLANTED')
  expect(sent().at(-1)).toContain('Night falls.')
  expect((await server.get(`/api/search?q=PLANTED&adventure=${id}`)).body.results).not.toEqual([])
  await hide(line as ActionView, false)
  await playTurn(server, id, { type: 'do', text: 'wait' })
  expect(sent().at(-1)).toContain('PLANTED')
})

test('its memory is made again from the others, and one of hidden passages alone waits and keeps no other from being made', async () => {
  const id = await story([...Array(7).keys()].map((n) => `WORD${n} is said.`))
  await rested(id)
  const hidden = (await actionsOf(id)).filter(({ index }) => index >= 1 && index <= 6)
  const before = sent().length
  await hide(hidden[0] as ActionView, true)
  await rested(id)
  expect((await memoriesOf(id))[0]).toMatchObject({ stale: false, source_start: 1 })
  expect(sent().slice(before).join()).not.toContain('WORD0')
  for (const action of hidden) await hide(action, true)
  for (let turn = 0; turn < 3; turn++) await playTurn(server, id, { type: 'do', text: 'wait' })
  await rested(id)
  expect((await memoriesOf(id)).map(({ stale }: { stale: boolean }) => stale)).toEqual([true, false, false])
  await hide(hidden[0] as ActionView, false)
  await rested(id)
  expect((await memoriesOf(id))[0]).toMatchObject({ stale: false })
})

test('it is not recalled, and a quote of it goes', async () => {
  const fact = 'The ferryman whispers that the silver bell of Orrin lies under the drowned chapel.'
  await server.send('PUT', '/api/settings', { context_token_budget: 2_000, max_output_tokens: 100 })
  const id = await story([
    fact,
    ...Array(20).fill(`Rain. ${'The road goes on between the hedges. '.repeat(8)}`),
  ])
  const ask = { type: 'say', text: 'Where did the ferryman say the silver bell lies?' }
  await playTurn(server, id, ask)
  expect(sent().at(-1)).toContain('[Earlier, passage 1: The ferryman')
  const line = (await server.get(`/api/adventures/${id}/actions?limit=100`)).body.actions[1]
  await hide(line, true)
  await playTurn(server, id, ask)
  expect(sent().at(-1)).not.toContain('drowned chapel')
})

test('copies, branches and files keep it hidden', async () => {
  const id = await story(['The PLANTED bell rings.'])
  const [, line, reply] = await actionsOf(id)
  await hide(line as ActionView, true)
  const isHidden = async (story: number) => (await actionsOf(story))[1]?.hidden
  const { body: copy } = await server.post(`/api/adventures/${id}/copy`, {})
  const { body: branch } = await server.post(`/api/adventures/${id}/family`, { action_id: reply?.id })
  for (const one of [copy.id, branch.id]) expect(await isHidden(one)).toBe(true)
  for (const format of ['json', 'jsonl']) {
    const file = await (await server.ask(`/api/adventures/${id}/export?format=${format}`)).arrayBuffer()
    const response = await server.ask('/api/import?apply=1&duplicates=import', { method: 'POST', body: file })
    expect(await isHidden((await response.json()).adventure_ids[0])).toBe(true)
  }
})

test('the page hides it with a checkbox, and says so at the passage', async () => {
  const id = await story(['The bell rings.'])
  const line = (await actionsOf(id))[1] as ActionView
  const page = async (path = '') => (await server.ask(`/adventures/${id}${path}`)).text()
  const save = (fields: string) =>
    server.ask(`/adventures/${id}/edit`, {
      method: 'POST',
      body: `action=${line.id}&text=The+bell+rings.${fields}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
  expect(await page()).not.toContain('Hidden from the narrator')
  await save('&hidden=1')
  expect(await page()).toContain('Hidden from the narrator')
  expect(await page(`?edit=${line.id}`)).toMatch(/name="hidden" value="1" checked/)
  await save('')
  expect(await page()).not.toContain('Hidden from the narrator')
})

test('a passage that is saved with the text it has keeps its memory', async () => {
  const id = await story([...Array(7).keys()].map((n) => `WORD${n} is said.`))
  await rested(id)
  const { id: action, text } = (await actionsOf(id))[1] as ActionView
  const path = `/api/adventures/${id}/actions/${action}`
  const made = () => sent().filter((messages) => messages.includes('[Leave the story for a moment')).length
  const before = made()
  expect((await server.send('PATCH', path, { text })).status).toBe(200)
  await rested(id)
  expect(made()).toBe(before)
  await server.send('PATCH', path, { text: `${text} Twice.` })
  await rested(id)
  expect(made()).toBe(before + 1)
})

import { expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { startServer } from '../support/service/server.ts'

const server = await startServer()
const HTML = { Accept: 'text/html,application/xhtml+xml' }

/** The field for a question on a page, and the names that it offers. */
async function fieldOn(path: string, question: string) {
  const { document } = new Window()
  document.body.innerHTML = await (await server.ask(path, { headers: HTML })).text()
  const label = [...document.querySelectorAll('label')].find(
    (one) => one.querySelector('span')?.textContent === question,
  )
  const input = label?.querySelector('input')
  const list = document.getElementById(input?.getAttribute('list') ?? '-')
  return {
    value: input?.getAttribute('value'),
    names: [...(list?.querySelectorAll('option') ?? [])].map((one) => one.getAttribute('value')),
  }
}

test('what the player is called is asked once, and stands there the next time', async () => {
  const { id } = (
    await server.post('/api/scenarios', { title: 'Road', prompt: '${your name} and ${Friend}.' })
  ).body
  const page = `/scenarios/${id}`
  const begin = (placeholders: Record<string, string>) =>
    server.post('/api/adventures', { scenario_id: id, placeholders })
  expect(await fieldOn(page, 'your name')).toEqual({ value: '', names: [] })
  await begin({ 'your name': ' Mira ', Friend: 'Odo' })
  expect(await fieldOn(page, 'your name')).toEqual({ value: 'Mira', names: [] })
  expect(await fieldOn(page, 'Friend')).toEqual({ value: '', names: [] })
  await begin({ 'Your name': 'Tamsin', 'your name': '' })
  await begin({ 'your name': 'Mira' })
  await begin({ 'your name': 'your name' })
  expect(await fieldOn(page, 'your name')).toEqual({ value: 'Mira', names: ['Mira', 'Tamsin'] })
})

test('a story that began without answers asks with that name, too', async () => {
  const { id } = (await server.post('/api/scenarios', { title: 'Road', prompt: '${Your name} walks.' })).body
  await server.post('/api/adventures', { scenario_id: id, placeholders: { 'Your name': 'Ada' } })
  const story = (await server.post('/api/adventures', { scenario_id: id })).body.id
  expect((await fieldOn(`/adventures/${story}`, 'Your name')).value).toBe('Ada')
})

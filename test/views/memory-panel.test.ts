import { expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { insertMemory } from '../../src/db/tables/memory/memories.ts'
import { playTurn } from '../support/service/events.ts'
import { startServer } from '../support/service/server.ts'

const server = await startServer()

test('a memory says which passages it is about, and leads to the first of them', async () => {
  const { body } = await server.post('/api/adventures', { scenario_id: 1 })
  await playTurn(server, body.id, { type: 'do', text: 'look' })
  server.deps.library.write((tx) => {
    const remember = (text: string, start: number, end: number) =>
      insertMemory(tx, body.id, { text, source: { start, end, hash: '' } }, new Date())
    remember('You looked.', 1, 2)
    remember('You waited.', 2, 2)
    remember('Long undone.', 70, 76)
  })
  const { document } = new Window()
  document.body.innerHTML = await (await server.ask(`/adventures/${body.id}?panel=memory`)).text()
  const sources = [...document.querySelectorAll('.memories .about')]
  expect(sources.map((one) => one.textContent?.trim()).sort()).toEqual([
    'About passage 2',
    'About passages 1 to 2',
    'About passages 70 to 76',
  ])
  const links = [...document.querySelectorAll('.memories .about a')].map((one) => one.getAttribute('href'))
  expect(links).toEqual([`/adventures/${body.id}?at=2#action-2`, `/adventures/${body.id}?at=3#action-3`])
})

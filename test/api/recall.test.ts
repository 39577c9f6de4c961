import { expect, test } from 'bun:test'
import { LIMITS } from '../../src/domain/limits.ts'
import { startServer } from '../support/service/server.ts'

const server = await startServer()

test('a line that is longer than a turn is refused, by the API and by the page', async () => {
  const { body: story } = await server.post('/api/adventures', { title: 'Bells' })
  const line = 'a '.repeat(LIMITS.line)
  expect((await server.post(`/api/adventures/${story.id}/recall`, { line })).status).toBe(422)
  const page = await server.ask(`/adventures/${story.id}/recall`, {
    method: 'POST',
    headers: { Origin: server.address.replace(/\/$/, '') },
    body: new URLSearchParams({ line }),
  })
  expect(await page.text()).toContain('A line can have up to 20000 characters')
  expect((await server.post(`/api/adventures/${story.id}/recall`, { line: 'The bell.' })).status).toBe(200)
})

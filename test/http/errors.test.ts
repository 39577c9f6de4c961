import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { startServer } from '../support/service/server.ts'

test('a response that does not match its schema is an internal error, and none of it is logged', async () => {
  const server = await startServer()
  const { body } = await server.post('/api/adventures', { title: 'SECRET title' })
  const db = new Database(server.path)
  db.run("UPDATE actions SET \"index\" = 'first', text = 'SECRET words'")
  db.close()
  const log = spyOn(console, 'error').mockImplementation(() => {})
  try {
    expect(await server.get(`/api/adventures/${body.id}`)).toMatchObject({
      status: 500,
      body: { code: 'internal', detail: expect.any(String) },
    })
    const logged = log.mock.calls.map((call) => Bun.inspect(call)).join()
    expect(logged).toContain('/actions/0/index')
    expect(logged).not.toContain('SECRET')
  } finally {
    log.mockRestore()
  }
})

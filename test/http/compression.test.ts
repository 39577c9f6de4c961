import { expect, test } from 'bun:test'
import { startServer } from '../support/service/server.ts'

test('pages are compressed as the browser allows', async () => {
  const server = await startServer()
  const answers = await Promise.all(
    ['gzip, deflate, br, zstd', 'gzip, br', 'identity', ''].map((encoding) =>
      server.ask('/settings', { headers: { 'Accept-Encoding': encoding } }),
    ),
  )
  expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['zstd', 'gzip', null, null])
  const pages = await Promise.all(answers.map((answer) => answer.text()))
  expect(pages[0]).toContain('</html>')
  expect(new Set(pages).size).toBe(1)
})

import { expect, test } from 'bun:test'
import { storeUpload } from '../../../src/app/files/stored-upload.ts'
import { addBackup, listBackups } from '../../../src/app/storage/restore.ts'
import { startServer } from '../../support/service/server.ts'

const [server, other] = [await startServer(), await startServer()]
await other.post('/api/adventures', { title: 'From another computer' })
const library = await (await other.ask('/api/backup')).bytes()

test('a library from another computer becomes a backup that can be looked into', async () => {
  const body = new FormData()
  body.append('file', new File([library], 'inglenook.db'))
  const answer = await server.ask('/import', { method: 'POST', body })
  expect(answer.status).toBe(303)
  const page = await (await server.ask(answer.headers.get('location') ?? '')).text()
  expect(page).toContain('From another computer')
  expect(page).toContain('It contains 1 story')
  expect(listBackups(server.deps)).toMatchObject([{ kind: 'uploaded', bytes: library.length }])
})

test('one that is too large for memory is moved there, and nothing else is left', async () => {
  async function* pieces() {
    yield library.subarray(0, 1000)
    yield library.subarray(1000)
  }
  const upload = await storeUpload(server.deps, 'inglenook.db', pieces())
  const name = await addBackup(server.deps, upload)
  expect(await Bun.file(upload.path).exists()).toBe(false)
  expect(listBackups(server.deps).map((one) => one.name)).toContain(name)
})

test('two uploads in the same second are two backups', async () => {
  const now = new Date('2026-03-01T10:00:00.000Z')
  const deps = { ...server.deps, now: () => now }
  const names = await Promise.all(
    ['one.db', 'two.db'].map((name) => addBackup(deps, { name, bytes: library })),
  )
  expect(names.sort()).toEqual([
    'library.uploaded-20260301T100000+.db',
    'library.uploaded-20260301T100000.db',
  ])
  expect(listBackups(server.deps).map((one) => one.name)).toEqual(expect.arrayContaining(names))
})

test('a file that only begins like a library is kept, and the page says why it cannot be restored', async () => {
  const body = new FormData()
  body.append('file', new File(['SQLite format 3\0 and no more'], 'broken.db'))
  const answer = await server.ask('/import', { method: 'POST', body })
  const page = await (await server.ask(answer.headers.get('location') ?? '')).text()
  expect(page).not.toContain('It contains')
  expect(page).toMatch(/role="(alert|status)"/)
})

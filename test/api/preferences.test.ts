import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { DEFAULT_PREFERENCES } from '../../src/domain/reader-preferences.ts'
import { startServer } from '../support/service/server.ts'

const server = await startServer()
const sheetOf = async (page = '/') =>
  /id="reader-sheet" rel="stylesheet" href="([^"]+)"/.exec(await (await server.ask(page)).text())?.[1] ?? ''

test('a choice applies to the next page, and is sent once', async () => {
  const href = await sheetOf()
  const before = await server.ask(href)
  expect(before.headers.get('cache-control')).toBe('no-cache')
  const tag = before.headers.get('etag') ?? ''
  expect((await server.ask(href, { headers: { 'If-None-Match': tag } })).status).toBe(304)
  expect((await server.send('PUT', '/api/preferences', { theme: 'sepia', size: 140 })).body).toEqual({
    ...DEFAULT_PREFERENCES,
    theme: 'sepia',
    size: 140,
  })
  const after = await server.ask(await sheetOf('/settings'), { headers: { 'If-None-Match': tag } })
  expect(after.status).toBe(200)
  expect(await after.text()).toContain('--prose-size: 1.4;')
})

test('all fields are saved or none, and an invalid one is named', async () => {
  const { status, body } = await server.send('PUT', '/api/preferences', { theme: 'dark', size: 1000 })
  expect([status, body.code, body.errors[0].path]).toEqual([422, 'invalid', '/size'])
  expect((await server.get('/api/preferences')).body.theme).toBe('sepia')
})

test('the form saves its checkboxes too, without script', async () => {
  const form = new URLSearchParams({ theme: 'dark', size: '90', measure: '70', leading: '150', justify: '1' })
  const answer = await server.ask('/settings/reading', { method: 'POST', body: form })
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    '/settings?did=saved#reading-settings',
  ])
  expect((await server.get('/api/preferences')).body).toEqual({
    theme: 'dark',
    typeface: 'serif',
    size: 90,
    suggest: false,
    measure: 70,
    leading: 150,
    paragraphs: 'spaced',
    typography: false,
    justify: true,
    whole_replies: false,
    announce: false,
    shortcuts: false,
  })
})

test('the form leads back to its page, or to one that answers GET', async () => {
  for (const [from, to] of [
    ['/adventures/7?panel=reading', '/adventures/7?panel=reading&did=saved#panel'],
    ['/settings', '/settings?did=saved#reading-settings'],
    // Addresses that only take a form.
    ['/settings/test', '/settings?did=saved#reading-settings'],
    ['/settings/reading', '/settings?did=saved#reading-settings'],
    ['//example.org/settings', '/settings?did=saved#reading-settings'],
  ]) {
    const headers = { Referer: new URL(server.address).origin + from }
    const body = new URLSearchParams({ theme: 'dark' })
    const answer = await server.ask('/settings/reading', { method: 'POST', body, headers })
    expect([from, answer.headers.get('location')]).toEqual([from ?? '', to ?? ''])
  }
})

test('invalid stored values get their defaults', async () => {
  using db = new Database(server.path)
  db.run('PRAGMA busy_timeout = 5000')
  db.run(`UPDATE preferences SET value = '"red"' WHERE name = 'theme'`)
  db.run(`UPDATE preferences SET value = '{' WHERE name = 'size'`)
  db.run(`INSERT INTO preferences VALUES ('__proto__', '1'), ('other', '2')`)
  expect((await server.get('/api/preferences')).body).toMatchObject({
    theme: 'system',
    size: 100,
    measure: 70,
  })
})

import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { Window } from 'happy-dom'
import { startServer } from '../support/service/server.ts'

const server = await startServer()
const KB = 1024

/** The play page of a story with so many actions. */
async function pageOf(actions: number): Promise<string> {
  const { body } = await server.post('/api/adventures', { title: 'Long' })
  server.deps.library.write((tx) => {
    for (let index = 1; index <= actions; index++)
      tx.run(
        'INSERT INTO actions (adventure_id, "index", type, text, created_at) VALUES (?, ?, ?, ?, ?)',
        body.id,
        index,
        index % 2 ? 'do' : 'ai',
        'The *road* goes on.\n\nAnd on.',
        '2026-01-01 00:00:00.000000',
      )
    tx.run('UPDATE adventures SET action_count = ? WHERE id = ?', actions + 1, body.id)
  })
  return (await server.ask(`/adventures/${body.id}`)).text()
}

/** The files of a kind that a page asks for. */
async function filesOf(page: string, selector: string): Promise<Map<string, string>> {
  const document = new Window().document
  document.write(page)
  const named = [...document.querySelectorAll(selector)]
  const files = new Map<string, string>()
  for (const path of named.map((one) => one.getAttribute('src') ?? one.getAttribute('href') ?? '')) {
    const answer = await server.ask(path)
    expect([path, answer.status]).toEqual([path, 200])
    files.set(path, await answer.text())
  }
  return files
}

test('the page of a story is the same for 100 actions and for 2,000', async () => {
  const [short, long] = [await pageOf(100), await pageOf(2_000)]
  const unnumbered = (page: string) => page.replace(/from=[^"]+/, '').replace(/\d+/g, '0')
  expect(unnumbered(long)).toBe(unnumbered(short))
  expect(short.match(/<[a-z]/g)?.length).toBeLessThan(1_000)
})

test('only the newest two passages of a page have all their tools, and no other has an attribute of htmx', async () => {
  const document = new Window().document
  document.write(await pageOf(100))
  const passages = [...document.querySelectorAll('#story > article')]
  expect(passages).toHaveLength(50)
  expect(passages.map((one) => one.querySelectorAll('form').length)).toEqual([...Array(48).fill(0), 2, 2])
  expect(passages.slice(0, 48).filter((one) => / hx-/.test(one.outerHTML))).toEqual([])
  expect(document.documentElement.outerHTML.match(/ hx-[a-z-]+=/g)?.length).toBeLessThan(70)
})

test('the markup of a page is at most 50 KB beside its prose', async () => {
  const document = new Window().document
  const page = await pageOf(100)
  document.write(page)
  const prose = [...document.querySelectorAll('.prose')].map((one) => one.innerHTML).join('')
  expect(page.length - prose.length).toBeLessThanOrEqual(50 * KB)
})

test('all script is at most 60 KB compressed, all style 12 KB, and all of it comes from here', async () => {
  const page = await pageOf(2)
  const script = await filesOf(page, 'script[src]')
  const style = await filesOf(page, 'link[rel=stylesheet]')
  expect([...script.keys(), ...style.keys()].filter((path) => !path.startsWith('/public/'))).toEqual([])
  expect([...script.keys()]).toEqual([expect.stringMatching(/\/app\.js$/)])
  expect([...script.values()].join()).not.toMatch(/\bimport\b[^;]*['"]\.\//)
  const sizeOf = (files: Map<string, string>) =>
    [...files.values()].reduce((sum, text) => sum + gzipSync(text).length, 0)
  expect(sizeOf(script)).toBeLessThanOrEqual(60 * KB)
  expect(sizeOf(style)).toBeLessThanOrEqual(12 * KB)
})

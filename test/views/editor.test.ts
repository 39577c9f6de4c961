import { expect, test } from 'bun:test'
import { startServer } from '../support/service/server.ts'

const server = await startServer()

test('a new scenario has no title to be removed first, and its heading follows the title', async () => {
  const created = await server.ask('/scenarios', { method: 'POST', redirect: 'manual' })
  const path = (created.headers.get('location') ?? '').replace(/[/]edit.*/, '')
  const page = await (await server.ask(`${path}/edit?tab=story`)).text()
  const [title = ''] = /<input[^>]*name="title"[^>]*>/.exec(page) ?? []
  expect(title).toContain('value=""')
  expect(title).toContain('placeholder="Untitled Scenario"')
  const [, version = ''] = /name="version" value="([^"]*)"/.exec(page) ?? []
  const saved = await server.ask(path, {
    method: 'POST',
    headers: { 'HX-Request': 'true' },
    body: new URLSearchParams({ title: 'Lamp Road', version }),
  })
  expect(await saved.text()).toContain('<h1 id="edited-title" dir="auto" hx-swap-oob="true">Lamp Road</h1>')
  expect(await (await server.ask(`${path}/edit?tab=story`)).text()).toContain('value="Lamp Road"')
})

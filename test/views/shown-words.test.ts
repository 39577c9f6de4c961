import { beforeAll, expect, test } from 'bun:test'
import { playTurn } from '../support/service/events.ts'
import { startServer, type TestServer } from '../support/service/server.ts'

let server: TestServer
let story: string
beforeAll(async () => {
  server = await startServer()
  // Nothing but the player changes it.
  await server.send('PUT', '/api/settings', { second_call: 'never' })
  const { body: scenario } = await server.post('/api/scenarios', {
    title: 'Rock',
    stat_schema: { milestones: { truth_below: { desc: 'Learn what sleeps under the hill' } } },
  })
  const { body } = await server.post('/api/adventures', { scenario_id: scenario.id })
  story = `/adventures/${body.id}`
  await playTurn(server, body.id, { type: 'say', text: 'Who is there?' })
})

const html = async (query: string) => (await server.ask(story + query)).text()

test('a milestone has the same words where it is shown and where it is edited', async () => {
  for (const page of [await html(''), await html('?world=edit')]) {
    expect(page).toContain('Learn what sleeps under the hill')
    expect(page).not.toMatch(/>Truth below</i)
  }
})

test('a milestone that the player sets has these words below the passage too', async () => {
  await server.ask(`${story}/world`, {
    method: 'POST',
    body: new URLSearchParams({ 'was-on:milestones.truth_below': '', 'on:milestones.truth_below': '1' }),
  })
  expect(await html('')).toContain('✓ Learn what sleeps under the hill')
  expect(await html('')).not.toMatch(/truth below/i)
})

test('the change history opens at the changes', async () => {
  const [, href = ''] = /<a href="([^"]*)">change history</.exec(await html('?panel=history')) ?? []
  const [path = '', id] = href.split('#')
  expect(await (await server.ask(path)).text()).toContain(`<h2 id="${id}">Change history</h2>`)
})

test('a bookmarked line is listed without the mark that it is stored with', async () => {
  const { body } = await server.get(`/api${story}/actions`)
  const line = body.actions.find(({ type }: { type: string }) => type === 'say')
  expect(line.text).toStartWith('> You say')
  const form = new URLSearchParams({ action: String(line.id) })
  await server.ask(`${story}/bookmark`, { method: 'POST', body: form })
  const listed = '<p class="snippet" dir="auto" lang="en">You say &quot;Who is there?&quot;</p>'
  expect(await html('?panel=contents')).toContain(listed)
  // A passage with a bookmark says so.
  const [sign] = (await html('')).match(/<h2 [^>]*class="bookmarked".*?<\/h2>/gs) ?? []
  expect(sign).toContain('id="heading-')
  expect(sign).toContain(`You, passage ${line.index}, bookmarked`)
})

test('what has Markdown is listed in words', async () => {
  const { body } = await server.post(`/api${story}/copy`)
  const path = `/adventures/${body.id}`
  const { actions } = (await server.get(`/api${path}`)).body
  const text = '# The *pier*\n\n- a lamp\n- a **boat**\n\n---\n> Come in.'
  await server.send('PATCH', `/api${path}/actions/${actions[0].id}`, { text })
  await server.send('PUT', `/api${path}/bookmarks/${actions[0].id}`, { name: 'Here' })
  const contents = await (await server.ask(`${path}?panel=contents`)).text()
  const [, snippet] = /<p class="snippet"[^>]*>(.*?)<\/p>/.exec(contents) ?? []
  expect(snippet).toBe('The pier a lamp a boat Come in.')
})

test('a blank story is called a story', async () => {
  await server.ask('/adventures', { method: 'POST', body: new URLSearchParams() })
  const { body } = await server.get('/api/adventures')
  expect(body[0].title).toBe('Untitled story')
})

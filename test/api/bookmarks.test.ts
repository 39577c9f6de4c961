import { afterAll, describe, expect, test } from 'bun:test'
import { say, sayAndRecord, startEndpoint } from '../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../support/service/events.ts'
import { startServer } from '../support/service/server.ts'
import { LANTERN_ROCK } from '../support/stories/worlds.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
let now = new Date('2026-03-01T10:00:00Z')
const server = await startServer({ now: () => now })
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'teller' })

async function begin(schema: unknown = null): Promise<string> {
  const scenario = await server.post('/api/scenarios', {
    title: 'Rock',
    prompt: 'The lamp is lit.',
    stat_schema: schema,
  })
  return (await server.post('/api/adventures', { scenario_id: scenario.body.id })).body.id
}
const _F = '```'
const page = async (path: string) => (await (await server.ask(path)).text()).replace(/<\/?time\b[^>]*>/g, '')

describe('a bookmark', () => {
  test('is listed with its passage, can be renamed, and is removed with its passage', async () => {
    const id = await begin()
    await playTurn(server, Number(id), { type: 'do', text: 'wait' })
    const { actions } = (await server.get(`/api/adventures/${id}`)).body
    const at = `/api/adventures/${id}/bookmarks`
    expect((await server.send('PUT', `${at}/${actions[2].id}`, { name: 'Here' })).status).toBe(204)
    expect((await server.send('PUT', `${at}/${actions[0].id}`, {})).status).toBe(204)
    expect((await server.send('PUT', `${at}/${actions[2].id}`, { name: 'There' })).status).toBe(204)
    expect((await server.get(at)).body).toEqual([
      { action_id: actions[0].id, index: 0, name: '', text: 'The lamp is lit.' },
      { action_id: actions[2].id, index: 2, name: 'There', text: 'The fire crackles. You wait.' },
    ])
    const { body: copy } = await server.post(`/api/adventures/${id}/copy`, {})
    expect(
      (await server.get(`/api/adventures/${copy.id}/bookmarks`)).body.map(
        ({ name }: { name: string }) => name,
      ),
    ).toEqual(['', 'There'])
    await server.post(`/api/adventures/${id}/undo`)
    now = new Date(now.getTime() + 1000)
    // Undone actions free their ids.
    await playTurn(server, Number(id), { type: 'do', text: 'go on' })
    expect((await server.get(at)).body.map(({ index }: { index: number }) => index)).toEqual([0])
    expect((await server.send('DELETE', `${at}/${actions[0].id}`)).status).toBe(204)
    expect((await server.get(at)).body).toEqual([])
  })

  test('is exported with its story, and imported with it', async () => {
    const id = await begin()
    await playTurn(server, Number(id), { type: 'do', text: 'wait' })
    const { actions } = (await server.get(`/api/adventures/${id}`)).body
    const bookmarksOf = async (story: string) =>
      (await server.get(`/api/adventures/${story}/bookmarks`)).body.map(
        ({ action_id: _, ...bookmark }: { action_id: number }) => bookmark,
      )
    await server.send('PUT', `/api/adventures/${id}/bookmarks/${actions[0].id}`, {})
    await server.send('PUT', `/api/adventures/${id}/bookmarks/${actions[2].id}`, { name: 'Here “it” is' })
    const { body: file } = await server.get(`/api/adventures/${id}/export?format=json`)
    expect(file.actions.map(({ mark }: { mark?: string }) => mark)).toEqual(['', undefined, 'Here “it” is'])
    const { body: imported } = await server.post('/api/import?apply=1', file)
    expect(await bookmarksOf(imported.adventure_ids[0])).toEqual(await bookmarksOf(id))
    const again = await server.get(`/api/adventures/${imported.adventure_ids[0]}/export?format=json`)
    expect(again.body.actions).toEqual(file.actions)
  })

  test('of an unknown passage is refused', async () => {
    const id = await begin()
    expect((await server.send('PUT', `/api/adventures/${id}/bookmarks/999999`, {})).status).toBe(404)
    expect((await server.get('/api/adventures/999999/bookmarks')).status).toBe(404)
  })
})

test('the contents panel shows the length of the story', async () => {
  const id = await begin()
  expect(await page(`/adventures/${id}?panel=contents`)).toContain('4 words in 1 passage: 1 minute to read.')
})

describe('previously', () => {
  test('is shown after a day, from the summary or else from the latest narrations', async () => {
    const id = await begin()
    endpoint.next(say('The keeper climbs. The sea goes on.'), say('Gulls fall silent! Nobody knows why.'))
    for (const text of ['wait', 'listen']) await playTurn(server, Number(id), { type: 'do', text })
    expect(await page(`/adventures/${id}`)).not.toContain('Previously')
    now = new Date(now.getTime() + 25 * 3_600_000)
    expect(await page(`/adventures/${id}`)).toContain(
      '<summary>Previously (last played 1 day ago)</summary><p dir="auto" lang="en">The keeper climbs.</p>',
    )
    await server.send('PATCH', `/api/adventures/${id}`, { story_summary: 'All is well.' })
    expect(await page(`/adventures/${id}`)).toContain('<p dir="auto" lang="en">All is well.</p>')
  })
})

describe('attempts', () => {
  test('are compared word by word and value by value', async () => {
    const id = await begin(LANTERN_ROCK)
    const told = (words: string, warmth: number) => sayAndRecord(`${words}`, { 'player.warmth': warmth })
    endpoint.next(told('The gale takes the rail.', -1), told('The gale takes the lamp.', -3))
    await playTurn(server, Number(id), { type: 'do', text: 'wait' })
    await retryTurn(server, Number(id))
    const newest = (await server.get(`/api/adventures/${id}`)).body.actions.at(-1)
    const html = await page(`/adventures/${id}?panel=attempts&action=${newest.id}`)
    expect(html).toContain('<del><span class="unseen">Removed: </span>rail</del>')
    expect(html).toContain('<ins><span class="unseen">Added: </span>lamp</ins>')
    expect(html).toContain('<th scope="row">warmth</th><td>31</td><td>29</td>')
    expect(html).toContain('Use this one')
    expect(html).toContain('5 words, just now')
    const other = await page(`/adventures/${id}?panel=attempts&action=${newest.id}&one=1&other=0`)
    expect(other).toContain('<td>29</td><td>31</td>')
    expect(await page(`/adventures/${id}?panel=attempts&action=${newest.id}&one=7&other=x`)).toContain(
      'Version 2',
    )
  })
})

import { describe, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { playTurn } from '../support/service/events.ts'
import { startServer } from '../support/service/server.ts'

/** Queries, and the rows that they read. */
let cost = 0
const server = await startServer({ watch: (_, rows) => (cost += 1 + rows.length) })
const HTML = { Accept: 'text/html,application/xhtml+xml' }

async function pageOf(path: string) {
  const { document } = new Window()
  document.body.innerHTML = await (await server.ask(path, { headers: HTML })).text()
  return document
}
const send = (path: string, fields: Record<string, string>) =>
  server.ask(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

/** A story of one opening, and the id of that. */
async function begin(title = 'The Lamp Road') {
  const { id } = (await server.post('/api/adventures', { title })).body
  const [opening] = (await server.get(`/api/adventures/${id}`)).body.actions
  await server.send('PATCH', `/api/adventures/${id}/actions/${opening.id}`, {
    text: 'Dusk falls on the road.',
  })
  return { id: id as number, opening: opening.id as number }
}

describe('a branch', () => {
  test('is made below any passage, and opens at its end', async () => {
    const { id, opening } = await begin()
    const page = await pageOf(`/adventures/${id}`)
    const form = page.querySelector(`#story form[action="/adventures/${id}/branches"]`)
    expect(form?.querySelector('input')?.getAttribute('value')).toBe(String(opening))
    const answer = await send(`/adventures/${id}/branches`, { action: String(opening) })
    const location = answer.headers.get('location') ?? ''
    expect([answer.status, location]).toEqual([
      303,
      expect.stringMatching(/^\/adventures\/\d+\?did=branched#end$/),
    ])
    expect((await pageOf(location)).title || (await pageOf(location)).body.textContent).toContain(
      'The Lamp Road: Dusk falls on the road',
    )
    expect((await send(`/adventures/${id}/branches`, { action: '999999' })).status).toBe(404)
  })

  test('is on the map and in the list of all its family, and can be named and made the main one', async () => {
    const { id, opening } = await begin()
    expect((await pageOf(`/adventures/${id}/branches`)).body.textContent).toContain('has no branches yet')
    const made = await server.post(`/api/adventures/${id}/family`, { action_id: opening })
    const path = `/adventures/${made.body.id}/branches`
    expect((await send(path, { name: ' By the river ' })).headers.get('location')).toBe(`${path}?did=saved`)
    await send(path, { name: 'By the river', color: '6' })
    await send(path, { main: '1' })
    const page = await pageOf(`/adventures/${id}/branches`)
    const links = [...page.querySelectorAll('.branches a.way')].map((link) => [
      link.textContent,
      link.getAttribute('href'),
    ])
    expect(links).toEqual([
      ['Original', `/adventures/${id}#end`],
      ['By the river', `/adventures/${made.body.id}#end`],
    ])
    expect(page.querySelectorAll('svg .lane')).toHaveLength(2)
    expect(page.querySelectorAll('.lane-names .main-branch')[0]?.textContent).toBe('By the river')
    expect(page.querySelectorAll('svg .lane.color-6')).toHaveLength(1)
    expect(page.querySelectorAll('.branch select')[1]?.querySelector('[selected]')?.textContent).toBe('Teal')
    for (const color of ['8', '-1', 'red', '1.5'])
      expect((await send(path, { name: 'By the river', color })).status).toBe(422)
    expect((await send(path, { name: 'x'.repeat(5_000) })).status).toBe(422)
  })

  test('adds nothing to what the page of a story reads, and sixty no more', async () => {
    const { id, opening } = await begin()
    const path = `/adventures/${id}`
    const costOf = async () => {
      cost = 0
      expect((await server.ask(path, { headers: HTML })).status).toBe(200)
      return cost
    }
    // The first one also reads what is kept for the next.
    await costOf()
    const alone = await costOf()
    const made = (await server.post(`/api${path}/family`, { action_id: opening })).body.id
    server.deps.library.write((tx) => {
      for (let count = 1; count < 60; count++) tx.copy('adventures', {}, 'id = ?', made)
    })
    expect((await server.get(`/api${path}/family`)).body).toHaveLength(61)
    expect(alone).toBeGreaterThan(5)
    expect(await costOf()).toBe(alone)
    expect((await pageOf(path)).querySelector(`a[href="${path}/branches"]`)).not.toBeNull()
  })

  test('says where it leaves, and what it has of its own; its cover is that of its story, with a sign', async () => {
    const { id, opening } = await begin()
    const made = await server.post(`/api/adventures/${id}/family`, { action_id: opening, name: 'North' })
    const facts = async () =>
      [...(await pageOf(`/adventures/${id}/branches`)).querySelectorAll('.branch > .about')].map((about) =>
        about.textContent.replace(/ · (?:just now|\d.*ago)$/, ''),
      )
    expect(await facts()).toEqual([
      'main branch · you are here · 1 passage',
      'from the opening · no passages of its own yet',
    ])
    await playTurn(server, made.body.id, { type: 'do', text: 'wait' })
    expect((await facts())[1]).toBe('from the opening · 2 passages of its own')
    const reply = (await server.get(`/api/adventures/${made.body.id}`)).body.actions.at(-1).id
    const newest = await server.post(`/api/adventures/${made.body.id}/family`, {
      action_id: reply,
      name: 'North-east',
    })
    expect((await facts())[2]).toBe('from passage 2 · no passages of its own yet')
    const page = await pageOf('/adventures')
    const covers = [...page.querySelectorAll(`#story-${newest.body.id} .cover`)]
    expect(covers.map((cover) => cover.querySelector('.cover-title')?.getAttribute('data-title'))).toEqual([
      'The Lamp Road',
    ])
    expect(covers.map((cover) => cover.querySelectorAll('.icon').length)).toEqual([1])
    const alone = await begin()
    const own = (await pageOf('/adventures')).querySelector(`#story-${alone.id} .cover`)
    expect(own?.querySelector('.icon') ?? null).toBeNull()
    expect(own?.querySelector('path')?.outerHTML).toBe(covers[0]?.querySelector('path')?.outerHTML ?? '')
  })

  test('is compared with another from where they part', async () => {
    const { id, opening } = await begin()
    const made = (await server.post(`/api/adventures/${id}/family`, { action_id: opening, name: 'North' }))
      .body.id
    const page = await pageOf(`/adventures/${made}/branches?with=${id}`)
    const sides = [...page.querySelectorAll('.side-by-side h3')].map(({ textContent }) => textContent)
    expect(sides).toEqual(['North', 'Original'])
    expect(page.querySelector('#compared')?.textContent).toContain('the same up to the opening.')
    const stranger = await begin('Another')
    expect(
      (await pageOf(`/adventures/${made}/branches?with=${stranger.id}`)).querySelector('h1')?.textContent,
    ).toBe('Page not found')
  })
})

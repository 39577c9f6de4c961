import { describe, expect, test } from 'bun:test'
import { seenMark, unlessChanged } from '../../src/domain/changed-elsewhere.ts'
import { StoryError } from '../../src/domain/errors.ts'
import { startServer } from '../support/server.ts'

const server = await startServer()
const post = (path: string, fields: Record<string, string>, fragment = false) =>
  server.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: fragment ? { 'HX-Request': 'true' } : {},
  })
const make = async (path: string, fields: object) => (await server.post(path, fields)).body.id
const read = async (path: string) => (await server.get(path)).body

describe('a field that may have been changed elsewhere', () => {
  // Seen, stored, sent.
  const cases: [what: string, seen: string | undefined, stored: string, sent: string, becomes: string][] = [
    ['is written when nobody touched it', 'a', 'a', 'b', 'written'],
    ['is left alone when it was not touched here', 'a', 'b', 'a', 'left'],
    ['is left alone when both say the same', 'a', 'b', 'b', 'left'],
    ['is kept twice when both touched it', 'a', 'b', 'c', 'clash'],
    ['is written when nobody says what was seen', undefined, 'b', 'c', 'written'],
    ['does not change by its line ends', 'a\nb', 'a\r\nb', 'c', 'written'],
    ['is not touched by line ends', 'a\nb', 'a\nb', 'a\r\nb', 'left'],
  ]
  for (const [what, seen, stored, sent, becomes] of cases)
    test(what, () => {
      const judge = () => {
        try {
          const marks = seen === undefined ? {} : { memory: seenMark(seen) }
          return 'memory' in unlessChanged({ memory: stored }, { memory: sent }, marks) ? 'written' : 'left'
        } catch (error) {
          expect((error as StoryError).more.clashes).toEqual([{ field: 'memory', stored, sent }])
          return error instanceof StoryError && error.code === 'changed_elsewhere' ? 'clash' : 'failed'
        }
      }
      expect(judge()).toBe(becomes)
    })
})

describe('two programs', () => {
  const nouns: [noun: string, path: string, begin: () => Promise<object>][] = [
    ['scenario', '/api/scenarios', async () => ({ title: 'Lamp', memory: 'Old.', authors_note: 'Calm.' })],
    ['adventure', '/api/adventures', async () => ({ title: 'Lamp' })],
  ]
  for (const [noun, path, begin] of nouns)
    test(`of one ${noun} never overwrite each other`, async () => {
      const one = `${path}/${await make(path, await begin())}`
      const was = await read(one)
      expect((await server.send('PATCH', one, { memory: 'Mine.', was })).status).toBe(200)
      expect(await server.send('PATCH', one, { memory: 'Theirs.', title: 'New', was })).toMatchObject({
        status: 409,
        body: {
          code: 'changed_elsewhere',
          clashes: [{ field: 'memory', stored: 'Mine.', sent: 'Theirs.' }],
        },
      })
      // All or nothing; and other fields do not disturb each other.
      expect(await read(one)).toMatchObject({ memory: 'Mine.', title: 'Lamp' })
      expect((await server.send('PATCH', one, { authors_note: 'Slow.', was })).body).toMatchObject({
        memory: 'Mine.',
        authors_note: 'Slow.',
      })
    })

  test('of one card', async () => {
    const scenario_id = await make('/api/scenarios', {})
    const card = `/api/story-cards/${await make('/api/story-cards', { scenario_id, name: 'Lamp' })}`
    expect((await server.send('PATCH', card, { name: 'A', was: { name: 'Lamp' } })).status).toBe(200)
    expect((await server.send('PATCH', card, { name: 'B', was: { name: 'Lamp' } })).status).toBe(409)
  })

  test('who change nothing do not move the time of a scenario', async () => {
    const path = `/api/scenarios/${await make('/api/scenarios', { title: 'Lamp' })}`
    const { updated_at, title } = await read(path)
    expect((await server.send('PATCH', path, { title })).body.updated_at).toBe(updated_at)
  })
})

describe('two tabs on a plot', () => {
  const begin = async () => {
    const id = await make('/api/adventures', { title: 'Lamp' })
    await server.send('PATCH', `/api/adventures/${id}`, { memory: 'Old.' })
    return id
  }

  test('keep both texts on the page', async () => {
    const id = await begin()
    const shown = { title: 'Lamp', 'was-title': 'Lamp', 'was-memory': 'Old.' }
    expect((await post(`/adventures/${id}`, { ...shown, memory: 'Mine.' })).status).toBe(303)
    const answer = await post(`/adventures/${id}`, { ...shown, memory: 'Theirs.' })
    expect(answer.status).toBe(409)
    const page = await answer.text()
    expect(page).toContain('“Mine.”')
    expect(page).toMatch(/<textarea[^>]*name="memory"[^>]*>\nTheirs\./)
    expect((await read(`/api/adventures/${id}`)).memory).toBe('Mine.')
    // Whoever has seen both may choose.
    const chosen = { ...shown, memory: 'Theirs.', 'mine-memory': 'Mine.' }
    expect((await post(`/adventures/${id}`, chosen)).status).toBe(303)
    expect((await read(`/api/adventures/${id}`)).memory).toBe('Theirs.')
  })

  test('say so in a pause of the typing, and go on from what is stored', async () => {
    const id = await begin()
    const saved = await post(`/adventures/${id}`, { memory: 'Mine.', 'was-memory': 'Old.' }, true)
    const html = await saved.text()
    expect(html).toContain('Saved.')
    expect(html).toMatch(/name="was-memory" value="Mine\."[^>]*hx-swap-oob/)
    const late = await post(`/adventures/${id}`, { memory: 'Theirs.', 'was-memory': 'Old.' }, true)
    expect(late.status).toBe(409)
    expect(await late.text()).toContain('Mine.')
  })
})

import { describe, expect, test } from 'bun:test'
import { seenMark, unlessChanged } from '../../../src/domain/changed-elsewhere.ts'
import { StoryError } from '../../../src/domain/errors.ts'
import { png } from '../../support/files/pictures.ts'
import { startServer } from '../../support/service/server.ts'

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

test('a pause in one field of a plot does not pass over what another tab did to the next', async () => {
  const id = await make('/api/adventures', { title: 'Lamp' })
  const path = `/adventures/${id}`
  const shown = { memory: 'Mine.', 'was-memory': '', authors_note: '', 'was-authors_note': '' }
  await server.send('PATCH', `/api${path}`, { authors_note: 'Theirs.' })
  const html = await (await post(path, shown, true)).text()
  expect(html).toContain('name="was-memory"')
  expect(html).not.toContain('name="was-authors_note"')
  expect((await read(`/api${path}`)).authors_note).toBe('Theirs.')
})

describe('two tabs on a scenario', () => {
  const begin = async () => {
    const id = await make('/api/scenarios', { title: 'Lamp', memory: 'Old.', authors_note: 'Calm.' })
    return { path: `/scenarios/${id}`, stored: () => read(`/api/scenarios/${id}`) }
  }
  /** The fields of a page as a browser would send them. */
  const shownAt = async (path: string) => {
    const html = await (await server.ask(path)).text()
    const marks = [...html.matchAll(/name="(seen-[a-z_]+)" value="([^"]*)"/g)]
    return Object.fromEntries(marks.map(([, name = '', mark = '']) => [name, mark]))
  }
  const markIn = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]

  test('keep both texts, and whoever has seen both may choose', async () => {
    const { path, stored } = await begin()
    const shown = await shownAt(path)
    const typed = { ...shown, title: 'Lamp', memory: 'Mine.', authors_note: 'Calm.' }
    expect((await post(path, typed)).status).toBe(303)
    const answer = await post(path, { ...typed, memory: 'Theirs <b>', authors_note: 'Slow.' })
    expect(answer.status).toBe(409)
    const page = await answer.text()
    expect(page).toMatch(/<textarea[^>]*name="memory"[^>]*>\nTheirs &lt;b/)
    expect(page).toMatch(/<textarea[^>]*readonly[^>]*>\nMine\./)
    expect(page).toMatch(/<textarea[^>]*name="authors_note"[^>]*>\nSlow\./)
    expect(await stored()).toMatchObject({ memory: 'Mine.', authors_note: 'Calm.' })
    const again = { ...typed, memory: 'Theirs.', authors_note: 'Slow.' }
    expect((await post(path, again)).status).toBe(409)
    expect((await post(path, { ...again, theirs: 'memory' })).status).toBe(303)
    expect(await stored()).toMatchObject({ memory: 'Mine.', authors_note: 'Slow.' })
    const mine = markIn(page, 'mine-memory') ?? ''
    expect(
      (await post(path, { ...again, 'seen-authors_note': seenMark('Slow.'), 'mine-memory': mine })).status,
    ).toBe(303)
    expect((await stored()).memory).toBe('Theirs.')
  })

  test('are told field by field, in a pause of the typing', async () => {
    const { path, stored } = await begin()
    const shown = await shownAt(path)
    const pause = (only: string, text: string, more = {}) =>
      post(path, { ...shown, only, memory: 'Old.', authors_note: 'Calm.', [only]: text, ...more }, true)
    const saved = await (await pause('memory', 'Mine.')).text()
    expect(saved).toContain('Saved.')
    expect(markIn(saved, 'seen-memory')).toBe(seenMark('Mine.'))
    expect(saved).toContain('about 2 tokens')
    // The other tab still shows what was there before; its other field is free.
    expect((await pause('authors_note', 'Slow.')).status).toBe(200)
    const late = await pause('memory', 'Theirs.')
    const html = await late.text()
    expect([late.status, html.includes('Mine.'), (await stored()).memory]).toEqual([409, true, 'Mine.'])
    expect(markIn(html, 'seen-memory')).toBe(shown['seen-memory'] ?? '')
    const whole = await (await pause('memory', 'Theirs.', { theirs: 'memory' })).text()
    expect(whole).toMatch(/<textarea[^>]*name="memory"[^>]*>\nMine\./)
    expect((await pause('memory', 'Theirs.', { 'mine-memory': markIn(html, 'mine-memory') })).status).toBe(
      200,
    )
    expect(await stored()).toMatchObject({ memory: 'Theirs.', authors_note: 'Slow.' })
  })

  test('who put a field back as it was shown still do not pass over the other', async () => {
    const { path, stored } = await begin()
    const shown = await shownAt(path)
    const pause = (memory: string, mark?: string) =>
      post(path, { only: 'memory', memory, 'seen-memory': mark ?? shown['seen-memory'] ?? '' }, true)
    await pause('Mine.')
    const mark = markIn(await (await pause('Old.')).text(), 'seen-memory')
    expect((await pause('Old one.', mark)).status).toBe(409)
    expect((await stored()).memory).toBe('Mine.')
  })

  test('what is too long says so beside its field', async () => {
    const { path } = await begin()
    const answer = await post(path, { only: 'title', title: 'x'.repeat(201) }, true)
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Not saved.')])
  })

  test('a picture that was replaced elsewhere stays', async () => {
    const { path, stored } = await begin()
    const send = (mark: string, width: number) => {
      const form = new FormData()
      form.set('seen-image', mark)
      form.set('picture', new File([new Uint8Array(png({ width }))], 'a.gif', { type: 'text/html' }))
      return server.ask(`${path}/cover`, { method: 'POST', body: form })
    }
    const mark = (await shownAt(path))['seen-image'] ?? ''
    expect((await send(mark, 8)).status).toBe(303)
    const { image } = await stored()
    expect(image).toStartWith('data:image/webp')
    expect((await send(mark, 9)).status).toBe(409)
    expect((await stored()).image).toBe(image)
  })

  test('of one card keep both texts', async () => {
    const { path, stored } = await begin()
    const scenario_id = (await stored()).id
    const id = await make('/api/story-cards', { scenario_id, name: 'Lamp', entry: 'Old.' })
    const typed = { 'seen-entry': seenMark('Old.'), entry: 'Mine.' }
    expect((await post(`/story-cards/${id}`, typed)).status).toBe(303)
    const late = await post(`/story-cards/${id}`, { ...typed, entry: 'Theirs.' })
    const page = await late.text()
    expect(late.status).toBe(409)
    expect(page).toMatch(/<textarea[^>]*name="entry"[^>]*>\nTheirs\./)
    expect(page).toMatch(/<textarea[^>]*readonly[^>]*>\nMine\./)
    expect((await post(`/story-cards/${id}`, { ...typed, only: 'entry', entry: 'x' }, true)).status).toBe(409)
    expect((await (await server.ask(path)).text()).match(/Mine\./g)).toHaveLength(1)
  })
})

describe('two tabs on what is counted', () => {
  const begin = async () => {
    const id = await make('/api/scenarios', { stat_schema: { player: { hp: { initial: 3 } } } })
    const path = `/scenarios/${id}/stats`
    const html = await (await server.ask(`/scenarios/${id}`)).text()
    const seen = /form="schema-form" name="seen" value="([^"]*)"/.exec(html)?.[1] ?? ''
    const json = (initial: number) => JSON.stringify({ player: { hp: { initial } } })
    const stored = async () => (await read(`/api/scenarios/${id}`)).stat_schema.player.hp.initial
    return { id, path, seen, json, stored }
  }

  test('keep both, and whoever has seen both may choose', async () => {
    const { path, seen, json, stored } = await begin()
    expect((await post(path, { do: 'json', json: json(4), seen })).status).toBe(303)
    const late = await post(path, { do: 'json', json: json(5), seen })
    const page = await late.text()
    expect([late.status, await stored()]).toEqual([409, 4])
    expect(page).toContain('changed in another place')
    expect(page).toContain('{&quot;player&quot;:{&quot;hp&quot;:{&quot;initial&quot;:5}}}')
    const keep = /value="(json:[^"]*)"/.exec(page)?.[1] ?? ''
    expect((await post(path, { do: keep, json: json(5), seen })).status).toBe(303)
    expect(await stored()).toBe(5)
  })

  test('are told in a pause of the typing, and what nobody touched is left alone', async () => {
    const { path, seen, json, stored } = await begin()
    const form = { base: json(3), 'name:player.hp': 'hp', 'initial:player.hp': '3', seen }
    await post(path, { do: 'json', json: json(4), seen })
    expect((await post(path, form, true)).status).toBe(200)
    expect(await stored()).toBe(4)
    const late = await post(path, { ...form, 'initial:player.hp': '7' }, true)
    expect([late.status, late.headers.get('hx-retarget'), await stored()]).toEqual([409, '#schema-state', 4])
    const keep = /value="(save:[^"]*)"/.exec(await late.text())?.[1] ?? ''
    expect((await post(path, { ...form, 'initial:player.hp': '7', do: keep }, true)).status).toBe(200)
    expect(await stored()).toBe(7)
  })
})

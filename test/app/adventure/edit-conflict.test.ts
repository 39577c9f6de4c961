import { describe, expect, test } from 'bun:test'
import { checkedForConflicts, versionOf } from '../../../src/domain/edit-conflict.ts'
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
          const marks = seen === undefined ? {} : { memory: versionOf(seen) }
          return 'memory' in checkedForConflicts({ memory: stored }, { memory: sent }, marks)
            ? 'written'
            : 'left'
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
      // All or nothing. Changes to different fields do not conflict.
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

  test('that change nothing leave the time of a scenario alone', async () => {
    const path = `/api/scenarios/${await make('/api/scenarios', { title: 'Lamp' })}`
    const { updated_at, title } = await read(path)
    expect((await server.send('PATCH', path, { title })).body.updated_at).toBe(updated_at)
  })
})

/** The versions that a page shows its fields with, as a browser would send them. */
const shownAt = async (path: string) => {
  const html = await (await server.ask(path)).text()
  const versions = [...html.matchAll(/name="(seen-[a-z_]+)" value="([^"]*)"/g)]
  return Object.fromEntries(versions.map(([, name = '', version = '']) => [name, version]))
}
const versionIn = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]

const TEXTS = { title: 'Lamp', memory: 'Old.', authors_note: 'Calm.' }
const beginScenario = async () => {
  const id = await make('/api/scenarios', TEXTS)
  const path = `/scenarios/${id}`
  return { path, page: `${path}/edit?tab=story`, stored: () => read(`/api${path}`) }
}
const beginStory = async () => {
  const id = await make('/api/adventures', { title: 'Lamp' })
  const path = `/adventures/${id}`
  await server.send('PATCH', `/api${path}`, TEXTS)
  return { path, page: `${path}?panel=plot`, stored: () => read(`/api${path}`) }
}

describe.each([
  ['a scenario', beginScenario],
  ['the plot of a story', beginStory],
])('two tabs on %s', (_, begin) => {
  test('keep both texts, and whoever has seen both may choose', async () => {
    const { path, page: form, stored } = await begin()
    const shown = await shownAt(form)
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
    const mine = versionIn(page, 'mine-memory') ?? ''
    expect(
      (await post(path, { ...again, 'seen-authors_note': versionOf('Slow.'), 'mine-memory': mine })).status,
    ).toBe(303)
    expect((await stored()).memory).toBe('Theirs.')
  })

  test('are shown field by field, when typing pauses', async () => {
    const { path, page: form, stored } = await begin()
    const shown = await shownAt(form)
    const pause = (only: string, text: string, more = {}) =>
      post(path, { ...shown, only, memory: 'Old.', authors_note: 'Calm.', [only]: text, ...more }, true)
    const saved = await (await pause('memory', 'Mine.')).text()
    expect(saved).not.toContain('data-refused')
    expect(versionIn(saved, 'seen-memory')).toBe(versionOf('Mine.'))
    expect(saved).toContain('about 2 tokens')
    // The other tab still shows the old text; its other field has no conflict.
    expect((await pause('authors_note', 'Slow.')).status).toBe(200)
    const late = await pause('memory', 'Theirs.')
    const html = await late.text()
    expect([late.status, html.includes('Mine.'), (await stored()).memory]).toEqual([409, true, 'Mine.'])
    expect(html).toContain('data-refused')
    expect(versionIn(html, 'seen-memory')).toBe(shown['seen-memory'] ?? '')
    const whole = await (await pause('memory', 'Theirs.', { theirs: 'memory' })).text()
    expect(whole).toMatch(/<textarea[^>]*name="memory"[^>]*>\nMine\./)
    expect((await pause('memory', 'Theirs.', { 'mine-memory': versionIn(html, 'mine-memory') })).status).toBe(
      200,
    )
    expect(await stored()).toMatchObject({ memory: 'Theirs.', authors_note: 'Slow.' })
  })

  test('who put a field back as it was shown still do not pass over the other', async () => {
    const { path, page: form, stored } = await begin()
    const shown = await shownAt(form)
    const pause = (memory: string, mark?: string) =>
      post(path, { only: 'memory', memory, 'seen-memory': mark ?? shown['seen-memory'] ?? '' }, true)
    await pause('Mine.')
    const mark = versionIn(await (await pause('Old.')).text(), 'seen-memory')
    expect((await pause('Old one.', mark)).status).toBe(409)
    expect((await stored()).memory).toBe('Mine.')
  })

  test('text that is too long is reported next to its field', async () => {
    const { path } = await begin()
    const answer = await post(path, { only: 'title', title: 'x'.repeat(201) }, true)
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Not saved.')])
  })
})

describe('two tabs on a scenario', () => {
  const begin = beginScenario

  test('a picture that was replaced elsewhere is kept', async () => {
    const { path, stored } = await begin()
    const send = (mark: string, width: number) => {
      const form = new FormData()
      form.set('seen-image', mark)
      form.set('picture', new File([new Uint8Array(png({ width }))], 'a.gif', { type: 'text/html' }))
      return server.ask(`${path}/cover`, { method: 'POST', body: form })
    }
    const mark = (await shownAt(`${path}/edit?tab=cover`))['seen-image'] ?? ''
    expect((await send(mark, 8)).status).toBe(303)
    const { image } = await stored()
    expect(image).toStartWith('data:image/webp')
    expect((await send(mark, 9)).status).toBe(409)
    expect((await stored()).image).toBe(image)
  })
})

test.each([
  ['a scenario', 'scenario_id', beginScenario],
  ['a story', 'adventure_id', beginStory],
] as const)('two tabs on one card of %s keep both texts', async (_, owner, begin) => {
  const { page, stored } = await begin()
  const form = page.replace('tab=story', 'tab=cards')
  const id = await make('/api/story-cards', { [owner]: (await stored()).id, name: 'Lamp', entry: 'Old.' })
  const typed = { 'seen-entry': versionOf('Old.'), entry: 'Mine.' }
  expect((await post(`/story-cards/${id}`, typed)).status).toBe(303)
  const late = await post(`/story-cards/${id}`, { ...typed, entry: 'Theirs.' })
  const refused = await late.text()
  expect(late.status).toBe(409)
  expect(refused).toMatch(/<textarea[^>]*name="entry"[^>]*>\nTheirs\./)
  expect(refused).toMatch(/<textarea[^>]*readonly[^>]*>\nMine\./)
  expect((await post(`/story-cards/${id}`, { ...typed, only: 'entry', entry: 'x' }, true)).status).toBe(409)
  expect((await (await server.ask(form)).text()).match(/Mine\./g)).toHaveLength(1)
})

describe('two tabs on the stats', () => {
  const begin = async () => {
    const id = await make('/api/scenarios', { stat_schema: { player: { hp: { initial: 3 } } } })
    const path = `/scenarios/${id}/stats`
    const html = await (await server.ask(`/scenarios/${id}/edit?tab=stats`)).text()
    const seen = /form="schema-form" name="seen" value="([^"]*)"/.exec(html)?.[1] ?? ''
    const json = (initial: number) => JSON.stringify({ player: { hp: { initial } } })
    const stored = async () => (await read(`/api/scenarios/${id}`)).stat_schema.player.hp.initial
    return { id, path, seen, json, stored }
  }

  test('keep both versions, and after seeing both the player may choose', async () => {
    const { path, seen, json, stored } = await begin()
    expect((await post(path, { do: 'json', json: json(4), seen })).status).toBe(303)
    const late = await post(path, { do: 'json', json: json(5), seen })
    const page = await late.text()
    expect([late.status, await stored()]).toEqual([409, 4])
    expect(page).toContain('changed elsewhere')
    expect(page).toContain('{&quot;player&quot;:{&quot;hp&quot;:{&quot;initial&quot;:5}}}')
    const keep = /value="(json:[^"]*)"/.exec(page)?.[1] ?? ''
    expect((await post(path, { do: keep, json: json(5), seen })).status).toBe(303)
    expect(await stored()).toBe(5)
  })

  test('are shown on autosave, and untouched fields do not change', async () => {
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

import { describe, expect, test } from 'bun:test'
import { fieldsUnchanged, formUnchanged, versionOf } from '../../../src/domain/edit-conflict.ts'
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

describe('a field that a program sends', () => {
  // Read, stored, sent.
  const cases: [what: string, was: string | undefined, stored: string, sent: string, becomes: string][] = [
    ['is written when nobody touched it', 'a', 'a', 'b', 'written'],
    ['is left alone when it was not touched here', 'a', 'b', 'a', 'left'],
    ['is left alone when both say the same', 'a', 'b', 'b', 'left'],
    ['is kept twice when both touched it', 'a', 'b', 'c', 'clash'],
    ['is written when nobody says what was read', undefined, 'b', 'c', 'written'],
    ['does not change by its line ends', 'a\nb', 'a\r\nb', 'c', 'written'],
    ['is not touched by line ends', 'a\nb', 'a\nb', 'a\r\nb', 'left'],
  ]
  for (const [what, was, stored, sent, becomes] of cases)
    test(what, () => {
      const judge = () => {
        try {
          const check = fieldsUnchanged(was === undefined ? {} : { memory: was })
          return 'memory' in check({ memory: stored }, { memory: sent }) ? 'written' : 'left'
        } catch (error) {
          expect((error as StoryError).more.clashes).toEqual([{ field: 'memory', stored, sent }])
          return error instanceof StoryError && error.code === 'changed_elsewhere' ? 'clash' : 'failed'
        }
      }
      expect(judge()).toBe(becomes)
    })
})

describe('a form that may have been changed elsewhere', () => {
  const stored = { title: 'Lamp', memory: 'Theirs.', image: 'a' }
  const check = (seen: object) => formUnchanged(['title', 'memory'], versionOf(seen, ['title', 'memory']))
  const sent = { title: 'Mine', memory: 'Theirs.' }

  test('is written with the fields that differ', () => {
    expect(check({ ...stored, image: 'b' })(stored, sent)).toEqual({ title: 'Mine' })
    expect(check({ ...stored, memory: 'Theirs.' })(stored, stored)).toEqual({})
    expect(formUnchanged(['title'], undefined)(stored, sent)).toEqual({ title: 'Mine' })
  })

  test('is refused as a whole if any of its fields changed, with those that would', () => {
    const late = () => check({ ...stored, memory: 'Old.' })(stored, sent)
    expect(late).toThrow(expect.objectContaining({ code: 'changed_elsewhere' }))
    try {
      late()
    } catch (error) {
      const clash = { field: 'title', stored: 'Lamp', sent: 'Mine' }
      expect((error as StoryError).more.clashes).toEqual([clash])
    }
  })

  test('is not refused if it says what is stored', () => {
    expect(check({ ...stored, memory: 'Old.' })(stored, { memory: 'Theirs.' })).toEqual({})
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

const versionIn = (html: string, from = '') =>
  /name="version" value="([^"]*)"/.exec(html.slice(html.indexOf(from)))?.[1] ?? ''
/** The version that a form is shown with. */
const versionAt = async (page: string, id: string) =>
  versionIn(await (await server.ask(page)).text(), `<form id="${id}"`)

const TEXTS = { title: 'Lamp', memory: 'Old.', authors_note: 'Calm.' }
const beginScenario = async () => {
  const id = await make('/api/scenarios', TEXTS)
  const path = `/scenarios/${id}`
  return { path, page: `${path}/edit?tab=story`, form: 'scenario-form', stored: () => read(`/api${path}`) }
}
const beginStory = async () => {
  const id = await make('/api/adventures', { title: 'Lamp' })
  const path = `/adventures/${id}`
  await server.send('PATCH', `/api${path}`, TEXTS)
  return { path, page: `${path}?panel=plot`, form: 'plot-form', stored: () => read(`/api${path}`) }
}

describe.each([
  ['a scenario', beginScenario],
  ['the plot of a story', beginStory],
])('two tabs on %s', (_, begin) => {
  test('keep both texts, and whoever has seen both may choose', async () => {
    const { path, page, form, stored } = await begin()
    const typed = { ...TEXTS, version: await versionAt(page, form), memory: 'Mine.' }
    expect((await post(path, typed)).status).toBe(303)
    const late = { ...typed, memory: 'Theirs <b>', authors_note: 'Slow.' }
    const refused = await post(path, late)
    expect(refused.status).toBe(409)
    const html = await refused.text()
    expect(html).toMatch(/<textarea[^>]*name="memory"[^>]*>\nTheirs &lt;b/)
    expect(html).toMatch(/<textarea[^>]*readonly[^>]*>\nMine\./)
    expect(html).toMatch(/<textarea[^>]*name="authors_note"[^>]*>\nSlow\./)
    expect(await stored()).toMatchObject({ memory: 'Mine.', authors_note: 'Calm.' })
    // The form is sent with the version that it was shown with, until its author chooses.
    expect(versionIn(html, `<form id="${form}"`)).toBe(typed.version)
    expect((await post(path, late)).status).toBe(409)
    const version = versionIn(html.replace('type="hidden" name="version"', ''), `<form id="${form}"`)
    expect((await post(path, { ...late, version })).status).toBe(303)
    expect(await stored()).toMatchObject({ memory: 'Theirs <b>', authors_note: 'Slow.' })
  })

  test('are shown when typing pauses', async () => {
    const { path, page, form, stored } = await begin()
    const version = await versionAt(page, form)
    const pause = (fields: object) => post(path, { ...TEXTS, version, ...fields }, true)
    const saved = await (await pause({ memory: 'Mine.' })).text()
    expect(saved).not.toContain('data-refused')
    expect(saved).toContain('about 2 tokens')
    const next = versionIn(saved)
    expect((await pause({ memory: 'Mine, still.', version: next })).status).toBe(200)
    const late = await pause({ authors_note: 'Slow.' })
    const html = await late.text()
    expect(late.status).toBe(409)
    expect(html).toContain('data-refused')
    // Both fields would change: the whole form is older.
    expect(html.match(/<fieldset>/g)).toHaveLength(2)
    expect(html).toContain('Mine, still.')
    expect(versionIn(html)).toBe(version)
    expect(await stored()).toMatchObject({ memory: 'Mine, still.', authors_note: 'Calm.' })
  })

  test('do not pass over each other by putting a field back', async () => {
    const { path, page, form, stored } = await begin()
    const version = await versionAt(page, form)
    await post(path, { ...TEXTS, version, memory: 'Mine.' }, true)
    expect((await post(path, { ...TEXTS, version }, true)).status).toBe(409)
    expect((await stored()).memory).toBe('Mine.')
  })

  test('text that is too long is reported in the form', async () => {
    const { path } = await begin()
    const answer = await post(path, { ...TEXTS, title: 'x'.repeat(201) }, true)
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Not saved.')])
  })
})

describe('two tabs on a scenario', () => {
  const begin = beginScenario

  test('a picture that was replaced elsewhere is kept', async () => {
    const { path, stored } = await begin()
    const send = (mark: string, width: number) => {
      const form = new FormData()
      form.set('version', mark)
      form.set('picture', new File([new Uint8Array(png({ width }))], 'a.gif', { type: 'text/html' }))
      return server.ask(`${path}/cover`, { method: 'POST', body: form })
    }
    const mark = versionIn(await (await server.ask(`${path}/edit?tab=cover`)).text())
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
  const typed = { version: await versionAt(form, `card-${id}`), name: 'Lamp', entry: 'Mine.' }
  expect((await post(`/story-cards/${id}`, typed)).status).toBe(303)
  const late = await post(`/story-cards/${id}`, { ...typed, entry: 'Theirs.' })
  const refused = await late.text()
  expect(late.status).toBe(409)
  expect(refused).toMatch(/<textarea[^>]*name="entry"[^>]*>\nTheirs\./)
  expect(refused).toMatch(/<textarea[^>]*readonly[^>]*>\nMine\./)
  expect((await post(`/story-cards/${id}`, { ...typed, entry: 'x' }, true)).status).toBe(409)
  expect((await (await server.ask(form)).text()).match(/Mine\./g)).toHaveLength(1)
})

describe('two tabs on the stats', () => {
  const begin = async () => {
    const id = await make('/api/scenarios', { stat_schema: { player: { hp: { initial: 3 } } } })
    const path = `/scenarios/${id}/stats`
    const html = await (await server.ask(`/scenarios/${id}/edit?tab=stats`)).text()
    const version = versionIn(html, '<form id="schema-form"')
    const json = (initial: number) => JSON.stringify({ player: { hp: { initial } } })
    const stored = async () => (await read(`/api/scenarios/${id}`)).stat_schema.player.hp.initial
    return { id, path, version, json, stored }
  }

  test('keep both versions, and after seeing both the player may choose', async () => {
    const { path, version, json, stored } = await begin()
    expect((await post(path, { json: json(4), version })).status).toBe(303)
    const late = await post(path, { json: json(5), version })
    const page = await late.text()
    expect([late.status, await stored()]).toEqual([409, 4])
    expect(page).toContain('changed elsewhere')
    expect(page).toContain('{&quot;player&quot;:{&quot;hp&quot;:{&quot;initial&quot;:5}}}')
    const keep = /form="json-form" name="version" value="([^"]*)"/.exec(page)?.[1] ?? ''
    expect((await post(path, { json: json(5), version: keep })).status).toBe(303)
    expect(await stored()).toBe(5)
  })

  test('are shown on autosave', async () => {
    const { path, version, json, stored } = await begin()
    const form = { base: json(3), 'name:player.hp': 'hp', 'initial:player.hp': '3', version }
    await post(path, { json: json(4), version })
    const late = await post(path, { ...form, 'initial:player.hp': '7' }, true)
    expect([late.status, late.headers.get('hx-retarget'), await stored()]).toEqual([409, '#schema-state', 4])
    const keep = /form="schema-form" name="version" value="([^"]*)"/.exec(await late.text())?.[1] ?? ''
    expect((await post(path, { ...form, 'initial:player.hp': '7', version: keep }, true)).status).toBe(200)
    expect(await stored()).toBe(7)
  })
})

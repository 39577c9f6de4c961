import { describe, expect, test } from 'bun:test'
import { makeScenario } from '../../src/formats/inglenook/make-scenario.ts'
import { makeAdventure } from '../support/files/make.ts'
import { AT, hostileStory, LAMP_ROAD, lampStory } from '../support/files/portable.ts'
import { startServer } from '../support/service/server.ts'

const server = await startServer()
const titles = async (of: 'adventures' | 'scenarios'): Promise<string[]> =>
  (await server.get(`/api/${of}`)).body.map(({ title }: { title: string }) => title)
const send = (path: string, fields: Record<string, string | File>) => {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  return server.ask(path, { method: 'POST', body })
}
const fileOf = (text: string, name = 'lamp.json') => new File([text], name)
const STORY = makeAdventure(lampStory(), AT)
const heldIn = (page: string) => /name="held" value="([^"]+)"/.exec(page)?.[1] ?? ''

describe('an uploaded file', () => {
  test('is previewed with its receipt, and nothing is saved yet', async () => {
    const before = await titles('adventures')
    const page = await (await send('/import', { file: fileOf(STORY) })).text()
    expect(page).toContain('This is an Inglenook story')
    expect(page).toMatch(/Lamp<\/span>.*?4 passages/s)
    expect(page).toMatch(/<details><summary>Details<.*Imported as is/s)
    expect(await titles('adventures')).toEqual(before)
  })

  test('is imported on request, and opens', async () => {
    const page = await (await send('/import', { file: fileOf(STORY) })).text()
    const answer = await send('/import/apply', { held: heldIn(page), 'adventures.0': '1' })
    expect(answer.status).toBe(303)
    const story = await (await server.ask(answer.headers.get('location') ?? '')).text()
    expect(story).toContain('He was not alone.')
    expect(await titles('adventures')).toContain('Lamp')
    const again = await send('/import/apply', { held: heldIn(page), 'adventures.0': '1' })
    expect(again.headers.get('location')).toBe(answer.headers.get('location'))
    const unknown = await send('/import/apply', { held: 'unknown', 'adventures.0': '1' })
    expect([unknown.status, await unknown.text()]).toEqual([
      422,
      expect.stringContaining('The upload has expired'),
    ])
  })

  test('can be pasted as text', async () => {
    const page = await (await send('/import', { text: makeScenario(LAMP_ROAD, AT) })).text()
    expect(page).toMatch(/>The Lamp Road<.*>1 story card/s)
    const answer = await send('/import/apply', { held: heldIn(page), 'scenarios.0': '1' })
    expect(answer.headers.get('location')).toStartWith('/scenarios/')
    expect(await titles('scenarios')).toContain('The Lamp Road')
  })

  test('of cards only is added to the chosen scenario', async () => {
    const cards = JSON.stringify([{ title: 'The lamp', keys: 'lamp', value: 'It burns.' }])
    const page = await (await send('/import', { file: fileOf(cards, 'cards.json') })).text()
    expect(page).toContain('Add 1 story card to')
    await send('/import/apply', { held: heldIn(page), owner: '1' })
    const { body } = await server.get('/api/scenarios/1')
    expect(body.story_cards.map(({ name }: { name: string }) => name)).toContain('The lamp')
  })

  test('of an unknown format is refused with an explanation', async () => {
    for (const file of ['', 'GIF89a', '{"a": 1}', STORY.slice(0, 500)]) {
      const answer = await send('/import', { file: fileOf(file) })
      const page = await answer.text()
      expect([file, answer.status]).toEqual([file, 422])
      expect(page).toContain('id="bring"')
    }
    expect((await send('/import/apply', { held: 'nothing' })).status).toBe(422)
  })

  test('of an unknown format that was pasted stays in its field, on the same page', async () => {
    for (const owner of [{}, { owner: '1' }]) {
      const page = await (await send('/import', { ...owner, text: '{"a lamp": 1' })).text()
      expect(page).toMatch(/<textarea name="text"[^>]*>\n\{&quot;a lamp&quot;: 1<\/textarea>/)
      expect(page).toContain('<details open><summary>Paste text instead')
      expect(page.includes('class="card-editors"')).toBe('owner' in owner)
    }
  })

  test('is shown as plain text only', async () => {
    const name = '"><script>alert(1)</script>.json'
    const page = await (
      await send('/import', { file: fileOf(makeAdventure(hostileStory(), AT), name) })
    ).text()
    expect(page).toContain('This is an Inglenook story')
    expect(page).not.toContain('<script>alert')
  })
})

test('an empty form is refused, wherever it is sent', async () => {
  for (const path of ['/scenarios/1/cover', '/story-cards/try', '/import', '/import/apply']) {
    const answer = await server.ask(path, { method: 'POST' })
    expect([path, answer.status < 500]).toEqual([path, true])
  }
})

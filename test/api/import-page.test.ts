import { describe, expect, test } from 'bun:test'
import { makeScenario } from '../../src/formats/inglenook/make-scenario.ts'
import { sampleText } from '../formats/samples.ts'
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
    expect(page).toMatch(/<details class="receipt"><summary>Imported as is \(\d+\)/)
    expect(await titles('adventures')).toEqual(before)
  })

  test('says what a player should know before importing it', async () => {
    const scripts = await (
      await send('/import', { file: fileOf(sampleText('dungeon-scenario-alone.json')) })
    ).text()
    expect(scripts).toContain('This is an AI Dungeon scenario. Nothing has been imported yet.')
    expect(scripts).toMatch(
      />Import<.*Left out: 2 .*<details class="receipt" open><summary>Left out.*Scripts are never run/s,
    )
    const several = await (
      await send('/import', { file: fileOf(sampleText('dungeon-scenario-list.json')) })
    ).text()
    expect(several).toContain('This is a file of AI Dungeon scenarios.')
    expect(several).not.toContain('scripts')
  })

  test('is called by the name of its program only where that is known', async () => {
    const kindOf = async (name: string) =>
      /This is [^.]*\./.exec(await (await send('/import', { file: fileOf(sampleText(name)) })).text())?.[0]
    expect(await Promise.all(['world-info.json', 'agnai-book.json', 'agnai-chat.json'].map(kindOf))).toEqual([
      'This is a lorebook.',
      'This is a lorebook.',
      'This is an Agnai chat.',
    ])
  })

  test('shows of a card how many openings it has, and what is still to be answered as such', async () => {
    const data = {
      name: 'Odo',
      first_mes: 'Sit, {{user}}.',
      alternate_greetings: ['Go, {{user}}.', 'Stay.'],
    }
    const card = JSON.stringify({ spec: 'chara_card_v2', spec_version: '2.0', data })
    const page = await (await send('/import', { file: fileOf(card, 'odo.json') })).text()
    expect(page).toContain('>3 openings, 1 placeholder<')
    expect(page).toContain('Sit, [Your name].')
    expect(page).toMatch(/<summary>Changed .*Openings to choose from: .*alternate_greetings/)
    const long = { ...data, alternate_greetings: ['x'.repeat(50_001)] }
    const cut = JSON.stringify({ spec: 'chara_card_v2', spec_version: '2.0', data: long })
    expect(await (await send('/import', { file: fileOf(cut, 'odo.json') })).text()).toMatch(
      /Openings to choose from: shortened to 50000/,
    )
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

  test('of cards that are there already tells which, for the scenario that is chosen', async () => {
    const cardsOf = async (id: number) =>
      (await server.get(`/api/scenarios/${id}`)).body.story_cards.map(
        ({ name, keys }: Record<string, string>) => `${name}: ${keys}`,
      )
    const { id } = (await server.send('POST', '/api/scenarios', { title: 'Quay' })).body
    const owner = String(id)
    const file = (keys: string) =>
      fileOf(
        JSON.stringify([
          { title: 'Mill', keys: 'mill', value: 'It is loud.' },
          { title: 'Rope', keys, value: 'It is old.' },
        ]),
        'quay.json',
      )
    const bring = async (keys: string, fields: Record<string, string> = {}) => {
      const page = await (await send('/import', { file: file(keys), owner })).text()
      const compared = async (of: string) => (await server.ask(`/import/${heldIn(page)}?owner=${of}`)).text()
      const shown = [page, await compared(owner), await compared('')].map((text) => [
        /<b dir="auto">([^<]*)<\/b>: already there/.exec(text)?.[1],
        /triggers there: <span[^>]*>([^<]*)<.*?in this file: <span[^>]*>([^<]*)</.exec(text)?.slice(1),
      ])
      const { status } = await send('/import/apply', { held: heldIn(page), owner, ...fields })
      return { shown, status, cards: await cardsOf(id) }
    }
    const twice = (both: (string | string[] | undefined)[]) => [both, both, [undefined, undefined]]
    const first = ['Mill: mill', 'Rope: rope']
    expect(await bring('rope')).toEqual({ shown: twice([undefined, undefined]), status: 303, cards: first })
    expect(await bring('rope')).toEqual({
      shown: twice(['Mill, Rope', undefined]),
      status: 422,
      cards: first,
    })
    expect(await bring('line', { duplicates: 'skip' })).toEqual({
      shown: twice(['Mill', ['rope', 'line']]),
      status: 303,
      cards: [...first, 'Rope: line'],
    })
    expect(await bring('cord', { duplicates: 'replace' })).toEqual({
      shown: twice(['Mill', ['rope', 'cord']]),
      status: 303,
      cards: ['Mill: mill', 'Rope: cord', 'Rope: line'],
    })
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

describe('several files', () => {
  const bring = async (...files: File[]) => {
    const body = new FormData()
    for (const file of files) body.append('file', file)
    return (await server.ask('/import', { method: 'POST', body })).text()
  }
  const scenario = (title: string) => fileOf(makeScenario({ ...LAMP_ROAD, title }, AT), `${title}.json`)

  test('of which some are broken say so first, and again when the others are imported', async () => {
    const broken = [fileOf('{"title":', 'a.json'), fileOf('%PDF-1.4', '<b>.pdf')]
    const page = await bring(scenario('Ferry'), ...broken, scenario('Weir'))
    const rejected =
      '2 files cannot be imported</summary><ul><li><b dir="auto">a.json</b>: This file begins like JSON, but it is broken or cut off.</li><li><b dir="auto">&lt;b&gt;.pdf</b>: This is a PDF.'
    expect(page.indexOf(rejected)).toBeGreaterThan(0)
    expect(page.indexOf(rejected)).toBeLessThan(page.indexOf('Nothing has been imported yet'))
    const answer = await send('/import/apply', { held: heldIn(page), 'scenarios.1': '1' })
    const address = answer.headers.get('location') ?? ''
    expect([answer.status, address]).toEqual([303, `/import/${heldIn(page)}`])
    await server.deps.imports.find(heldIn(page))?.result
    const result = await (await server.ask(address)).text()
    expect(result).toContain(rejected)
    expect(result).toMatch(/New in your library: 1 scenario\..*was left out: 1\./)
    expect(await titles('scenarios')).toContain('Weir')
    // The page that shows the progress is left for that of the result.
    const fragment = await server.ask(address, { headers: { 'HX-Request': 'true' } })
    expect(fragment.headers.get('hx-redirect')).toBe(address)
  })

  test('have a row each, with what becomes of it', async () => {
    const broken = Array.from({ length: 21 }, (_, i) => fileOf('{', `${i}.json`))
    const card = fileOf(sampleText('card-v2.json'), 'Odo.json')
    const page = await bring(scenario('Sluice'), card, fileOf('', 'empty.txt'), ...broken)
    expect(page).toMatch(/<details class="receipt"><summary>22 files cannot be imported/)
    for (const { name } of broken) expect(page).toMatch(new RegExp(`>${name}</b>: This file begins`))
    expect(page).toMatch(/>empty.txt<\/b>: This file/)
    expect(page).toMatch(/>2 files can be imported<.*>Sluice.json<\/b>: an Inglenook scenario, 1 scenario/)
    expect(page).toMatch(/>Odo.json<\/b>: a character card, 1 scenario/)
    expect(page).toMatch(/>Import<\/button>.*>Left out: 22 files, /)
  })

  test('of which none is selected keep their preview, as it was, to import them then', async () => {
    const page = await bring(scenario('Lock'), scenario('Pond'))
    expect(page.split(' checked').length).toBe(3)
    let refused = await send('/import/apply', { held: heldIn(page) })
    // It takes long enough for a page with its progress, or not.
    await server.deps.imports.find(heldIn(page))?.result.catch(() => {})
    if (refused.status !== 422) refused = await server.ask(`/import/${heldIn(page)}`)
    const again = await refused.text()
    expect(again).toMatch(/role="alert">Nothing was selected, so nothing was imported\.</)
    expect([again.includes('>Lock<'), again.includes(' checked')]).toEqual([true, false])
    const answer = await send('/import/apply', { held: heldIn(again), 'scenarios.0': '1' })
    await server.deps.imports.find(heldIn(again))?.result
    expect([answer.status, await titles('scenarios')]).toEqual([303, expect.arrayContaining(['Lock'])])
  })
})

test('an empty form is refused, wherever it is sent', async () => {
  for (const path of ['/scenarios/1/cover', '/story-cards/try', '/import', '/import/apply']) {
    const answer = await server.ask(path, { method: 'POST' })
    expect([path, answer.status < 500]).toEqual([path, true])
  }
})

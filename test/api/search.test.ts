import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Writer } from '../../src/db/database.ts'
import { repairSearchIndex } from '../../src/db/search/story-index.ts'
import { updateSummary } from '../../src/db/tables/adventures.ts'
import { insertMemory } from '../../src/db/tables/memory/memories.ts'
import { foldSearch } from '../../src/lib/fold-text.ts'
import { runs } from '../support/depth.ts'
import { say, startEndpoint } from '../support/endpoint/endpoint.ts'
import { makeAdventure } from '../support/files/make.ts'
import { AT, lampStory } from '../support/files/portable.ts'
import { playTurn, retryTurn } from '../support/service/events.ts'
import { startServer } from '../support/service/server.ts'

const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
const server = await startServer()
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'm' })

const items = async (q: string, more = '') =>
  (await server.get(`/api/search?q=${encodeURIComponent(q)}${more}`)).body.items

interface ActionOut {
  id: number
  text: string
  type: string
  variant_count: number
}

/** Rows whose index entry is out of date: those that opening the library would repair. */
const unfit = () => server.deps.library.write((tx) => repairSearchIndex(tx).repaired)

describe('after every change', () => {
  const WORDS = ['lantern', 'Straße', 'oil lamp', 'ёж', '图书馆', 'แมว', 'terning', 'and the sea', 'ox']
  const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((w) => w.join(' '))
  const operation = fc.record({
    kind: fc.constantFrom('play', 'play', 'retry', 'undo', 'switch', 'edit', 'edit'),
    at: fc.nat(),
    text,
  })

  test('exactly the passages that contain a word now are found', async () => {
    let hits = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(operation, { minLength: 3, maxLength: 10 }),
        fc.nat(),
        async (sequence, pick) => {
          const { id } = (await server.post('/api/adventures', { title: 'A' })).body
          const path = `/api/adventures/${id}`
          const actions = async (): Promise<ActionOut[]> => (await server.get(path)).body.actions
          for (const { kind, at, text } of sequence) {
            const all = await actions()
            const newest = all.at(-1)
            endpoint.byDefault(say(`${text} is told.`))
            if (kind === 'play') await playTurn(server, id, { type: 'do', text })
            else if (kind === 'undo') await server.post(`${path}/undo`)
            else if (kind === 'edit')
              await server.send('PATCH', `${path}/actions/${all[at % all.length]?.id}`, { text })
            else if (newest?.type !== 'ai') continue
            else if (kind === 'retry') await retryTurn(server, id)
            else
              await server.post(`${path}/actions/${newest.id}/variant`, { index: at % newest.variant_count })
          }
          const all = await actions()
          for (const word of [...WORDS, 'told']) {
            const letters = [...foldSearch(word)]
            const isSpaced = /^[\p{sc=Latn}\p{sc=Cyrl}]/u.test(foldSearch(word))
            const from = isSpaced ? 0 : pick % letters.length
            const part = letters
              .slice(from, from + 3 + (pick % 2))
              .join('')
              .trim()
            const before = isSpaced ? ' ' : ''
            const expected = all
              .filter(({ text }) => {
                const words = ` ${foldSearch(text).replace(/[^\p{L}\p{M}]+/gu, ' ')} `
                return words.includes(before + part + (part.length < 3 ? before : ''))
              })
              .map((action) => action.id)
            const seen = await items(`"${part}`, `&kind=action&adventure=${id}&limit=100`)
            expect(seen.map((item: { id: number }) => item.id).sort(byNumber)).toEqual(
              expected.sort(byNumber),
            )
            hits += expected.length
          }
          expect(unfit()).toBe(0)
        },
      ),
      { numRuns: runs(25) },
    )
    expect(hits).toBeGreaterThan(runs(25))
  })
})

test('the index is up to date after every kind of write', async () => {
  const post = async (path: string, body: object): Promise<number> => (await server.post(path, body)).body.id
  const inLibrary = (work: (tx: Writer) => void) => server.deps.library.write(work)
  const scenario = await post('/api/scenarios', { title: 'Fen', prompt: 'Mud.' })
  const card = await post('/api/story-cards', { scenario_id: scenario, name: 'Heron' })
  const story = await post('/api/adventures', { scenario_id: scenario })
  const memory = await post(`/api/adventures/${story}/memories`, { text: 'It sank.' })
  await playTurn(server, story, { type: 'do', text: 'walk' })
  const source = { start: 1, end: 2, hash: '' }
  const operations: Record<string, () => unknown> = {
    'a scenario is changed': () => server.send('PATCH', `/api/scenarios/${scenario}`, { memory: 'Wet.' }),
    'a card is changed': () => server.send('PATCH', `/api/story-cards/${card}`, { entry: 'Grey.' }),
    'a scenario is duplicated': () => server.post(`/api/scenarios/${scenario}/duplicate`),
    'a story is copied': () => server.post(`/api/adventures/${story}/copy`),
    'a story takes over what is new in its scenario': async () => {
      const { status } = await server.post(`/api/adventures/${story}/refresh`, {})
      expect(status).toBe(200)
    },
    'a file is brought': async () => {
      const file = makeAdventure(lampStory(), AT)
      expect((await server.ask('/api/import?apply=1', { method: 'POST', body: file })).status).toBe(201)
    },
    'a card is deleted': () => server.send('DELETE', `/api/story-cards/${card}`),
    'a plot is changed': () => server.send('PATCH', `/api/adventures/${story}`, { authors_note: 'Slow.' }),
    'a summary is written': () => inLibrary((tx) => updateSummary(tx, story, 'They walked.')),
    'a memory is changed': () =>
      server.send('PATCH', `/api/adventures/${story}/memories/${memory}`, { text: 'It swims.' }),
    'a memory is deleted': () => server.send('DELETE', `/api/adventures/${story}/memories/${memory}`),
    'a memory is made': () =>
      inLibrary((tx) => insertMemory(tx, story, { text: 'They walked.', source }, new Date())),
    'a turn with its memory is undone': () => server.post(`/api/adventures/${story}/undo`),
    'a scenario with cards is deleted': async () => {
      await post('/api/story-cards', { scenario_id: scenario, name: 'Eel' })
      await server.send('DELETE', `/api/scenarios/${scenario}`)
    },
    'a story with a blank opening is deleted': async () => {
      const blank = await post('/api/adventures', {})
      await post('/api/story-cards', { adventure_id: blank, name: 'Eel' })
      await server.send('DELETE', `/api/adventures/${blank}`)
    },
  }
  for (const [operation, doIt] of Object.entries(operations)) {
    await doIt()
    expect([operation, unfit()]).toEqual([operation, 0])
  }
  expect((await server.get(`/api/adventures/${story}/memories`)).body).toEqual([])
})

describe('a result', () => {
  test('says where it is, and links there', async () => {
    const { id: scenario } = (await server.post('/api/scenarios', { title: 'Glimmerfen', prompt: 'Mud.' }))
      .body
    await server.post('/api/story-cards', {
      scenario_id: scenario,
      name: 'Heron',
      entry: 'Of the glimmerfen.',
    })
    const { id: story } = (await server.post('/api/adventures', { scenario_id: scenario })).body
    await server.send('PATCH', `/api/adventures/${story}`, { memory: 'Glimmerfens are <wet> & cold.' })
    await server.post(`/api/adventures/${story}/memories`, { text: 'A glimmerfen sank.' })
    const found = await items('glimmerfen')
    expect(found.map(({ kind, href }: { kind: string; href: string }) => [kind, href])).toEqual([
      ['adventure', `/adventures/${story}?panel=plot#panel`],
      ['scenario', `/scenarios/${scenario}`],
      ['story_card', `/adventures/${story}?panel=plot#panel`],
      ['story_card', `/scenarios/${scenario}`],
      ['memory', `/adventures/${story}?panel=memory#panel`],
    ])
    expect(found[0]).toMatchObject({
      id: story,
      adventure_id: story,
      scenario_id: null,
      title: 'Glimmerfen',
      snippet: [
        { text: 'Glimmerfen', hit: true },
        { text: 's are <wet> & cold.', hit: false },
      ],
    })
    const page = await (await server.ask('/search?q=glimmerfen')).text()
    expect(page).toContain('<mark>Glimmerfen</mark>s are &lt;wet&gt; &amp; cold.')
    await server.send('DELETE', `/api/scenarios/${scenario}`)
    await server.send('DELETE', `/api/adventures/${story}`)
    expect(await items('glimmerfen')).toEqual([])
  })

  test('a line of the player is found without the mark that it has for the model', async () => {
    const { id } = (await server.post('/api/adventures', { title: 'Marked' })).body
    endpoint.next(say('It opens.'))
    await playTurn(server, id, { type: 'do', text: 'open the quillgate' })
    const page = await (await server.ask('/search?q=quillgate')).text()
    expect(page).toContain('>You open the <mark>quillgate</mark>.')
    await server.send('DELETE', `/api/adventures/${id}`)
  })

  test('an earlier passage is shown among those around it', async () => {
    const { id } = (await server.post('/api/adventures', { title: 'Long' })).body
    endpoint.byDefault(say('The road goes on.'))
    for (let i = 0; i < 50; i++) await playTurn(server, id, { type: 'do', text: `walk mile${i}end` })
    for (const [mile, isEnd] of [
      [0, false],
      [10, false],
      [49, true],
    ] as const) {
      const [{ id: action, href }] = await items(`mile${mile}end`, '&kind=action')
      expect(href).toBe(`/adventures/${id}?at=${action}#action-${action}`)
      const page = await (await server.ask(href)).text()
      expect(page).toContain(`id="action-${action}"`)
      expect(page).toContain(`mile${Math.max(0, mile - 5)}end`)
      expect(page).toContain(`mile${Math.min(49, mile + 5)}end`)
      expect(page.includes('id="composer"')).toBe(isEnd)
    }
    const gone = await (await server.ask(`/adventures/${id}?at=999999`)).text()
    expect(gone).toContain('mile49end')
  })
})

describe('the search page', () => {
  test('keeps the query and its filters', async () => {
    const { id } = (await server.post('/api/adventures', { title: 'Marsh "&" fen' })).body
    const page = await (
      await server.ask(`/search?q=${encodeURIComponent('"><script>')}&kind=memory&adventure=${id}`)
    ).text()
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect(page).toContain('<option value="memory" selected>')
    expect(page).toContain(`name="adventure" value="${id}" checked`)
    expect(page).toContain('No results.')
  })

  test('explains the syntax when the query is empty', async () => {
    for (const q of ['', '%20', '-lantern', '?'])
      expect(await (await server.ask(`/search?q=${q}`)).text()).toContain('quotation marks')
  })

  test('links to more results of a kind until there are none', async () => {
    for (let i = 0; i < 45; i++) await server.post('/api/scenarios', { title: `Quillwort ${i}` })
    let address: string | undefined = '/search?q=quillwort'
    const seen = new Set<string>()
    let pages = 0
    for (; address; pages++) {
      const page = await (await server.ask(address)).text()
      for (const [link] of page.matchAll(/\/scenarios\/\d+/g)) seen.add(link)
      address = /<a class="way" href="(\/search\?q=[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(seen.size).toBe(45)
    expect(pages).toBe(4)
  })
})

test('invalid numbers and kinds are refused', async () => {
  for (const query of ['kind=dragon', 'adventure=x', 'limit=ten', 'before=1.5'])
    expect(await server.get(`/api/search?q=a&${query}`)).toMatchObject({
      status: 422,
      body: { code: 'invalid' },
    })
  expect((await server.get('/api/search')).body).toEqual({ items: [], next: null, indexing: null })
})

function byNumber(a: number, b: number): number {
  return a - b
}

test('a story that cannot be has no passages', async () => {
  await server.post('/api/adventures/import', { ...JSON.parse(makeAdventure(lampStory(), AT)) })
  for (const id of ['0', '-63472', '2330627060332447432314165810541101056'])
    expect((await server.get(`/api/search?q=the&adventure=${id}`)).body).toEqual({
      items: [],
      next: null,
      indexing: null,
    })
})

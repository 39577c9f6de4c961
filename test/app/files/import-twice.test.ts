import { describe, expect, test } from 'bun:test'
import type { ImportPreview } from '../../../src/domain/portable/import-preview.ts'
import { bytesOf, SAMPLES } from '../../formats/samples.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const send = async (body: string | Uint8Array, query: string) => {
  const answer = await server.ask(`/api/import?${query}`, {
    method: 'POST',
    body: body as Uint8Array<ArrayBuffer>,
  })
  return { status: answer.status, body: (await answer.json()) as ImportPreview & { detail: string } }
}

const TIMED = {
  spec: 'chara_card_v2',
  spec_version: '2.0',
  data: {
    name: 'Odo',
    first_mes: 'Sit.',
    character_book: {
      entries: [
        {
          keys: ['lamp'],
          content: 'It burns.',
          enabled: true,
          extensions: { sticky: 2, cooldown: 4, useProbability: true, probability: 40 },
        },
      ],
    },
  },
}
const FILES = [{ name: 'timed.json', bytes: bytesOf(TIMED) }, ...SAMPLES]

describe('a file that was imported is recognised when it comes again:', () => {
  test.each(FILES.map(({ name, bytes }) => [name, bytes] as const))('%s', async (name, bytes) => {
    expect((await send(bytes, `apply=1&name=${name}`)).status).toBe(201)
    const { scenarios, adventures, story_cards } = (await send(bytes, `name=${name}`)).body
    const items = [
      ...[...scenarios, ...adventures].filter(({ is_alternative }) => !is_alternative),
      ...story_cards,
    ]
    expect(items.filter(({ is_duplicate }) => !is_duplicate)).toEqual([])
  })
})

interface Entry {
  name?: string
  keys?: string
  entry?: string
  sticky?: number
}

/** A lorebook of such entries. */
const lorebook = (...entries: Entry[]) =>
  JSON.stringify({
    entries: Object.fromEntries(
      entries.map(({ name = 'Rope', keys = 'rope', entry = 'The rope is old.', sticky }, uid) => [
        uid,
        { uid, key: keys.split(', '), keysecondary: [], comment: name, content: entry, sticky },
      ]),
    ),
  })

const ROPE = lorebook({})
const OTHER: [what: string, entry: Entry][] = [
  ['triggers', { keys: 'rope, line' }],
  ['text', { entry: 'The rope is new.' }],
  ['timing', { sticky: 3 }],
  ['letter case of its name', { name: 'ROPE' }],
]

describe.each([
  ['scenario', '/api/scenarios', { title: 'Quay' }],
  ['adventure', '/api/adventures', { title: 'Quay' }],
])('cards for the %s', (kind, path, fields) => {
  const owned = async () => {
    const { id } = (await server.send('POST', path, fields)).body
    const owner = `${kind}_id=${id}`
    const cards = async (): Promise<{ id: number; name: string; keys: string; notes: string }[]> =>
      (await server.get(`/api/story-cards?${owner}`)).body
    return { owner, cards }
  }

  test('that are there already are told and skipped', async () => {
    const { owner, cards } = await owned()
    expect((await send(ROPE, `apply=1&duplicates=skip&${owner}`)).status).toBe(201)
    expect((await send(ROPE, owner)).body.story_cards).toMatchObject([{ is_duplicate: true, namesake: null }])
    for (const duplicates of ['skip', 'replace'])
      expect((await send(ROPE, `apply=1&duplicates=${duplicates}&${owner}`)).status).toBe(422)
    const more = lorebook({}, { name: 'Mill', keys: 'mill' })
    expect((await send(more, `apply=1&duplicates=skip&${owner}`)).status).toBe(201)
    expect((await cards()).map(({ name }) => name)).toEqual(['Rope', 'Mill'])
    await send(ROPE, `apply=1&${owner}`)
    expect((await cards()).map(({ name }) => name)).toEqual(['Rope', 'Mill', 'Rope'])
  })

  test.each(OTHER)('of the same name with another %s replace it only on request', async (_, entry) => {
    const { owner, cards } = await owned()
    await send(ROPE, `apply=1&${owner}`)
    const [rope] = await cards()
    await server.send('PATCH', `/api/story-cards/${rope?.id}`, { notes: 'mine' })
    const changed = lorebook(entry)
    const [told] = (await send(changed, owner)).body.story_cards
    expect(told).toMatchObject({ is_duplicate: false, namesake: { id: rope?.id, keys: 'rope' } })
    const { status, body } = await send(changed, `apply=1&duplicates=replace&${owner}`)
    expect({ status, body }).toMatchObject({ status: 201, body: { story_card_ids: [rope?.id] } })
    const replaced = await cards()
    expect(replaced).toMatchObject([{ id: rope?.id, name: entry.name ?? 'Rope', notes: 'mine' }])
    expect(replaced[0]?.keys).toBe(told?.keys ?? '')
    expect((await send(changed, owner)).body.story_cards).toMatchObject([{ is_duplicate: true }])
    await send(ROPE, `apply=1&duplicates=skip&${owner}`)
    expect(await cards()).toMatchObject([{ id: rope?.id }, { name: 'Rope', keys: 'rope' }])
  })
})

test('one card replaces one of its namesakes, and none that comes along unchanged', async () => {
  const { id } = (await server.send('POST', '/api/scenarios', { title: 'Weir' })).body
  const owner = `scenario_id=${id}`
  await send(lorebook({}, { keys: 'cord' }), `apply=1&${owner}`)
  await send(lorebook({}, { keys: 'line' }, { keys: 'twine' }), `apply=1&duplicates=replace&${owner}`)
  const { body } = await server.get(`/api/story-cards?${owner}`)
  expect(body.map(({ keys }: { keys: string }) => keys)).toEqual(['rope', 'line', 'twine'])
})

test('a lorebook without an owner is named like its file, and skipped when it comes again', async () => {
  const first = await send(ROPE, 'apply=1&duplicates=skip&name=harbour.json')
  const { body } = await server.get(`/api/scenarios/${first.body.scenario_ids?.[0]}`)
  expect(body.title).toBe('harbour')
  expect((await send(ROPE, 'apply=1&duplicates=skip&name=harbour.json')).status).toBe(422)
  expect((await send(ROPE, 'apply=1&duplicates=skip&name=pier.json')).status).toBe(201)
})

test('a lorebook with a name of its own is named so, with its description', async () => {
  const about = { name: 'River book', description: 'What the river remembers.' }
  const book = JSON.stringify({ ...JSON.parse(ROPE), ...about })
  const { body } = await send(book, 'apply=1&name=upload-123.json')
  const scenario = await server.get(`/api/scenarios/${body.scenario_ids?.[0]}`)
  expect(scenario.body).toMatchObject({ title: about.name, description: about.description })
})

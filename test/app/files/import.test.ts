import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { auditAdventure } from '../../../src/app/adventure/audit.ts'
import { keepImport, startImport } from '../../../src/app/files/import.ts'
import type { KeptPlan } from '../../../src/app/files/kept-plans.ts'
import { planUpload } from '../../../src/app/files/plan-upload.ts'
import { writeImport } from '../../../src/app/files/write-import.ts'
import type { JobHost } from '../../../src/app/worker/worker-job.ts'
import { StoryError } from '../../../src/domain/errors.ts'
import type { ImportPlan } from '../../../src/domain/portable/portable.ts'
import { parseFile } from '../../../src/formats/detect.ts'
import { mutated } from '../../formats/mutations.ts'
import { bytesOf, SAMPLES, sample, sampleText } from '../../formats/samples.ts'
import { runs } from '../../support/depth.ts'
import { say, startEndpoint } from '../../support/endpoint/endpoint.ts'
import { cardChunk, noisyPng } from '../../support/files/card-png.ts'
import { planned, readUpload } from '../../support/files/planned.ts'
import { keysIn } from '../../support/files/receipt-faults.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const endpoint = await startEndpoint()
afterAll(() => endpoint.close())
await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'm' })

const bring = async (bytes: Uint8Array, query = '') => {
  const answer = await server.ask(`/api/import${query}`, {
    method: 'POST',
    body: bytes as Uint8Array<ArrayBuffer>,
  })
  return { status: answer.status, body: await answer.json() }
}
const file = (name: string) => SAMPLES.find((one) => one.name === name)?.bytes ?? new Uint8Array()
const counts = () =>
  ['scenarios', 'adventures', 'actions', 'memories', 'story_cards', 'summaries'].map(
    (table) => server.deps.library.reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n,
  )

const leftovers = () => (existsSync(`${server.path}.uploads`) ? readdirSync(`${server.path}.uploads`) : [])

const host: JobHost = { mayWrite: async () => {}, report: () => {} }
const { library } = server.deps
const write = (plan: KeptPlan) => writeImport(library, plan, {}, { at: server.deps.now(), host })
const importPlan = async (plan: ImportPlan) => write(await planned(library, plan))

describe('a file is looked at before anything is written', () => {
  for (const { name, kind, bytes } of SAMPLES)
    test(name, async () => {
      const before = counts()
      const { status, body } = await bring(bytes, `?name=${name}`)
      expect([status, body.kind]).toEqual([200, kind])
      expect(body.scenarios.length + body.adventures.length + body.story_cards.length).toBeGreaterThan(0)
      expect(body.receipt.came.length).toBeGreaterThan(0)
      expect(counts()).toEqual(before)
    })

  const passages = (count: number) => ({
    format: 'ai-dnd-adventure-v1',
    title: `Read once, ${count}`,
    actions: Array.from({ length: count }, (_, index) => ({
      index,
      type: index === 0 ? 'start' : 'story',
      text: 'Rain. '.repeat(30),
    })),
  })

  test.each([50, 300, 600])('one of %d passages is read once', async (count) => {
    const upload = { name: 'a.json', bytes: bytesOf(JSON.stringify(passages(count))) }
    const { key } = await keepImport(server.deps, upload)
    upload.bytes.fill(0)
    const { imported } = await startImport(server.deps, key, {}).result
    const [id = 0] = imported.adventure_ids
    expect((await server.get(`/api/adventures/${id}`)).body.action_count).toBe(count)
    expect(leftovers()).toEqual([])
  })

  test('one that cannot be read is refused with a sentence', async () => {
    for (const bytes of [new Uint8Array([1, 2, 3, 250]), bytesOf('{"format":"x"}'), new Uint8Array()])
      expect(await bring(bytes)).toMatchObject({ status: 422, body: { code: 'import_refused' } })
  })
})

describe('what is brought is whole', () => {
  test('an adventure with its scenario, cards, memories, answers and variants', async () => {
    const { status, body } = await bring(file('own-adventure-counted.json'), '?apply=1')
    expect(status).toBe(201)
    const [id] = body.adventure_ids
    const story = (await server.get(`/api/adventures/${id}`)).body
    expect(story).toMatchObject({ title: 'Lamp', action_count: 3, story_summary: 'Nothing much.' })
    const scenario = (await server.get(`/api/scenarios/${story.scenario_id}`)).body
    expect(scenario).toMatchObject({ title: 'The Lamp Road', questions: ['Your name'] })
    const refs = server.deps.library.reader.all<{ source_ref: string | null }>(
      'SELECT source_ref FROM story_cards WHERE adventure_id = ? ORDER BY id',
      id,
    )
    expect(refs).toEqual([{ source_ref: `card:${scenario.story_cards[1].id}` }, { source_ref: null }])
    expect((await server.get(`/api/adventures/${id}/memories`)).body).toMatchObject([
      {
        text: 'The lamp went out.',
        pinned: true,
        source_start: 0,
        source_end: 2,
        use_count: 4,
        stale: false,
      },
      { text: 'By hand.', forgotten: true, source_start: null },
    ])
    expect(story.actions[2]).toMatchObject({
      text: 'It burns.',
      reasoning: 'Be brief.',
      variant_count: 2,
      variant_index: 1,
      created_at: '2026-05-01T09:01:09.000Z',
      world_changes: [{ path: 'player.oil', delta: -2 }],
    })
    expect(await auditAdventure(server.deps.library.reader, id)).toMatchObject({
      ok: true,
      breaks: [],
      attempts: 2,
    })
  })

  test('a scenario, a character and cards that come alone', async () => {
    const [own] = (await bring(file('own-scenario-full.json'), '?apply=1')).body.scenario_ids
    expect((await server.get(`/api/scenarios/${own}`)).body).toMatchObject({
      title: 'The Salt Stair',
      story_cards: [{ name: 'The stair' }, { notes: 'a blank one' }],
    })
    expect((await server.ask(`/api/scenarios/${own}/image`)).headers.get('content-type')).toBe('image/png')
    const [character] = (await bring(file('card-v2.json'), '?apply=1')).body.scenario_ids
    expect((await server.get(`/api/scenarios/${character}`)).body.greetings).toHaveLength(2)
    const tree = await bring(file('dungeon-scenario-tree.json'), '?apply=1&scenarios=0,1')
    expect(tree.body.scenario_ids).toHaveLength(2)
    const alone = await bring(file('cards-official.json'), '?apply=1&name=Lamp%20lore.json')
    expect((await server.get(`/api/scenarios/${alone.body.scenario_ids[0]}`)).body).toMatchObject({
      title: 'Lamp lore',
      story_cards: [{ name: 'The lamp' }, { name: 'Odo' }],
    })
    const owned = await bring(file('cards-official.json'), `?apply=1&scenario_id=${own}`)
    expect(owned.body).toMatchObject({
      scenario_ids: [],
      story_card_ids: [expect.any(Number), expect.any(Number)],
    })
    expect((await server.get(`/api/story-cards?scenario_id=${own}`)).body).toHaveLength(4)
  })

  test('every branch of a tree that was chosen', async () => {
    const before = counts()[1] ?? 0
    expect(
      (await bring(file('bundle-v2-tree.json'), '?apply=1&adventures=1')).body.adventure_ids,
    ).toHaveLength(1)
    expect((await bring(file('bundle-v2-tree.json'), '?apply=1')).body.adventure_ids).toHaveLength(2)
    expect(counts()[1]).toBe(before + 3)
  })

  test('a large picture, scaled to the size of a cover', async () => {
    const bytes = noisyPng(500, 500, cardChunk('chara', sample('card-v2.json'), 'tEXt'))
    const { preview, files } = await readUpload({ bytes, name: 'odo.png' })
    expect(files[0]?.scenarios[0]?.image).toStartWith('data:image/webp;base64,')
    expect(preview.receipt.changed).toContainEqual({
      what: expect.stringContaining('scaled down'),
      count: 1,
      keys: ['picture'],
    })
    expect(keysIn(preview.receipt.left)).not.toContain('picture')
  })
})

describe('what is brought can be played on', () => {
  test('turns, variants, undo and world state, and the audit follows', async () => {
    endpoint.byDefault(say('Oil drips.\n```state\n{"player.oil": -1}\n```'))
    const [id] = (await bring(file('own-adventure-counted.json'), '?apply=1')).body.adventure_ids
    const path = `/api/adventures/${id}`
    const oil = async () => (await server.get(`${path}/world-state`)).body.state.player.oil
    const audit = async () => (await server.get(`${path}/audit`)).body
    const [action] = (await server.get(path)).body.actions.slice(-1)
    expect((await server.post(`${path}/actions/${action.id}/variant`, { index: 0 })).body.text).toBe(
      'It smokes.',
    )
    expect(await oil()).toBe(5)
    await server.post(`${path}/actions/${action.id}/variant`, { index: 1 })
    expect(await oil()).toBe(3)
    await retryTurn(server, id)
    expect((await server.get(`${path}/actions/${action.id}/variants`)).body).toHaveLength(3)
    await playTurn(server, id, { type: 'do', text: 'wait' })
    expect(await audit()).toMatchObject({ ok: true, findings: [] })
    await server.send('PUT', `${path}/world-state`, { 'player.oil': 9 })
    expect(await audit()).toMatchObject({ ok: true })
    await server.post(`${path}/undo`)
    await server.post(`${path}/undo`)
    expect((await server.get(path)).body.action_count).toBe(1)
    expect(await oil()).toBe(5)
    expect(await audit()).toMatchObject({ ok: true })
  })

  test('every sample: a turn, another variant, an undo, and no complaint of the audit', async () => {
    endpoint.byDefault(say('The rain goes on.'))
    const stories = SAMPLES.filter(({ kind }) => /adventure|chat|kobold/.test(kind))
    for (const { name, bytes } of stories) {
      const { adventure_ids } = (await bring(bytes, '?apply=1')).body
      for (const id of adventure_ids) {
        const path = `/api/adventures/${id}`
        const before = (await server.get(path)).body.action_count
        const story = [
          await retryTurn(server, id),
          await playTurn(server, id, { type: 'say', text: 'Hello' }),
        ].map((events) => events.at(-1)?.type)
        expect([name, ...story]).toEqual([name, 'done', 'done'])
        expect([name, (await server.get(`${path}/audit`)).body.findings]).toEqual([name, []])
        for (const page of [`/adventures/${id}`, `/adventures/${id}/insights`])
          expect([name, (await server.ask(page)).status]).toEqual([name, 200])
        await server.post(`${path}/undo`)
        expect((await server.get(path)).body.action_count).toBeGreaterThanOrEqual(before)
      }
    }
  })

  test('where the numbers of a file do not follow, the audit says that they were brought', async () => {
    const { adventure_ids } = (await bring(file('own-adventure-sloppy.json'), '?apply=1')).body
    const audit = (await server.get(`/api/adventures/${adventure_ids[0]}/audit`)).body
    expect(audit).toMatchObject({ ok: true, breaks: [{ what: 'import' }, { what: 'import' }] })
  })
})

describe('all of it or nothing', () => {
  test('when the library fails in the middle', async () => {
    const plan = parseFile(file('own-adventure-counted.json'), 'x')
    const before = counts()
    const spoiled = structuredClone(plan)
    const [adventure] = spoiled.adventures
    // A value that no column takes, in the last thing to be written.
    if (adventure?.memories[1]) Object.assign(adventure.memories[1], { text: {} })
    await expect(importPlan(spoiled)).rejects.toThrow()
    expect(counts()).toEqual(before)
    await importPlan(plan)
    expect(counts()).not.toEqual(before)
  })

  test('when something is chosen that is not there', async () => {
    const before = counts()
    for (const query of ['adventures=5', 'adventures=x', 'adventures=', 'scenarios=-1'])
      expect(await bring(file('bundle-v1-lamp.json'), `?apply=1&${query}`)).toMatchObject({ status: 422 })
    expect(await bring(file('cards-official.json'), '?apply=1&scenario_id=9999')).toMatchObject({
      status: 404,
    })
    expect(await bring(file('cards-official.json'), '?apply=1&scenario_id=1&adventure_id=1')).toMatchObject({
      status: 422,
    })
    expect(counts()).toEqual(before)
  })

  test('of files that somebody has meddled with, and they can be shown', async () => {
    const files = SAMPLES.filter(({ name }) => name.endsWith('.json')).map(({ name }) => sample(name))
    const before = counts()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(fc.nat(), { minLength: 1, maxLength: 15 }),
        async (whole, dice) => {
          try {
            const plan = await planUpload(library, { bytes: bytesOf(mutated(whole, dice)), name: 'fuzz' })
            for (const id of (await write(plan)).imported.adventure_ids) {
              for (const path of [`/adventures/${id}`, `/adventures/${id}/insights`, `/api/adventures/${id}`])
                expect((await server.ask(path)).status).toBe(200)
              expect((await auditAdventure(server.deps.library.reader, id))?.findings ?? []).toEqual([])
            }
          } catch (error) {
            if (!(error instanceof StoryError)) throw error
          }
        },
      ),
      { numRuns: runs(250) },
    )
    expect(counts()).not.toEqual(before)
    expect(server.deps.library.reader.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
    expect(server.deps.library.reader.all('PRAGMA foreign_key_check')).toEqual([])
  })
})

describe('the door is open for files of any type, and for nothing else', () => {
  const post = (path: string, headers: Record<string, string>, body = sampleText('card-v1.json')) =>
    server.ask(path, { method: 'POST', headers, body })

  test('any type of body is read, a compressed one is not', async () => {
    for (const type of [
      'image/png',
      'text/plain',
      'application/octet-stream',
      'application/jsonl',
      'application/json',
    ])
      expect([type, (await post('/api/import', { 'Content-Type': type })).status]).toEqual([type, 200])
    expect((await post('/api/import', { 'Content-Encoding': 'gzip' })).status).toBe(415)
  })

  test('the other routes still want JSON', async () => {
    for (const path of [
      '/api/scenarios/import',
      '/api/adventures/import',
      '/api/story-cards/import',
      '/api/import/',
    ])
      expect([path, (await post(path, { 'Content-Type': 'text/plain' })).status]).toEqual([path, 415])
  })

  test('a file may be larger than other bodies', async () => {
    const large = JSON.stringify({
      title: 'Large',
      prompt: 'x',
      memory: 'y',
      filler: 'f'.repeat(3 * 1024 * 1024),
    })
    expect((await post('/api/import', {}, large)).status).toBe(200)
  })
})

describe('the earlier release’s own routes', () => {
  test('a scenario, with the keys that came to nothing', async () => {
    const { status, body } = await server.post('/api/scenarios/import', sample('bundle-scenario-sloppy.json'))
    expect(status).toBe(201)
    expect(body.scenario).toMatchObject({
      title: 'Imported Scenario',
      tags: 'a, b',
      image: '',
      stat_schema: null,
    })
    expect(body.unmapped_keys.sort()).toEqual(['foo', 'image', 'publicId', 'scripts', 'statSchema', 'title'])
  })

  test('a list of cards becomes a scenario with them', async () => {
    const { status, body } = await server.post('/api/scenarios/import', sample('cards-official.json'))
    expect([status, body.scenario.story_cards.length]).toEqual([201, 2])
  })

  test('an adventure, with its newest passages and how many there are', async () => {
    const { status, body } = await server.post('/api/adventures/import', sample('bundle-v1-lamp.json'))
    expect(status).toBe(201)
    expect(body).toMatchObject({ title: 'Lamp', action_count: 3, actions: [{}, {}, { variant_count: 2 }] })
  })

  test('each names the right place for what belongs elsewhere', async () => {
    const before = counts()
    const cases: [path: string, body: unknown, sentence: string][] = [
      ['/api/scenarios/import', sample('bundle-v1-lamp.json'), '/api/adventures/import'],
      ['/api/adventures/import', sample('bundle-scenario-full.json'), 'ai-dnd-adventure-v2'],
      ['/api/adventures/import', { format: 'ai-dnd-adventure-v7', actions: [] }, 'ai-dnd-adventure-v7'],
    ]
    for (const [path, body, sentence] of cases)
      expect(await server.post(path, body)).toMatchObject({
        status: 422,
        body: { code: 'import_refused', detail: expect.stringContaining(sentence) },
      })
    expect(counts()).toEqual(before)
  })

  const manyCards = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `${i}`, keys: 'a', value: 'b', type: '', notes: 'c' }))
  const owners: [what: string, body: object, status: number][] = [
    ['a scenario', { scenario_id: 1, cards: sample('cards-official.json') }, 201],
    ['a scenario, thousands of them', { scenario_id: 1, cards: manyCards(3_500) }, 201],
    ['another name of the list', { scenario_id: 1, worldInfo: [{ keys: 'a', value: 'b' }] }, 201],
    ['both owners', { scenario_id: 1, adventure_id: 1, cards: sample('cards-official.json') }, 422],
    ['no owner', { cards: sample('cards-official.json') }, 422],
    ['an owner that is none', { scenario_id: 99_999, cards: sample('cards-official.json') }, 404],
    ['an empty list', { scenario_id: 1, cards: [] }, 422],
    ['no list', { scenario_id: 1 }, 422],
    ['a list of nothing', { scenario_id: 1, cards: [{}, 'x'] }, 422],
  ]
  for (const [what, body, status] of owners)
    test(`cards for ${what}: ${status}`, async () => {
      expect((await server.post('/api/story-cards/import', body)).status).toBe(status)
    })

  test('cards are answered as they are stored, without where they come from', async () => {
    const { body } = await server.post('/api/story-cards/import', {
      scenario_id: 2,
      storyCards: sample('cards-sloppy.json'),
    })
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Swapped', 'Named', 'Same', '12'])
    expect(Object.keys(body[0]).sort()).toEqual([
      'adventure_id',
      'entry',
      'id',
      'keys',
      'name',
      'notes',
      'scenario_id',
      'type',
    ])
  })
})

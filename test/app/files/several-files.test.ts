import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { plansIn } from '../../../src/app/files/file-plans.ts'
import { deletePlan } from '../../../src/app/files/kept-plans.ts'
import { planUpload } from '../../../src/app/files/plan-upload.ts'
import { writeImport } from '../../../src/app/files/write-import.ts'
import type { JobHost, JobProgress } from '../../../src/app/worker/worker-job.ts'
import { StoryError } from '../../../src/domain/errors.ts'
import type { ImportPreview } from '../../../src/domain/portable/import-preview.ts'
import { makePngWithTexts } from '../../../src/formats/picture/png-text.ts'
import { makeZip } from '../../../src/formats/zip/make-zip.ts'
import { concatBytes } from '../../../src/lib/bytes.ts'
import { bytesOf, sample, sampleText } from '../../formats/samples.ts'
import { runs } from '../../support/depth.ts'
import { cardChunk, noisyPng, pngWith } from '../../support/files/card-png.ts'
import { readUpload } from '../../support/files/planned.ts'
import { startServer } from '../../support/service/server.ts'

const server = await startServer()
const { reader } = server.deps.library
const leftovers = () => (existsSync(`${server.path}.uploads`) ? readdirSync(`${server.path}.uploads`) : [])
const count = (table: string) => reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0

/** Files by their names. */
type Files = Record<string, string | Uint8Array>

const bytes = (content: string | Uint8Array) => (typeof content === 'string' ? bytesOf(content) : content)
const zip = (files: Files) =>
  concatBytes([...makeZip(Object.entries(files).map(([name, content]) => ({ name, bytes: bytes(content) })))])

function form(files: Files): FormData {
  const body = new FormData()
  for (const [name, content] of Object.entries(files))
    body.append('file', new File([bytes(content) as Uint8Array<ArrayBuffer>], name))
  return body
}

const send = async (body: FormData | Uint8Array<ArrayBuffer>, query = '') => {
  const answer = await server.ask(`/api/import${query}`, { method: 'POST', body })
  return { status: answer.status, body: (await answer.json()) as ImportPreview & { detail?: string } }
}

const character = (name: string) => {
  const card = sample('card-v2.json')
  return JSON.stringify({ ...card, data: { ...card.data, name, alternate_greetings: [] } })
}

const MIXED: Files = {
  'Odo.json': character('Odo of the pier'),
  'Lamp.json': sampleText('bundle-v1-lamp.json'),
  'Pier.json': sampleText('world-info.json'),
  'broken.json': '{"title":',
  '._Odo.json': 'x',
}

const idle: JobHost = { mayWrite: async () => {}, report: () => {} }

describe.each([
  ['an archive', zip],
  ['a form', form],
])('several files in %s', (_, pack) => {
  test('are listed in one preview, each of them once', async () => {
    const before = count('scenarios')
    const { status, body } = await send(pack(MIXED))
    expect([status, body.kind]).toEqual([200, 'files'])
    expect(body.scenarios.map(({ title }) => title)).toEqual(['Odo of the pier', 'Market'])
    expect(body.adventures.map(({ title }) => title)).toEqual(['Lamp'])
    expect(body.rejected_files).toEqual([
      { reason: expect.stringContaining('broken'), names: ['broken.json'] },
    ])
    const rows = body.files.map(({ name, kind, scenarios, adventures, refusal }) => [
      name,
      kind,
      scenarios,
      adventures,
      refusal !== null,
    ])
    expect(rows).toEqual([
      ['Odo.json', 'character-card', 1, 0, false],
      ['Lamp.json', 'ai-dnd-adventure-v1', 0, 1, false],
      ['Pier.json', 'world-info', 1, 0, false],
      ['broken.json', null, 0, 0, true],
    ])
    const left = body.files.reduce((sum, file) => sum + file.left, 0)
    expect(left).toBe(body.receipt.left.reduce((sum, { count }) => sum + count, 0))
    expect(body.receipt.came).toContainEqual({ what: 'Title', count: 2, keys: ['data.name', 'title'] })
    expect([count('scenarios'), leftovers()]).toEqual([before, []])
  })

  test('are imported as far as they are chosen, and noticed when they come again', async () => {
    const [scenarios, stories] = [count('scenarios'), count('adventures')]
    const first = await send(pack(MIXED), '?apply=1&scenarios=1')
    expect([first.status, first.body.scenario_ids?.length, first.body.adventure_ids?.length]).toEqual([
      201, 1, 1,
    ])
    const again = (await send(pack(MIXED))).body
    expect(again.scenarios.map(({ is_duplicate }) => is_duplicate)).toEqual([false, true])
    expect(again.adventures.map(({ is_duplicate }) => is_duplicate)).toEqual([true])
    const rest = await send(pack(MIXED), '?apply=1&duplicates=skip')
    expect([rest.status, rest.body.scenario_ids?.length, rest.body.adventure_ids]).toEqual([201, 1, []])
    expect(await send(pack(MIXED), '?apply=1&duplicates=skip')).toMatchObject({
      status: 422,
      body: { detail: 'Everything in this file is in the library already, so nothing was imported.' },
    })
    expect([count('scenarios'), count('adventures')]).toEqual([scenarios + 2, stories + 1])
    for (const id of [...(first.body.scenario_ids ?? []), ...(rest.body.scenario_ids ?? [])])
      await server.send('DELETE', `/api/scenarios/${id}`)
    await server.send('DELETE', `/api/adventures/${first.body.adventure_ids?.[0]}`)
  })

  test('are refused with the reason of one of them when none can be read', async () => {
    expect(await send(pack({ 'a.pdf': '%PDF-1.4', 'b.json': '{' }))).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(/^None of these files can be imported. b.json: .*broken/) },
    })
  })
})

test.each([
  ['a cut archive', zip({ 'Odo.json': character('Cut') }).slice(0, -30)],
  ['an empty file', ''],
  ['a picture without a card', pngWith([])],
])('%s is named and hides none of the other files', async (_, content) => {
  const files = form({ 'Ada.json': character('Ada'), 'bad.zip': content, 'Eve.json': character('Eve') })
  const { status, body } = await send(files)
  expect([status, body.scenarios.map(({ title }) => title)]).toEqual([200, ['Ada', 'Eve']])
  const refused = body.files.map(({ name, refusal }) => [name, refusal === null ? null : refusal.length > 10])
  expect(refused).toEqual([
    ['Ada.json', null],
    ['bad.zip', true],
    ['Eve.json', null],
  ])
})

test('a file that is twice among the files is noticed once', async () => {
  const { body } = await send(form({ 'a.json': character('Twin'), 'b.json': character('Twin') }))
  expect(body.scenarios.map(({ is_duplicate }) => is_duplicate)).toEqual([false, true])
})

test('a change of one word is no duplicate', async () => {
  const { body } = await send(form({ 'a.json': character('Solo') }), '?apply=1')
  const [id] = body.scenario_ids ?? []
  expect((await send(form({ 'a.json': character('Solo') }))).body.scenarios[0]?.is_duplicate).toBe(true)
  await server.send('PATCH', `/api/scenarios/${id}`, { memory: 'Another.' })
  expect((await send(form({ 'a.json': character('Solo') }))).body.scenarios[0]?.is_duplicate).toBe(false)
})

test('a preview shows the first covers and openings, and counts what is switched off', async () => {
  const { data, ...card } = sample('card-v2.json')
  const first_mes = `Fog. ${'It rolls in. '.repeat(60)}`
  const entries = [true, false].map((enabled) => ({ keys: ['lamp'], content: 'It burns.', enabled }))
  const character = { ...card, data: { ...data, first_mes, character_book: { entries } } }
  const picture = pngWith([cardChunk('chara', character, 'tEXt')])
  const large = noisyPng(1_000, 900, cardChunk('chara', character, 'tEXt'))
  const cards = Array.from({ length: 13 }, (_, i) => [`${i}.png`, i === 1 ? large : picture] as const)
  for (const files of [{ 'odo.png': picture }, { 'odo.png': large }, Object.fromEntries(cards)]) {
    const { scenarios } = (await send(form(files))).body
    const covers = scenarios.map(({ image }) => image.startsWith('data:image/'))
    const shown = Math.min(scenarios.length, 12)
    expect(covers).toEqual(covers.map((_, i) => i < shown))
    const [first] = scenarios
    expect(first).toMatchObject({ has_picture: true, disabled_cards: 1 })
    expect(first?.opening).toMatch(/^Fog\. It rolls in\. .{260,300}…$/)
  }
})

describe('archives that are none of ours', () => {
  const names = ['../../outside.json', '/etc/passwd', 'C:\\x.json', 'a\0b.json', '__proto__']

  test('have names that are labels and never paths', async () => {
    const before = readdirSync(dirname(server.path)).sort()
    const { status, body } = await send(
      zip(Object.fromEntries(names.map((name) => [name, character(name)]))),
      '?apply=1',
    )
    expect([status, body.scenarios.length]).toEqual([201, names.length])
    expect(readdirSync(dirname(server.path)).sort()).toEqual(before)
    for (const id of body.scenario_ids ?? []) await server.send('DELETE', `/api/scenarios/${id}`)
  })

  test('within archives are not opened', async () => {
    const { body } = await send(
      zip({ 'inner.zip': zip({ 'a.json': character('Deep') }), 'b.json': character('Top') }),
    )
    expect(body.scenarios.map(({ title }) => title)).toEqual(['Top'])
    expect(body.rejected_files).toEqual([
      { reason: expect.stringContaining('Extract it'), names: ['inner.zip'] },
    ])
  })

  test('that say that they hold 20 GB are refused before anything is unpacked', async () => {
    const bomb = zip(Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`${i}.json`, bytesOf('{}')])))
    const view = new DataView(bomb.buffer)
    const [start, end] = [view.getUint32(bomb.length - 6, true), bomb.length - 22]
    for (let at = start; at < end; at += 46 + view.getUint16(at + 28, true))
      view.setUint32(at + 24, 23_000_000, true)
    expect(await send(bomb)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('holds more') },
    })
  })

  test('that somebody has meddled with are read or refused, and nothing is half there', async () => {
    const whole = zip(MIXED)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }), async (flips) => {
        const bytes = whole.slice()
        for (const [at, byte] of flips) bytes[at % bytes.length] = byte
        try {
          const plan = await planUpload(server.deps.library, { name: 'a.zip', bytes })
          for await (const file of plansIn(plan)) expect(file.kind).toBeString()
          await deletePlan(plan)
        } catch (error) {
          expect(error).toBeInstanceOf(StoryError)
        }
      }),
      { numRuns: runs(500) },
    )
  })
})

test('a large picture that a preview does not show is scaled down by the import', async () => {
  const card = cardChunk('chara', JSON.parse(character('Portrait')), 'tEXt')
  const pictures = [...Array(12).fill(pngWith([card])), noisyPng(1_000, 900, card)]
  const files = pictures.map((picture, i) => ({ name: `${i}.png`, bytes: picture }))
  const { preview, files: plans } = await readUpload({ name: '', files })
  expect(preview.scenarios.at(-1)).toMatchObject({ image: '', has_picture: true })
  expect(preview.receipt.changed).toContainEqual(
    expect.objectContaining({ what: expect.stringContaining('scaled down') }),
  )
  expect(plans.at(-1)?.scenarios[0]?.image).toStartWith('data:image/webp')
})

describe('a library of 300 characters', () => {
  const cards = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [
      `${i}.png`,
      pngWith([cardChunk('chara', JSON.parse(character(`Guest ${i}`)), 'tEXt')]),
    ]),
  )

  test('comes in at once, with one short receipt and with its progress', async () => {
    const [before, progress] = [count('scenarios'), [] as JobProgress[]]
    const host = { ...idle, report: (one: JobProgress) => progress.push(one) }
    const upload = { name: 'cards.zip', bytes: zip(cards) }
    const plan = await planUpload(server.deps.library, upload)
    const run = { at: server.deps.now(), host }
    const { preview, imported } = await writeImport(server.deps.library, plan, {}, run)
    await deletePlan(plan)
    expect([imported.scenario_ids.length, count('scenarios') - before]).toEqual([300, 300])
    expect(progress.length).toBeGreaterThan(3)
    expect(progress.at(-1)).toEqual({ done: plan.rows, total: plan.rows })
    expect(Object.values(preview.receipt).flat().length).toBeLessThan(60)
    expect(preview.receipt.came).toContainEqual({
      what: 'Title',
      count: 300,
      keys: ['chara.data.name'],
    })
  })

  test('is shown on a page with a box for each, unchecked where it is there already', async () => {
    const body = form(cards)
    body.append('folder', new File([character('New guest')], 'new.json'))
    const page = await (await server.ask('/import', { method: 'POST', body })).text()
    expect(page).toContain('Import 301 files')
    expect(page.split('already in your library')).toHaveLength(301)
    expect(page.split(/type="checkbox"[^>]* checked/)).toHaveLength(2)
    const held = /name="held" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const before = count('scenarios')
    const apply = await server.ask('/import/apply', {
      method: 'POST',
      body: new URLSearchParams({ held, 'scenarios.300': '1' }),
      redirect: 'manual',
    })
    let address = apply.headers.get('location') ?? ''
    while (address.startsWith('/import/'))
      address = (await server.ask(address, { redirect: 'manual' })).headers.get('location') ?? address
    expect([address, count('scenarios') - before]).toEqual([expect.stringMatching(/^\/\?/), 1])
  })

  test('that is too large for memory is stored while it is read, and deleted then', async () => {
    const picture = noisyPng(1_000, 900)
    const large = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`${i}.png`, withCard(picture, `Portrait ${i}`)]),
    )
    for (const body of [form(large), zip(large)]) {
      const { status, body: preview } = await send(body)
      expect([status, preview.scenarios.length, preview.rejected_files]).toEqual([200, 9, []])
      expect(leftovers()).toEqual([])
    }
  })
})

/** A picture with a character in it. */
function withCard(picture: Uint8Array, name: string): Uint8Array {
  return makePngWithTexts(picture, { chara: Buffer.from(character(name)).toString('base64') })
}

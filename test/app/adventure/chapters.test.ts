import { describe, expect, test } from 'bun:test'
import { listChapters } from '../../../src/db/search/chapters.ts'
import { repairSearchIndex } from '../../../src/db/search/story-index.ts'
import { chapterName } from '../../../src/domain/text/chapter.ts'
import { say } from '../../support/endpoint/endpoint.ts'
import { playTurn } from '../../support/service/events.ts'
import { startWithModel } from '../../support/service/with-model.ts'

const { endpoint, server } = await startWithModel()
const html = async (path: string) => (await server.ask(path)).text()

/** The chapters that the Contents panel lists. */
async function chaptersOf(id: number): Promise<string[]> {
  const [, list = ''] =
    /<h3>Chapters<\/h3>(.*?)<h3>/s.exec(await html(`/adventures/${id}?panel=contents`)) ?? []
  return [...list.matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(([, name = '']) => name)
}

async function begin(opening: string): Promise<number> {
  const { body: scenario } = await server.post('/api/scenarios', { title: 'The pier', prompt: opening })
  return (await server.post('/api/adventures', { scenario_id: scenario.id })).body.id
}

async function play(id: number, text: string, told: string) {
  endpoint.next(say(told))
  await playTurn(server, id, { type: 'story', text })
  const { actions } = (await server.get(`/api/adventures/${id}`)).body
  return actions.at(-1).id as number
}

const edit = (id: number, action: number, text: string) =>
  server.send('PATCH', `/api/adventures/${id}/actions/${action}`, { text })

describe('a chapter is named by', () => {
  const cases: [text: string, name: string | null][] = [
    ['# One', 'One'],
    ['\n\n  ## The *old* pier  \n\nDusk.', 'The old pier'],
    ['### A part of one', null],
    ['#One', null],
    ['# ', null],
    ['Dusk.\n\n# One', null],
    ['> # One', null],
    [`# ${'x'.repeat(5_000)}`, 'x'.repeat(200)],
    ['', null],
  ]
  for (const [text, name] of cases)
    test(JSON.stringify(text.slice(0, 30)), () => expect(chapterName(text)).toBe(name))
})

test('headings of the author and the player begin chapters; those of the model do not', async () => {
  const id = await begin('# One\n\nDusk.')
  await play(id, '## Two\n\nYou wake.', '# The pier\n\nIt rains.\n\n# Later\n\nIt snows.')
  const reply = await play(id, 'You wait.', 'Nothing comes.\n\n# Three\n\nThen it does.')
  expect(await chaptersOf(id)).toEqual(['One', 'Two'])
  await edit(id, reply, '# Three\n\nThen it does.')
  expect(await chaptersOf(id)).toEqual(['One', 'Two', 'Three'])
  await edit(id, reply, 'Then it does.')
  expect(await chaptersOf(id)).toEqual(['One', 'Two'])
})

test('go with undone passages, and come along into copies and files', async () => {
  const id = await begin('# One\n\nDusk.')
  await play(id, '# Two', '# Of the model\n\nRain.')
  await edit(id, await play(id, 'You wait.', 'Snow.'), '# Three\n\nSnow.')
  const { body: copy } = await server.post(`/api/adventures/${id}/copy`, {})
  expect(await chaptersOf(copy.id)).toEqual(['One', 'Two', 'Three'])
  const file = (await server.get(`/api/adventures/${id}/export?format=json`)).body
  await server.post('/api/import?apply=1', file)
  await server.post(`/api/adventures/${id}/undo`, {})
  expect(await chaptersOf(id)).toEqual(['One', 'Two'])
  const imported = Math.max(
    ...(await server.get('/api/adventures')).body.map((one: { id: number }) => one.id),
  )
  expect(imported).toBeGreaterThan(copy.id)
  expect(await chaptersOf(imported)).toEqual(['One', 'Two', 'Three'])
})

test('are found in what another program has written or deleted', async () => {
  const id = await begin('Dusk.')
  server.deps.library.write((tx) => {
    for (const [index, text] of ['# One\n\nRain.', 'Snow.', '# Two'].entries())
      tx.run(
        `INSERT INTO actions (adventure_id, "index", type, text, created_at)
         VALUES (?, ?, 'ai', ?, '2026-01-01 00:00:00.000000')`,
        id,
        index + 1,
        text,
      )
    repairSearchIndex(tx)
  })
  expect(await chaptersOf(id)).toEqual(['One', 'Two'])
  server.deps.library.write((tx) => {
    tx.run("DELETE FROM actions WHERE adventure_id = ? AND text = '# Two'", id)
    repairSearchIndex(tx)
  })
  expect(await chaptersOf(id)).toEqual(['One'])
})

test('are chapters of exported books, before bookmarks of the same passage', async () => {
  const id = await begin('# One\n\nDusk.')
  const reply = await play(id, '# Two\n\nYou wake.', 'Rain.')
  const { actions } = (await server.get(`/api/adventures/${id}`)).body
  for (const [action, name] of [
    [actions[0].id, 'Start'],
    [reply, 'The end'],
  ])
    await server.send('PUT', `/api/adventures/${id}/bookmarks/${action}`, { name })
  const markdown = await html(`/api/adventures/${id}/export?format=markdown`)
  expect(markdown.match(/^#.*$/gm)).toEqual(['# The pier', '## One', '## Two', '## The end'])
  const page = await html(`/api/adventures/${id}/export?format=html`)
  expect([...page.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, name]) => name)).toEqual([
    'One',
    'Two',
    'The end',
  ])
})

test('are listed without reading the story', async () => {
  const id = await begin('# One')
  const asked: string[] = []
  const { reader } = server.deps.library
  const all = (sql: string, ...values: number[]) => {
    asked.push(sql)
    return reader.all(sql, ...values)
  }
  listChapters(Object.create(reader, { all: { value: all } }), id)
  const plans = asked.flatMap((sql) => reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, id))
  expect(plans.map(({ detail }) => detail.replace(/ \(.*/, ''))).toEqual([
    'SEARCH c USING COVERING INDEX chapters_by_adventure',
    'SEARCH a USING INTEGER PRIMARY KEY',
    'USE TEMP B-TREE FOR ORDER BY',
  ])
})

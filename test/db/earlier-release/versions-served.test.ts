import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampled } from '../../support/depth.ts'
import {
  type Left,
  leaveEarlierLibrary,
  libraryRows,
  type Row,
  WORLD,
} from '../../support/earlier/release.ts'
import { MADE_AT } from '../../support/earlier/schema.ts'
import { startEndpoint } from '../../support/endpoint/endpoint.ts'
import { playTurn, retryTurn } from '../../support/service/events.ts'
import { startServer, type TestServer } from '../../support/service/server.ts'

const endpoint = await startEndpoint()
const folder = mkdtempSync(join(tmpdir(), 'inglenook-'))
afterAll(async () => {
  await endpoint.close()
  rmSync(folder, { recursive: true, force: true })
})

let made = 0

async function serverOn(left: Left): Promise<TestServer> {
  const dbPath = join(folder, `${++made}.db`)
  leaveEarlierLibrary(dbPath, left)
  return startServer({ dbPath })
}

const rows = libraryRows()
const TIME = '2026-03-01T10:00:00.000Z'

describe('the player sees an older library unchanged', () => {
  const lineages = sampled([...MADE_AT.map((at) => [at, at]), ...[23, 29, 36, 38, 45].map((at) => [12, at])])
  for (const [born = 12, at = 12] of lineages)
    test(`made at ${born}, at ${at}`, async () => {
      const server = await serverOn({ version: at, born })
      const get = async (path: string) => (await server.get(path)).body
      const since = (version: number, value: unknown, before: unknown) => (at >= version ? value : before)

      for (const { id, user_id: _, is_public: __, stat_schema, ...fields } of rows.scenarios ?? [])
        expect(await get(`/api/scenarios/${id}`)).toMatchObject({
          ...fields,
          id,
          image: since(30, fields.image, ''),
          icon: since(31, fields.icon, ''),
          stat_schema: since(26, stat_schema === 'null' ? null : stat_schema, null),
          created_at: TIME,
          updated_at: TIME,
          story_cards: [],
        })
      expect((await server.ask('/api/scenarios/2/image')).status).toBe(at >= 30 ? 200 : 404)

      for (const adventure of rows.adventures ?? []) {
        const { id, title, scenario_id, memory, story_summary } = adventure
        const own = (rows.actions ?? []).filter(({ adventure_id }) => adventure_id === id)
        expect(await get(`/api/adventures/${id}`)).toMatchObject({
          ...{ title, scenario_id, memory, story_summary, auto_summarize: false, memory_bank_enabled: false },
          action_count: own.length,
          created_at: TIME,
          story_cards: (rows.story_cards ?? [])
            .filter(({ adventure_id }) => adventure_id === id)
            .map(({ name, keys, entry }) => ({ name, keys, entry })),
        })
        const { actions, total } = await get(`/api/adventures/${id}/actions?limit=240`)
        expect([total, actions]).toMatchObject([own.length, own.map((row) => seenAction(row, at))])
        for (const { id: action, context_snapshot } of own) {
          const { status, body } = await server.get(`/api/adventures/${id}/actions/${action}/context`)
          expect(status).toBe(context_snapshot === null ? 404 : 200)
          if (status === 200)
            expect(body).toMatchObject({
              sections: [{ label: 'narrator', text: 'You narrate.' }],
              raw_output: 'Évasion…',
            })
        }
      }

      const variants = (await get('/api/adventures/1/actions/14/variants')) as Row[]
      const written = rows.actions?.[13]?.variants as Row[]
      expect(variants.map(({ text, reasoning, active }) => [text, reasoning, active])).toEqual(
        written
          .map(({ text, reasoning }, i) => [text, reasoning, i === 1])
          .filter((_, i) => at >= 35 || i === 1),
      )
      const after = { ...WORLD.after[1], player: { ...WORLD.after[1]?.player, luck: null } }
      expect((await get('/api/adventures/1/world-state')).state).toEqual(since(27, after, {}))
      expect((await get('/api/adventures/2/world-state')).state).toEqual({})
      expect(await get('/api/adventures/1/memories')).toMatchObject(
        (rows.memories ?? []).map(({ text, source_start, source_end, use_count, pinned, embedded }) => ({
          ...{ text, source_start, source_end, use_count },
          pinned: pinned === 1,
          embedded: embedded === 1,
        })),
      )
      expect(await get('/api/settings')).toMatchObject({
        endpoint_url: 'http://127.0.0.1:11434/v1',
        model: 'old-model',
        temperature: 0.9,
        max_output_tokens: 700,
        context_token_budget: 24_000,
        narrator_prompt: 'You narrate.',
        memory_bank_capacity: 120,
        memory_top_k: 4,
      })
      expect(await get('/api/adventures/1/audit')).toMatchObject({ ok: true, findings: [] })
      expect((await get('/api/search?q=hatch')).items).toMatchObject([{ kind: 'action', id: 14 }])
    })
})

function seenAction(
  { id, index, type, text, reasoning, world_delta, variant_count, variant_index }: Row,
  at: number,
) {
  const applied = at >= 28 && world_delta !== null && typeof world_delta === 'object' ? world_delta : {}
  const changes = ('applied' in applied ? applied.applied : []) as {
    path: string
    old: number
    new: number
  }[]
  const variants = at >= 35 ? Number(variant_count) : 0
  return {
    ...{ id, index, type, text, reasoning },
    variant_count: type === 'ai' ? Math.max(1, variants) : variants,
    variant_index: at >= 35 ? variant_index : 0,
    created_at: TIME,
    world_changes: changes.map((change) => ({
      kind: 'stat',
      delta: change.new - change.old,
      value: change.new,
    })),
  }
}

describe('a file with everything unusual at once can be viewed and played like any other', () => {
  const ODD = `
    CREATE TABLE recipes (id INTEGER PRIMARY KEY); CREATE VIEW prompts AS SELECT context_snapshot FROM actions;
    CREATE INDEX by_text ON actions (text); ALTER TABLE actions ADD COLUMN "a ""b"" c" TEXT;
    CREATE TABLE "notes ""on""" ("of ""it""" INTEGER REFERENCES adventures (id));
    UPDATE actions SET text = CAST(text AS BLOB), type = CAST(type AS BLOB) WHERE id > 10;
    UPDATE scenarios SET title = CAST(title AS BLOB), prompt = CAST(prompt AS BLOB);
    UPDATE adventures SET title = CAST(title AS BLOB), updated_at = 'yesterday', memory_cursor = 9223372036854775807;
    UPDATE memories SET text = CAST(text AS BLOB), use_count = 9007199254740993, created_at = 5;
    UPDATE actions SET created_at = '2026-03-01T12:00:00+02:00', context_snapshot = 'null' WHERE id = 12;
    PRAGMA foreign_keys = OFF;
    UPDATE actions SET adventure_id = 7 WHERE id = 4;
    UPDATE story_cards SET adventure_id = 9;
    UPDATE adventures SET scenario_id = 77 WHERE id = 2;`
  const PAGES = [
    '/',
    '/scenarios',
    '/scenarios/1',
    '/scenarios/2',
    '/adventures',
    '/settings',
    '/search?q=light',
  ]
  const OF_A_STORY = ['', '/insights', '/refresh', '?panel=memory', '?panel=world', '?panel=plot']
  const ASKED = [
    '',
    '/actions',
    '/world-state',
    '/memories',
    '/context',
    '/insights',
    '/audit',
    '/placeholders',
  ]
  const FORMATS = ['json', 'markdown', 'html', 'epub', 'jsonl']

  for (const version of [12, 35, 45])
    test(`version ${version}`, async () => {
      const also = `${ODD}${version < 23 ? '' : "UPDATE adventures SET user_id = NULL; INSERT INTO users (id, is_guest, created_at, demo_turns_used, demo_turns_date, strange) VALUES (2, 1, '', 0, '', ''); UPDATE scenarios SET user_id = 2;"}`
      const server = await serverOn({ version, strange: 'TEXT NOT NULL', also })
      await server.send('PUT', '/api/settings', { endpoint_url: endpoint.url, model: 'test-model' })
      const fine = async (answer: Promise<{ status: number }>, what: string) => {
        const { status } = await answer
        expect([what, status < 500 || status]).toEqual([what, true])
      }
      const look = async () => {
        for (const path of PAGES) await fine(server.ask(path), path)
        for (const id of [1, 2]) {
          for (const part of OF_A_STORY)
            await fine(server.ask(`/adventures/${id}${part}`), `page ${id} ${part}`)
          for (const part of ASKED) await fine(server.get(`/api/adventures/${id}${part}`), `${id} ${part}`)
          for (const format of FORMATS)
            expect((await server.ask(`/api/adventures/${id}/export?format=${format}`)).status).toBe(200)
        }
      }
      await look()
      for (const id of [1, 2]) {
        const path = `/api/adventures/${id}`
        for (const line of ['look', 'go on'])
          expect((await playTurn(server, id, { type: 'do', text: line })).at(-1)).toMatchObject({
            type: 'done',
          })
        expect((await retryTurn(server, id)).at(-1)).toMatchObject({
          type: 'done',
          action: { variant_count: 2 },
        })
        const last = (await server.get(path)).body.actions.at(-1)
        const done: [method: string, to: string, body?: object][] = [
          ['POST', `${path}/actions/${last.id}/variant`, { index: 0 }],
          ['PATCH', `${path}/actions/${last.id}`, { text: 'By hand.' }],
          ['POST', `${path}/undo`],
          ['POST', `${path}/memories`, { text: 'Typed.' }],
          ['POST', `${path}/copy`, {}],
          ['POST', `/api/story-cards`, { adventure_id: id, name: 'Lamp', keys: 'lamp', entry: 'Out.' }],
          ['PATCH', path, { title: 'Renamed' }],
        ]
        for (const [method, to, body] of done)
          expect([to, Math.floor((await server.send(method, to, body)).status / 100)]).toEqual([to, 2])
      }
      const { id } = (await server.post('/api/adventures', { scenario_id: 1 })).body
      // Leftovers of deleted stories belong to no story.
      expect((await server.get(`/api/adventures/${id}`)).body).toMatchObject({
        action_count: 1,
        story_cards: [],
      })
      await look()
      expect((await server.ask('/api/backup')).status).toBe(200)
      await server.stop()
      expect((await startServer({ dbPath: server.path })).address).toContain('http')
    })
})

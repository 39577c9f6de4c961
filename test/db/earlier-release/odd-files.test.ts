import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { auditAdventure } from '../../../src/app/adventure/audit.ts'
import { listVariants } from '../../../src/app/turn/edit-action.ts'
import { WRITE_PRAGMAS } from '../../../src/db/connections.ts'
import { Reader, writerFor } from '../../../src/db/database.ts'
import { assertWritableLibrary } from '../../../src/db/earlier-release/validate.ts'
import { upgrade } from '../../../src/db/library/upgrade.ts'
import { getPortableAdventure } from '../../../src/db/stories/portable.ts'
import { listActions } from '../../../src/db/tables/actions/list.ts'
import { findSnapshot } from '../../../src/db/tables/actions/snapshots.ts'
import { getVariants } from '../../../src/db/tables/actions/variants.ts'
import { listAdventures } from '../../../src/db/tables/adventure-list.ts'
import { findAnswers, getAdventure, getWorld, insertAdventure } from '../../../src/db/tables/adventures.ts'
import { getScenario, listScenarios } from '../../../src/db/tables/scenarios.ts'
import { getSettings } from '../../../src/db/tables/settings.ts'
import { listCards } from '../../../src/db/tables/story-cards.ts'
import { sampled } from '../../support/depth.ts'
import { type Left, writeEarlierLibrary } from '../../support/earlier/release.ts'
import { MADE_AT } from '../../support/earlier/schema.ts'
import { storeRows } from '../../support/library/store-rows.ts'

type Row = Record<string, unknown>

/** Opens a library in memory. */
function opened(left: Left): Database {
  const db = new Database(':memory:', { strict: true })
  writeEarlierLibrary(db, left)
  for (const pragma of WRITE_PRAGMAS) db.run(`PRAGMA ${pragma}`)
  assertWritableLibrary(db)
  upgrade(db)
  return db
}

/** Reads everything that a player can see. Throws where a page would fail. */
async function lookAtEverything(reader: Reader): Promise<void> {
  getSettings(reader)
  for (const { id } of listScenarios(reader)) {
    getScenario(reader, id)
    listCards(reader, { scenario_id: id })
  }
  for (const { id } of listAdventures(reader)) {
    getAdventure(reader, id)
    getWorld(reader, id)
    findAnswers(reader, id)
    listCards(reader, { adventure_id: id })
    getPortableAdventure(reader, id)
    await auditAdventure(reader, id)
    for (const action of listActions(reader, id, 240).actions) {
      listVariants(reader, id, action.id)
      getVariants(reader, action.id)
      findSnapshot(reader, id, action.id)
    }
  }
}

interface Odd {
  what: string
  /** The versions to which the case applies. */
  from?: number
  to?: number
  left: Omit<Left, 'version'>
  /** Checks the result. */
  see?: (reader: Reader, db: Database, at: number) => void
}

const one = (reader: Reader, sql: string) => reader.get<Row>(sql)

const odd: Odd[] = [
  {
    what: 'NaN and Infinity in what is counted',
    from: 29,
    left: {
      also: `UPDATE adventures SET world_state = '{"player": {"hp": NaN, "dread": -Infinity}, "npc": {"mira": {"trust": 3}}}'`,
    },
    see: (reader) =>
      expect(getWorld(reader, 1).state).toEqual({
        player: { hp: null, dread: null },
        npc: { mira: { trust: 3 } },
      }),
  },
  {
    what: 'NaN in a prompt that tells what was counted',
    from: 29,
    to: 42,
    left: {
      also: `UPDATE actions SET context_snapshot = replace(context_snapshot, '"new": 90', '"new": NaN') WHERE id = 3`,
    },
    see: (reader, _db, at) => {
      expect(findSnapshot(reader, 1, 3)).toMatchObject({
        world_state: { report: { applied: [{ new: null }] } },
      })
      if (at < 36)
        expect(listActions(reader, 1, 240).actions[2]).toMatchObject({
          world_changes: [{ label: 'hp', value: null }],
        })
    },
  },
  {
    what: 'NaN in a vector',
    to: 37,
    left: { also: `UPDATE memories SET embedding = '[0.5, NaN]'` },
    see: (reader) =>
      expect(one(reader, 'SELECT embedding, embedding_blob, embedded FROM memories WHERE id = 1')).toEqual({
        embedding: '[0.5, NaN]',
        embedding_blob: null,
        embedded: 0,
      }),
  },
  ...['{"not": "a list"}', 'gone', '["a"]', '[1e40]'].map(
    (kept): Odd => ({
      what: `a vector that is ${kept}`,
      to: 37,
      left: { also: `UPDATE memories SET embedding = '${kept}' WHERE id = 1` },
      see: (reader) =>
        expect(one(reader, 'SELECT embedding, embedded FROM memories WHERE id = 1')).toEqual({
          embedding: kept,
          embedded: 0,
        }),
    }),
  ),
  ...['[]', 'null'].map(
    (kept): Odd => ({
      what: `a vector that is ${kept}: there is nothing to keep`,
      to: 37,
      left: { also: `UPDATE memories SET embedding = '${kept}' WHERE id = 1` },
      see: (reader) =>
        expect(
          one(reader, "SELECT 1 FROM pragma_table_info('memories') WHERE name = 'embedding'"),
        ).toBeNull(),
    }),
  ),
  {
    what: 'a prompt that is no JSON',
    to: 42,
    left: { also: `UPDATE actions SET context_snapshot = 'x was here — {' WHERE id = 3` },
    see: (reader) => {
      const { kept } = one(reader, 'SELECT context_snapshot AS kept FROM actions WHERE id = 3') as {
        kept: Uint8Array
      }
      expect(inflateSync(kept).toString()).toBe('x was here — {')
      expect(findSnapshot(reader, 1, 3)).toBeNull()
    },
  },
  {
    what: 'a prompt that is the text null',
    to: 42,
    left: { also: `UPDATE actions SET context_snapshot = 'null' WHERE id = 3` },
    see: (reader) =>
      expect(one(reader, 'SELECT context_snapshot AS kept FROM actions WHERE id = 3')).toEqual({
        kept: null,
      }),
  },
  {
    what: 'a prompt that is kept as text, not packed',
    from: 45,
    left: {
      also: `UPDATE actions SET context_snapshot = '{"sections": [{"label": "narrator", "text": "Plain."}]}' WHERE id = 3`,
    },
    see: (reader) => expect(findSnapshot(reader, 1, 3)?.parts).toMatchObject([{ text: 'Plain.' }]),
  },
  {
    what: 'the text null wherever JSON may stand',
    from: 35,
    left: {
      also: `UPDATE scenarios SET stat_schema = 'null';
        UPDATE adventures SET world_state = 'null', placeholders = 'null', script_state = 'null';
        UPDATE actions SET world_state_before = 'null', state_before = 'null', variants = 'null'`,
    },
    see: (reader) => expect(getWorld(reader, 1)).toMatchObject({ state: {}, schema: null }),
  },
  {
    what: 'a world of which only a part is there',
    from: 29,
    left: {
      also: `UPDATE adventures SET world_state = '{"player": {"hp": 5}}'; UPDATE actions SET world_state_before = '{"flags": []}'`,
    },
    see: (reader) => expect(getWorld(reader, 1).state).toEqual({ player: { hp: 5 } }),
  },
  {
    what: 'a world, answers and attempts that are of the wrong kind',
    from: 35,
    left: {
      also: `UPDATE adventures SET world_state = '[1, 2]', placeholders = '"hero"';
        UPDATE actions SET variants = '{"text": "no list"}', world_state_before = '7'`,
    },
  },
  {
    what: 'attempts that lack everything',
    from: 35,
    left: {
      also: `UPDATE actions SET variants = '[null, 5, {}, {"text": 3}]', variant_index = 9 WHERE id = 14`,
    },
  },
  {
    what: 'rows that belong to nothing',
    left: {
      also: `PRAGMA foreign_keys = OFF;
        UPDATE actions SET adventure_id = 3 WHERE id = 3;
        UPDATE memories SET adventure_id = 3 WHERE id = 2;
        UPDATE story_cards SET adventure_id = 4;
        UPDATE adventures SET scenario_id = 77 WHERE id = 2`,
    },
    see: (reader, db) => {
      expect(one(reader, 'SELECT text FROM actions WHERE adventure_id = 3')).toEqual({
        text: 'Salt has eaten the rail.',
      })
      const id = insertAdventure(
        writerFor(db),
        1,
        { ...getAdventure(reader, 1), scenario_id: null, placeholders: {}, world_state: {}, stat_schema: {} },
        new Date(0),
      )
      // A new story does not inherit leftovers of another one.
      expect([id, listActions(reader, id, 9).actions]).toEqual([5, []])
    },
  },
  ...['VARCHAR(9)', 'TEXT NOT NULL', 'INTEGER', 'JSON NOT NULL', 'DATETIME NOT NULL', 'BLOB NOT NULL'].map(
    (strange): Odd => ({
      what: `a column of another program's in every table (${strange})`,
      left: { strange },
      see: (_, db) => {
        for (const table of ['settings', 'scenarios', 'adventures', 'actions', 'memories', 'story_cards'])
          expect(db.query(`SELECT DISTINCT strange FROM ${table}`).all()).toEqual([{ strange: 'strange' }])
      },
    }),
  ),
  {
    what: 'tables, indexes and views of another program',
    left: {
      also: `CREATE TABLE recipes (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO recipes VALUES (1, 'soup');
        CREATE VIRTUAL TABLE notes USING fts5(words); INSERT INTO notes VALUES ('mind the oven');
        CREATE INDEX by_text ON actions (text); CREATE INDEX by_prompt ON actions (context_snapshot);
        CREATE VIEW prompts AS SELECT id, context_snapshot FROM actions; CREATE VIEW "broken ""one""" AS SELECT x FROM nowhere`,
    },
    see: (reader) => {
      expect(
        one(reader, "SELECT name, (SELECT words FROM notes WHERE notes MATCH 'oven') AS note FROM recipes"),
      ).toEqual({
        name: 'soup',
        note: 'mind the oven',
      })
      expect(
        reader.all<Row>(
          "SELECT name FROM sqlite_schema WHERE name IN ('by_text', 'by_prompt', 'prompts', 'broken \"one\"')",
        ),
      ).toHaveLength(4)
      expect(one(reader, 'SELECT count(context_snapshot) AS n FROM prompts')).toEqual({ n: 4 })
    },
  },
  {
    what: 'an index on vectors that go',
    to: 41,
    left: { also: 'CREATE INDEX by_vector ON memories (embedding)' },
  },
  {
    what: 'rows without an owner',
    from: 23,
    left: {
      also: ['scenarios', 'adventures', 'settings', 'scripts']
        .map((table) => `UPDATE ${table} SET user_id = NULL`)
        .join(';'),
    },
    see: (reader) => expect(getSettings(reader).model).toBe('old-model'),
  },
  {
    what: 'rows of guests and of people who signed in',
    from: 23,
    left: {
      also: `INSERT INTO users (id, email, is_guest, created_at, demo_turns_used, demo_turns_date)
          VALUES (2, NULL, 1, '2026-03-01 10:00:00', 3, '2026-03-01'), (3, 'a@example.org', 0, '2026-03-01 10:00:00', 0, '');
        UPDATE users SET id = 4 WHERE id = 1; UPDATE settings SET id = 9, user_id = 4;
        CREATE TEMP TABLE another AS SELECT * FROM settings; UPDATE another SET id = 1, user_id = 2, model = 'of a guest';
        INSERT INTO settings SELECT * FROM another;
        UPDATE adventures SET user_id = 2 WHERE id = 1; UPDATE scenarios SET user_id = 3`,
    },
    see: (reader) => {
      const lists = [listAdventures(reader), listScenarios(reader)]
      expect([...lists.map((list) => list.length), getSettings(reader).model]).toEqual([2, 3, 'old-model'])
    },
  },
  {
    what: 'attempts of ten million letters',
    from: 35,
    left: {
      also: `UPDATE actions SET variants = '[{"text": "' || replace(hex(zeroblob(5000000)), '00', 'ab') || '"}, {"text": "b"}]' WHERE id = 14`,
    },
    see: (reader) =>
      expect(getVariants(reader, 14).variants.map(({ text }) => text.length)).toEqual([10_000_000, 1]),
  },
  {
    what: 'bytes where text should stand, and JSON',
    left: {
      also: `UPDATE actions SET text = CAST(text AS BLOB), type = CAST(type AS BLOB);
        UPDATE scenarios SET title = CAST('Lämp' AS BLOB), prompt = CAST(prompt AS BLOB), tags = CAST(tags AS BLOB);
        UPDATE adventures SET title = CAST(title AS BLOB), script_state = CAST(script_state AS BLOB);
        UPDATE memories SET text = CAST(text AS BLOB); UPDATE story_cards SET keys = CAST(keys AS BLOB), entry = x'';
        UPDATE settings SET model = CAST(model AS BLOB)`,
    },
    see: (reader) => {
      expect(getScenario(reader, 1).title).toBe('Lämp')
      expect(listAdventures(reader)[1]).toMatchObject({
        title: 'Nine Nights',
        snippet: expect.stringContaining('She steadies'),
      })
      expect(listActions(reader, 1, 240).actions[1]).toMatchObject({
        type: 'do',
        text: '> You climb the stair.',
      })
    },
  },
  {
    what: 'bytes where JSON should stand',
    from: 35,
    left: {
      also: `UPDATE actions SET variants = CAST(variants AS BLOB), world_state_before = CAST(world_state_before AS BLOB);
        UPDATE adventures SET world_state = CAST(world_state AS BLOB); UPDATE scenarios SET stat_schema = CAST(stat_schema AS BLOB)`,
    },
    see: (reader) => {
      expect(getWorld(reader, 1)).toMatchObject({
        state: { player: { hp: 60 } },
        schema: { player: { hp: { max: 100 } } },
      })
      expect(getVariants(reader, 14).variants).toHaveLength(3)
    },
  },
  {
    what: 'text where bytes should stand',
    from: 38,
    left: { also: `UPDATE memories SET embedding_blob = 'no vector'` },
  },
  {
    what: 'numbers beyond those that are exact',
    from: 29,
    left: {
      also: `UPDATE memories SET use_count = 9007199254740993, source_end = 9223372036854775807;
        UPDATE adventures SET memory_cursor = 9223372036854775807, world_state = '{"player": {"hp": 90071992547409931}}' WHERE id = 2;`,
    },
  },
  {
    what: 'moments of every form',
    left: {
      also: `UPDATE actions SET created_at = '2026-03-01 10:00:00' WHERE id = 1;
        UPDATE actions SET created_at = '2026-03-01T12:00:00+02:00' WHERE id = 2;
        UPDATE actions SET created_at = 1772359200 WHERE id = 3;
        UPDATE adventures SET updated_at = 'yesterday'; UPDATE memories SET last_used_at = '', created_at = x'00'`,
    },
    see: (reader) =>
      expect(
        listActions(reader, 1, 240)
          .actions.slice(0, 3)
          .map(({ created_at }) => created_at),
      ).toEqual(['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:00.000Z', '']),
  },
  {
    what: 'no version, because it was written out and read in again',
    left: { also: 'PRAGMA user_version = 0; UPDATE settings SET memory_bank_capacity = 200' },
    see: (reader, _db, at) => {
      expect(findSnapshot(reader, 1, 3)).not.toBeNull()
      expect(
        one(reader, 'SELECT embedded, octet_length(embedding_blob) AS bytes FROM memories WHERE id = 1'),
      ).toEqual({
        embedded: 1,
        bytes: 12,
      })
      expect(listActions(reader, 1, 240).actions.at(-1)?.variant_count).toBe(at < 35 ? 1 : 3)
      expect(reader.all<Row>('SELECT DISTINCT user_id FROM adventures')).toEqual([{ user_id: 1 }])
      // A setting that the player may have changed since is not reset.
      expect(getSettings(reader).memory_bank_capacity).toBe(at < 41 ? 80 : 200)
    },
  },
]

describe('an unusual file can be opened, read and continued, at every version', () => {
  for (const { what, from = 12, to = 45, left, see } of odd)
    test(what, async () => {
      for (const at of sampled(MADE_AT.filter((version) => version >= from && version <= to))) {
        using db = opened({ ...left, version: at })
        const reader = new Reader(db, () => {})
        await lookAtEverything(reader)
        see?.(reader, db, at)
        storeRows(db)
      }
    })
})

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { buildPrompt } from '../../../src/app/prompt/build-prompt.ts'
import { recallAhead } from '../../../src/app/prompt/load-recall.ts'
import type { Writer } from '../../../src/db/database.ts'
import type { Library } from '../../../src/db/library.ts'
import { pendingTexts, upsertVector } from '../../../src/db/search/text-vectors.ts'
import { insertAction } from '../../../src/db/tables/actions/write.ts'
import { updateEpoch } from '../../../src/db/tables/adventures.ts'
import { insertMemory } from '../../../src/db/tables/memory/memories.ts'
import { getSettings } from '../../../src/db/tables/settings.ts'
import { insertCard } from '../../../src/db/tables/story-cards.ts'
import { openLibrary } from '../../support/library/open.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const NOW = new Date('2026-01-01T00:00:00Z')

test('a prompt reads no more of a story with 1,000 memories, notes and cards than of one with 300', async () => {
  const [few, many] = [await reads(300), await reads(1_000)]
  // As many candidates by words and as many by meaning, of which some may be the same.
  expect(many.prompt.rows).toBeLessThanOrEqual(few.prompt.rows + 20)
  expect(many.prompt.bytes).toBeLessThanOrEqual(1.1 * few.prompt.bytes)
  expect(few.prompt.vectors + many.prompt.vectors).toBe(0)
})

test('vectors come into memory in pieces, each once', async () => {
  const { ahead } = await reads(1_000)
  expect(ahead.vectors).toBe(1_000)
  expect(ahead.mostVectors).toBeLessThanOrEqual(500)
})

test('what is no longer so is read once, however many memories and passages are looked up', async () => {
  const { prompt } = await reads(300)
  expect(prompt.statements.filter((sql) => sql.includes('no_longer >'))).toHaveLength(1)
})

test('the end of the story is read once, and no more of it than recall looks at', async () => {
  const { prompt } = await reads(300)
  const ends = prompt.statements.filter((sql) => /prompt_notes.+DESC LIMIT/s.test(sql))
  expect(ends).toHaveLength(1)
  expect(prompt.entries).toBeLessThanOrEqual(6)
})

interface Reads {
  statements: string[]
  rows: number
  bytes: number
  vectors: number
  /** Actions that were read from the end of the story on. */
  entries: number
  /** The most vectors that one statement gave. */
  mostVectors: number
}

/** What is read while the player reads, and then for the prompt of their next line. */
async function reads(count: number): Promise<{ ahead: Reads; prompt: Reads }> {
  let read = none()
  using library = openLibrary(join(temporaryFolder(), 'library.db'), {
    starters: [],
    watch: (sql, rows) => {
      read.statements.push(sql)
      const vectors = rows.filter((row) => Object(row).vector instanceof Uint8Array).length
      read.rows += rows.length
      if (/prompt_notes.+DESC LIMIT/s.test(sql)) read.entries += rows.length
      read.bytes += JSON.stringify(rows).length
      read.vectors += vectors
      read.mostVectors = Math.max(read.mostVectors, vectors)
    },
  })
  fill(library, count)
  const adventureId = 1
  read = none()
  await recallAhead(library.reader, adventureId, new AbortController().signal)
  const ahead = read
  read = none()
  const settings = getSettings(library.reader)
  const query = { model: 'e', line: Float64Array.of(1, 0) }
  const build = () => buildPrompt(library.reader, { adventureId, settings, query })
  build()
  say(library, 50, 'do', '> You look for the lamp.')
  library.write((tx) => {
    insertMemory(tx, 1, { text: 'A new lamp.', source: null }, NOW)
    embed(tx, 1)
  })
  build()
  say(library, 51, 'do', '> You ask the otter of Quillon for the lamp of the harbour, and it burns.')
  read = none()
  expect(build().memories.length).toBeGreaterThan(0)
  return { ahead, prompt: read }
}

function none(): Reads {
  return { statements: [], rows: 0, bytes: 0, vectors: 0, entries: 0, mostVectors: 0 }
}

function fill(library: Library, count: number): void {
  library.write((tx) => {
    tx.insert('adventures', { id: 1, title: 'A story', memory_bank_enabled: true })
    for (let index = 0; index < 50; index++)
      insertAction(
        tx,
        {
          adventure_id: 1,
          index,
          type: 'ai',
          text: index === 7 ? 'The otter of Quillon.' : `Passage ${index}.`,
          world_state_before: null,
        },
        NOW,
      )
    for (let i = 0; i < count; i++) {
      const text = i < 200 ? `The lamp of the harbour ${i} burns.` : `The river ${i} is wide.`
      insertMemory(tx, 1, { text, source: { start: i % 40, end: i % 40, hash: '' } }, NOW)
      insertMemory(tx, 1, { text: `${i}: ${text}`, source: null }, NOW)
      const card = { type: '', name: '', keys: `key${i}`, entry: text, notes: '' }
      insertCard(tx, { adventure_id: 1 }, card, null)
    }
    embed(tx, count)
    updateEpoch(tx, 1, { start: 40, summary: '', static_mark: '' })
  })
}

function embed(tx: Writer, count: number): void {
  const { texts } = pendingTexts(tx, 1, { model: 'e', before: 0, limit: count })
  for (const [i, text] of texts.entries())
    upsertVector(tx, 1, text, { model: 'e', vector: Float32Array.of(Math.cos(i), Math.sin(i)) })
}

function say(library: Library, index: number, type: 'do', text: string): void {
  library.write((tx) => {
    insertAction(tx, { adventure_id: 1, index, type, text, world_state_before: null }, NOW)
  })
}

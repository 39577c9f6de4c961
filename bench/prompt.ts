import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPrompt } from '../src/app/prompt/build-prompt.ts'
import { openLibrary } from '../src/db/library/open.ts'
import { rebuildMemoryIndex } from '../src/db/search/memory-search.ts'
import { getSettings } from '../src/db/tables/settings.ts'
import { drawFrom } from '../src/practice/seeded-random.ts'

/** Milliseconds to lay out a prompt of a story with this many actions, cards with three triggers, and memories. */
export function promptTime(actions: number, cards: number, memories: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-prompt-'))
  const library = openLibrary(join(folder, 'l.db'))
  const draw = drawFrom(3)
  const word = () => `w${draw(4_000)}x`
  const sentence = (length: number) => Array.from({ length }, word).join(' ')
  library.write((tx) => {
    const time = '2026-01-01 00:00:00.000000'
    tx.insert('adventures', { title: 'Big', created_at: time, updated_at: time, memory_bank_enabled: true })
    for (let index = 0; index < actions; index++)
      tx.run(
        'INSERT INTO actions (adventure_id, "index", type, text, created_at) VALUES (1, ?, ?, ?, ?)',
        index,
        index % 2 ? 'do' : 'ai',
        sentence(140),
        time,
      )
    for (let card = 0; card < cards; card++)
      tx.insert('story_cards', {
        adventure_id: 1,
        keys: `${word()}, ${word()}, ${word()}`,
        entry: sentence(40),
      })
    for (let memory = 0; memory < memories; memory++)
      tx.run(
        'INSERT INTO memories (adventure_id, text, source_start, source_end, created_at) VALUES (1, ?, ?, ?, ?)',
        sentence(25),
        memory,
        memory + 1,
        time,
      )
    rebuildMemoryIndex(tx)
  })
  const settings = getSettings(library.reader)
  const times = Array.from({ length: 30 }, () => {
    const began = performance.now()
    buildPrompt(library.reader, { adventureId: 1, settings })
    return performance.now() - began
  })
  library.close()
  rmSync(folder, { recursive: true })
  return times.sort((a, b) => a - b)[15] ?? 0
}

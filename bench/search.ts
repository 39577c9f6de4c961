import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchLibrary } from '../src/app/search-library.ts'
import { JOBS } from '../src/app/worker/jobs.ts'
import { openLibrary } from '../src/db/library/open.ts'
import { deleteActions, insertAction } from '../src/db/tables/actions/write.ts'
import { deleteAdventure } from '../src/db/tables/adventures.ts'
import { ms } from './median.ts'

const SYLLABLES = 'ba ce di fo gu the her ing ran tor mel wyn ash lo kri sta ne vo ul ed on er an'.split(' ')
const QUERIES = {
  'in one passage': 'silverfinch',
  'in most passages': 'ash',
  'beginning of many words': 'the',
  'a phrase of common words': '"the ing ran tor"',
  'a word but not another': 'melwyn -ash',
  'one character of Chinese': '图',
  'two characters of Chinese': '图书',
  'no match': 'qqqzzz',
}

/** Times and sizes for a library of 20 stories with this many actions of about 880 bytes in total. */
export async function searchTimes(actions: number): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'inglenook-search-'))
  const path = join(folder, 'library.db')
  const random = randomFrom(7)
  const words = Array.from({ length: 6_000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(SYLLABLES, random())).join(''),
  )
  const library = openLibrary(path)
  library.write((tx) => {
    const time = '2026-01-01 00:00:00.000000'
    for (let id = 1; id <= 20; id++)
      tx.insert('adventures', { title: `Story ${id}`, created_at: time, updated_at: time })
    for (let i = 0; i < actions; i++) {
      let text = i === 500 ? '图书馆 silverfinch ' : ''
      while (text.length < 880) text += `${pick(words, random() ** 3)} `
      tx.run(
        'INSERT INTO actions (adventure_id, "index", type, text, created_at) VALUES (?, ?, ?, ?, ?)',
        1 + (i % 20),
        Math.floor(i / 20),
        'ai',
        text,
        time,
      )
    }
  })
  library.close()
  const before = statSync(path).size
  const first = taken(() => openLibrary(path).close())
  const began = performance.now()
  await JOBS.index({ path }, { mayWrite: async () => {}, report: () => {} })
  const built = performance.now() - began
  const size = statSync(path).size - before
  const again = taken(() => openLibrary(path).close())
  const filled = openLibrary(path)
  const rows: Record<string, string> = {
    'first open': ms(first),
    'building the index': ms(built),
    'next open': ms(again),
    'index, bytes of each byte of text': (size / before).toFixed(2),
  }
  for (const [name, query] of Object.entries(QUERIES)) {
    rows[name] = ms(median(() => searchLibrary(filled.reader, query)))
    rows[`${name}, in one story`] = ms(median(() => searchLibrary(filled.reader, query, { adventure: 7 })))
  }
  const action = {
    adventure_id: 7,
    index: 99_999,
    type: 'ai',
    text: 'The road goes on. '.repeat(50),
  } as const
  const added: number[] = []
  rows['what an action takes to store'] = ms(
    median(() =>
      filled.write((tx) => added.push(insertAction(tx, { ...action, world_state_before: null }, new Date()))),
    ),
  )
  rows['what an action takes to delete'] = ms(
    median(() => filled.write((tx) => deleteActions(tx, 7, [added.pop() ?? 0], new Date()))),
  )
  rows['deleting a story'] = ms(taken(() => filled.write((tx) => deleteAdventure(tx, 7))))
  filled.close()
  rmSync(folder, { recursive: true })
  return rows
}

function median(work: () => unknown): number {
  const times = Array.from({ length: 9 }, () => taken(work))
  return times.sort((a, b) => a - b)[4] ?? 0
}

function taken(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

function pick(from: readonly string[], share: number): string {
  return from[Math.floor(share * from.length)] ?? ''
}

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
}

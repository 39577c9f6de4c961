import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countFound, judgedLibrary, STORY } from '../../support/library/judged-recall.ts'

const folder = join(import.meta.dir, 'planted')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('the reference set', () => {
  test('has not changed since it was frozen', () => {
    const sums = [...read('FROZEN.md').matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)]
    expect(sums).toHaveLength(4)
    for (const [, sum, name] of sums)
      expect([
        name,
        createHash('sha256')
          .update(read(name ?? ''))
          .digest('hex'),
      ]).toEqual([name, sum])
  })

  test('plants 100 facts among 1,000 memories, each asked for 500 turns later', () => {
    expect(STORY.memories).toHaveLength(1100)
    expect(STORY.askings).toHaveLength(100)
    for (const { fact, newest, index } of STORY.askings) {
      expect(newest).toHaveLength(3)
      expect(index - (STORY.memories[fact]?.source_end ?? 0)).toBe(1000)
    }
  })

  test('no fact has a unique word, and no query shares more than three words with its fact', () => {
    const memories = indexed(STORY.memories.map(({ text }) => text))
    const askings = indexed(STORY.askings.map(({ newest, line }) => [...newest, line].join('\n')))
    for (const [index, { fact }] of STORY.askings.entries()) {
      const words = factWords(STORY.memories[fact]?.text ?? '')
      const rare = words.filter((word) => memories(word).filter((row) => row !== fact + 1).length < 20)
      const shared = words.filter((word) => askings(word).includes(index + 1))
      expect({ fact, rare }).toEqual({ fact, rare: [] })
      expect(shared.length).toBeLessThanOrEqual(3)
    }
  })
})

/** The actions that fit into a window of 16,384 tokens. */
const WINDOW = 120

describe('recall@5 on the reference set, by the line alone', () => {
  const library = judgedLibrary()
  afterAll(() => library.close())

  test('is at least 0.9 among the passages older than the window', () => {
    expect(countFound(library, (index) => index - WINDOW)).toBeGreaterThanOrEqual(90)
  })

  test('is at least 0.9 among all 1,100 passages, later ones included', () => {
    expect(countFound(library, () => Infinity)).toBeGreaterThanOrEqual(90)
  })
})

function factWords(text: string): string[] {
  const stop = new Set(read('function-words.txt').split(/\s+/))
  return [...new Set(text.toLowerCase().match(/[a-z]{3,}/g) ?? [])].filter((word) => !stop.has(word))
}

/** Returns a lookup of the rows that contain a word, in any form. */
function indexed(texts: string[]): (word: string) => number[] {
  const db = new Database(':memory:')
  db.run("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')")
  for (const text of texts) db.query('INSERT INTO texts (text) VALUES (?)').run(text)
  const rows = db.query<{ rowid: number }, [string]>('SELECT rowid FROM texts WHERE texts MATCH ?')
  return (word) => rows.all(`"${word}"`).map(({ rowid }) => rowid)
}

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { forgetPromptSteps } from '../../src/db/stories/forget-prompts.ts'
import { sharePromptPartSteps } from '../../src/db/tables/prompt-parts.ts'
import { openLibrary } from '../support/library/open.ts'
import { temporaryFolder } from '../support/temporary.ts'

test('no step of deleting stored prompts reads more than some rows, however long the story is', () => {
  let rows = 0
  const watch = (_: string, read: readonly unknown[]) => (rows += read.length)
  using library = openLibrary(join(temporaryFolder(), 'library.db'), { watch })
  library.write((tx) => {
    const adventure_id = tx.insert('adventures', { title: 'Long' })
    for (let index = 0; index < 2_000; index++) {
      const prompt_notes = JSON.stringify({ before: [], after: [['memories', `used ${index}`]] })
      tx.insert('actions', {
        adventure_id,
        index,
        type: 'ai',
        text: 'Night.',
        context_snapshot: '{}',
        prompt_notes,
      })
      for (const hash of [`used ${index}`, `unused ${index}`])
        tx.insert('prompt_parts', { adventure_id, hash, since: index, text: 'x' })
    }
  })
  const counts: number[] = []
  for (const step of forgetPromptSteps(library.reader)) {
    rows = 0
    library.write(step)
    counts.push(rows)
  }
  expect(Math.max(...counts)).toBeLessThan(600)
  expect(library.reader.get('SELECT count(*) AS left FROM prompt_parts')).toEqual({ left: 2_000 })
  expect(library.reader.get('SELECT count(context_snapshot) AS left FROM actions')).toEqual({ left: 20 })
})

test('a hash that another program stored as bytes ends the deleting and the sharing of texts', () => {
  using library = openLibrary(join(temporaryFolder(), 'library.db'))
  const [from, to] = [0, 1].map((n) =>
    library.write((tx) => tx.insert('adventures', { title: `Lantern Rock ${n}` })),
  ) as [number, number]
  library.write((tx) => {
    for (const hash of ['a', new Uint8Array([0xc3, 0xff])])
      tx.insert('prompt_parts', { adventure_id: from, hash, since: 0, text: 'x' })
  })
  for (const steps of [sharePromptPartSteps(from, to, 9), forgetPromptSteps(library.reader)]) {
    let count = 0
    for (const step of steps) {
      library.write(step)
      expect(++count).toBeLessThan(20)
    }
  }
})

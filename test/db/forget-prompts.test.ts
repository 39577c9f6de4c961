import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { forgetPromptSteps } from '../../src/db/stories/forget-prompts.ts'
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

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

test('the model of a story does not import the service', () => {
  const support = join(import.meta.dir, '../support/stories')
  const importsOf = (file: string): string[] => {
    const text = readFileSync(join(support, file), 'utf8')
    return [...text.matchAll(/\bfrom '([^']+)'|\bimport\(?\s*'([^']+)'/g)].map(
      ([, from, bare]) => from ?? bare ?? '',
    )
  }
  expect(importsOf('story-model.ts')).toEqual(['./referee-model.ts'])
  expect(importsOf('recorder-model.ts')).toEqual(['./referee-model.ts', './story-model.ts'])
  expect(importsOf('referee-model.ts')).toEqual([])
})

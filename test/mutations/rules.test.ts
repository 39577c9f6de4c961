import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MUTATIONS } from './rules.ts'

test('every broken rule still stands where it is to be broken, once', () => {
  const root = join(import.meta.dir, '../..')
  const lost = MUTATIONS.filter(
    ({ file, find }) => readFileSync(join(root, file), 'utf8').split(find).length !== 2,
  )
  expect(lost.map(({ rule }) => rule)).toEqual([])
  expect(MUTATIONS.filter(({ find, replace }) => find === replace)).toEqual([])
  expect(new Set(MUTATIONS.map(({ rule }) => rule)).size).toBe(MUTATIONS.length)
})

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { typographic } from '../../../src/domain/text/typography.ts'

/** Paragraphs of a file beside this one, separated by empty lines. */
const paragraphs = (file: string) =>
  readFileSync(join(import.meta.dir, file), 'utf8')
    .split(/\n{2,}/)
    .flatMap((one) => one.trim() || [])

/** Where typogrify is wrong, or where only somebody who understands the sentence is right. */
const UNLIKE = ['‘_poison_’ or not', 'I might ‘a’ thought']

// `npm run bench typography` makes classics.typogrified.txt anew, with typogrify of Standard Ebooks.
test('paragraphs of books get the marks that typogrify gives them', () => {
  const [typed, wanted] = [paragraphs('classics.txt'), paragraphs('classics.typogrified.txt')]
  expect(typed).toHaveLength(wanted.length)
  const set = typed.map((one) => typographic(one, 'en'))
  const unlike = set.filter((one, i) => one !== wanted[i])
  expect(unlike).toHaveLength(UNLIKE.length)
  for (const [i, words] of UNLIKE.entries()) expect(unlike[i]).toContain(words)
})

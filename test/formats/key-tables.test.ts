import { describe, expect, spyOn, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseFile } from '../../src/formats/detect.ts'
import { Fields } from '../../src/formats/shared/fields.ts'
import { ReceiptBuilder } from '../../src/formats/shared/receipt.ts'
import { fatesOf, keyTables } from '../support/files/key-tables.ts'
import { SAMPLES } from './samples.ts'

const DOCUMENT = join(import.meta.dir, '../../docs/formats.md')
const HEADING = '\n## Every key\n'

/** The names that the parsers look for in the samples. */
function askedNames(): Set<string> {
  const asked = new Set<string>()
  const value = spyOn(Fields.prototype, 'value')
  const note = spyOn(ReceiptBuilder.prototype, 'note')
  for (const { bytes, name } of SAMPLES) parseFile(bytes, name)
  for (const [keys] of value.mock.calls) for (const key of keys) asked.add(key)
  for (const [, , holder, ...keys] of note.mock.calls)
    for (const key of Array.isArray(holder) ? [] : keys) asked.add(String(key))
  value.mockRestore()
  note.mockRestore()
  return asked
}

describe('the tables of keys', () => {
  test('in the documentation are those that the parsers make of the samples', () => {
    const document = readFileSync(DOCUMENT, 'utf8')
    const start = document.indexOf('\n### ', document.indexOf(HEADING)) + 1
    const expected = keyTables(SAMPLES)
    if (process.env.APP_TEST_TABLES) writeFileSync(DOCUMENT, document.slice(0, start) + expected)
    else expect(plainRows(document.slice(start))).toEqual(plainRows(expected))
  })

  test('have every name that a parser looks for', () => {
    const known = new Set(
      [...fatesOf(SAMPLES).values()].flatMap((fates) => [...fates.keys()].flatMap(lastNames)),
    )
    expect([...askedNames()].filter((name) => !known.has(name))).toEqual([])
  })
})

/** The rows of tables, however wide their columns are: the formatter aligns them. */
function plainRows(tables: string): string[] {
  return tables.split('\n').map((row) => row.replace(/ +\|/g, ' |').replace(/-{3,}/g, '---'))
}

/** The last name of a path, as it may be written. */
function lastNames(path: string): string[] {
  const quoted = /\["(.*)"\]$/.exec(path)?.[1]
  const plain = path.replace(/\[\]$/, '').split('.').at(-1) ?? ''
  return quoted === undefined ? [plain] : [quoted, plain]
}

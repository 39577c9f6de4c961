import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { lintSchema } from '../src/domain/world/lint.ts'
import { schemaErrors } from '../src/domain/world/validate-schema.ts'

const root = join(import.meta.dir, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

describe('the README', () => {
  test('names every variable that the program reads', () => {
    const names = new Set(read('src/config.ts').match(/APP_[A-Z_]+/g))
    expect(names.size).toBeGreaterThan(4)
    expect([...names].filter((name) => !read('README.md').includes(`\`${name}\``))).toEqual([])
  })

  test('names no variable that the program does not read', () => {
    const known = `${read('src/config.ts')} ${read('test/support/browser/browser.ts')}`
    expect(
      (read('README.md').match(/`APP_[A-Z_]+/g) ?? []).filter((name) => !known.includes(name.slice(1))),
    ).toEqual([])
  })

  test('gives commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const given = [...`${read('README.md')} ${read('CONTRIBUTING.md')}`.matchAll(/^npm (?:run )?([a-z:]+)/gm)]
    expect(given.length).toBeGreaterThan(3)
    expect(given.filter(([, name]) => !(`${name}` in scripts))).toEqual([])
  })
})

test('the example of stats in docs/formats.md is valid and gets no warning', () => {
  const [, json = ''] = /## Stats[\s\S]*?```json\n([\s\S]*?)```/.exec(read('docs/formats.md')) ?? []
  const schema = JSON.parse(json)
  expect(schemaErrors(schema)).toEqual([])
  expect(lintSchema(schema)).toEqual([])
})

describe('the documents', () => {
  const documents = ['*.md', 'docs/*.md', 'docs/decisions/*.md'].flatMap((files) => [
    ...new Glob(files).scanSync(root),
  ])

  test('name only files that exist', () => {
    const named = documents.flatMap((file) =>
      [...read(file).matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:tsx?|mjs|js|sql))`/g)].map(([, path = '']) => path),
    )
    const exists = (path: string) =>
      ['', 'src', 'test'].some((folder) => existsSync(join(root, folder, path)))
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((path) => !exists(path))).toEqual([])
  })

  test('have every rule that a comment cites, and comments cite nothing that is not here', () => {
    const rules = read('docs/rules.md')
    const numbers = new Set<string>()
    for (const section of rules.split(/^## /m).slice(1)) {
      const chapter = section.split('.')[0] ?? ''
      numbers.add(chapter)
      for (const [, rule] of section.matchAll(/^(\d+)\. /gm)) numbers.add(`${chapter}.${rule}`)
    }
    const source = [...new Glob('{src,test,bench,scripts,public}/**/*.{ts,tsx,js,mjs}').scanSync(root)]
    const cited = source.flatMap((file) =>
      [...read(file).matchAll(/docs\/rules\.md (\d+(?:\.\d+)?)/g)].map(([, number = '']) => number),
    )
    expect(cited.length).toBeGreaterThan(30)
    expect(cited.filter((number) => !numbers.has(number))).toEqual([])
    const elsewhere = /\((?:specification|rulings?|sheet)[ :]|\bof the [a-z-]+ sheet\b/
    expect(source.filter((file) => !file.endsWith('docs.test.ts') && elsewhere.test(read(file)))).toEqual([])
  })
})

describe('the table of attacks', () => {
  const rows = [...read('docs/security.md').matchAll(/^\| (\d+) +\|.*\| (`[^|]+`) +\|$/gm)].map(
    ([, number = '', files = '']) => ({ number, files: files.match(/[\w/.-]+\.test\.tsx?/g) ?? [] }),
  )

  test('has all of them, each once', () =>
    expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: 93 }, (_, i) => i + 1)))

  test('names tests whose titles begin with its numbers', () => {
    const untried = rows.flatMap(({ number, files }) =>
      // A title of its own, or a number in a table that a title is made of.
      files
        .filter((file) => !new RegExp(`['"\`\\[(]${number}[ ,:\\]]`).test(read(`test/${file}`)))
        .map((file) => `${number} in ${file}`),
    )
    expect([untried, rows.filter(({ files }) => files.length === 0)]).toEqual([[], []])
  })
})

test('each picture is shown somewhere, and small', () => {
  const pictures = [...new Glob('*').scanSync(join(root, 'docs/pictures'))]
  const documents = ['README.md', ...new Glob('docs/*.md').scanSync(root)].map(read).join()
  expect(pictures.length).toBeGreaterThan(2)
  expect(pictures.filter((name) => !documents.includes(`pictures/${name}`))).toEqual([])
  expect(pictures.filter((name) => Bun.file(join(root, 'docs/pictures', name)).size > 120_000)).toEqual([])
})

describe('the links between the documents', () => {
  for (const file of ['*.md', 'docs/*.md', 'docs/decisions/*.md'].flatMap((files) => [
    ...new Glob(files).scanSync(root),
  ]))
    test(file, async () => {
      const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
      const missing = []
      for (const link of links) {
        const target = join(root, file, '..', link)
        const exists =
          (await Bun.file(target).exists()) ||
          [...new Glob('*').scanSync({ cwd: target, onlyFiles: false })].length > 0
        if (!exists) missing.push(link)
      }
      expect(missing).toEqual([])
    })
})

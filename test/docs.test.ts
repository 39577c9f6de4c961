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

  test('are cited by no number of a rule, and comments cite nothing that is not here', () => {
    const source = [...new Glob('{src,test,bench,scripts,public}/**/*.{ts,tsx,js,mjs}').scanSync(root)]
    const numbered = /rules\.md(?:#[\w-]+)?\)?,? \(?\d/
    const elsewhere = /\((?:specification|rulings?|sheet)[ :]|\bof the [a-z-]+ sheet\b/
    const citing = (files: string[], pattern: RegExp) => files.filter((file) => pattern.test(read(file)))
    const others = source.filter((file) => !file.endsWith('docs.test.ts'))
    const current = documents.filter((file) => file !== 'CHANGELOG.md')
    expect(citing([...others, ...current], numbered)).toEqual([])
    expect(citing(others, elsewhere)).toEqual([])
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

/** True if the file or folder of a link exists, and has the heading that the link names. */
function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path === '' ? from : join(from, '..', path)
  if (!existsSync(join(root, target))) return false
  if (heading === undefined) return true
  const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, words = '']) => anchorOf(words))
  return headings.includes(heading)
}

/** The anchor that GitHub makes of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

describe('the links between the documents', () => {
  for (const file of ['*.md', 'docs/*.md', 'docs/decisions/*.md'].flatMap((files) => [
    ...new Glob(files).scanSync(root),
  ]))
    test(file, () => {
      const links = [...read(file).matchAll(/\]\((?!https?:)([^)]+)/g)].map(([, link = '']) => link)
      expect(links.filter((link) => !leadsSomewhere(file, link))).toEqual([])
    })
})

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, normalize, relative } from 'node:path'
import { Glob } from 'bun'

const root = join(import.meta.dir, '..')
const source = [...new Glob('src/**/*.{ts,tsx}').scanSync(root)].sort()

/** Layers, what each may import of the others, and which packages. "db: reading" lets only what reads through. */
const RULES: Record<string, { layers: string[]; packages: string[] }> = {
  // The hash of node:crypto and the packing and inflation of node:zlib are pure functions.
  domain: { layers: ['domain'], packages: ['@sinclair/typebox', 'node:crypto', 'node:zlib'] },
  db: {
    layers: ['db', 'domain'],
    packages: ['bun:sqlite', 'node:crypto', 'node:zlib', 'node:fs', 'node:path'],
  },
  narrator: { layers: ['narrator', 'domain'], packages: ['ipaddr.js', 'node:'] },
  app: { layers: ['app', 'domain', 'db', 'narrator'], packages: [] },
  http: {
    layers: ['http', 'domain'],
    packages: ['elysia', '@elysiajs/static', '@sinclair/typebox', 'node:'],
  },
  api: { layers: ['api', 'app', 'domain', 'http', 'db: reading'], packages: ['elysia', '@sinclair/typebox'] },
  views: {
    layers: ['views', 'app', 'domain', 'http', 'db: reading'],
    packages: ['elysia', '@sinclair/typebox', '@kitajs/html'],
  },
}

const READING = /^(Reader|(find|get|list)[A-Z]\w*|pictureHash)$/

interface Import {
  from: string
  names: string[]
  isType: boolean
}

describe('who imports whom', () => {
  for (const file of source) {
    const layer = file.split('/')[1] ?? ''
    const rule = RULES[layer]
    if (!rule || file.split('/').length < 3) continue
    test(file, () => {
      const strangers = importsOf(file).filter((one) => !isAllowed(one, file, rule))
      expect(strangers).toEqual([])
    })
  }

  test('nobody imports the start of the program', () => {
    const importers = source.filter((file) => importsOf(file).some(({ from }) => /\/index\.ts$/.test(from)))
    expect(importers).toEqual([])
  })

  test('a rule that nothing breaks would be seen to break', () => {
    const rule = { layers: ['domain'], packages: [] }
    expect(
      isAllowed({ from: '../db/database.ts', names: ['Reader'], isType: false }, 'src/domain/x.ts', rule),
    ).toBe(false)
    expect(isAllowed({ from: 'elysia', names: [], isType: true }, 'src/domain/x.ts', rule)).toBe(false)
    const face = { layers: ['db: reading'], packages: [] }
    expect(
      isAllowed({ from: '../db/actions.ts', names: ['insertAction'], isType: false }, 'src/api/x.ts', face),
    ).toBe(false)
  })
})

describe('the doors that keep the promise', () => {
  const doors: [what: string, pattern: RegExp, only: RegExp][] = [
    [
      'outbound connections',
      /\bfetch\(|'node:https?'|\b(connect|createConnection)\b[^\n]*'node:(net|tls)'|Bun\.connect|new WebSocket/,
      /^src\/narrator\/transport\.ts$/,
    ],
    ['unescaped HTML', /\braw\(/, /^src\/views\/(jsx\/jsx-runtime\.ts|layout\.tsx)$/],
    ['SQL', /'bun:sqlite'/, /^src\/db\//],
    ['the clock', /new Date\(\)|Date\.now\(/, /^src\/(clock\.ts|db\/(open|migrate|furnish|database)\.ts)$/],
  ]
  for (const [what, pattern, only] of doors)
    test(`${what} are made in one place`, () => {
      const users = source.filter((file) => pattern.test(textOf(file).replace(/^import type .*$/gm, '')))
      expect(users.length).toBeGreaterThan(0)
      expect(users.filter((file) => !only.test(file))).toEqual([])
    })
})

function isAllowed(
  { from, names, isType }: Import,
  file: string,
  { layers, packages }: (typeof RULES)[string] & object,
): boolean {
  if (!from.startsWith('.'))
    return packages.some((name) => from === name || from.startsWith(name.endsWith(':') ? name : `${name}/`))
  const target = relative('src', normalize(join(file, '..', from))).split('/')[0] ?? ''
  if (layers.includes(target)) return true
  return layers.includes(`${target}: reading`) && (isType || names.every((name) => READING.test(name)))
}

function importsOf(file: string): Import[] {
  const statements = textOf(file).matchAll(/^import\s+(type\s+)?(?:([\s\S]*?)\s+from\s+)?'([^']+)'/gm)
  return [...statements].map(([, isType, clause = '', from = '']) => ({
    from,
    isType: Boolean(isType),
    names: clause
      .replace(/[{}]/g, ',')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(' as ')[0] ?? ''),
  }))
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Glob } from 'bun'

const root = join(import.meta.dir, '..')
const filesIn = (pattern: string) => [...new Glob(pattern).scanSync(root)].sort()
const source = filesIn('src/**/*.{ts,tsx}')
const texts = new Map(
  [...source, ...filesIn('{test,bench,scripts}/**/*.{ts,tsx,mjs}')].map((file) => [
    file,
    readFileSync(join(root, file), 'utf8'),
  ]),
)

interface Layer {
  /** The layers below it that it may import; of "db: reading" only what reads. */
  layers: readonly string[]
  /** Packages; a name that ends in ":" stands for all that begin so. */
  packages: readonly string[]
}

const STORY = ['domain', 'lib']
const SERVICES = [...STORY, 'formats', 'practice', 'narrator', 'engine']

/** Import table: each layer may import those below it, never one beside it. */
const LAYERS: Record<string, Layer> = {
  lib: { layers: [], packages: ['@sinclair/typebox', 'jsonrepair', 'node:path', 'node:url'] },
  domain: { layers: ['lib'], packages: ['@sinclair/typebox', 're2js'] },
  formats: { layers: STORY, packages: ['@sinclair/typebox', 'htmlparser2'] },
  practice: { layers: STORY, packages: [] },
  db: {
    layers: STORY,
    packages: ['bun:sqlite', 'node:fs', 'node:path', 'node:url', 'node:v8'],
  },
  engine: { layers: ['lib'], packages: ['node:'] },
  narrator: { layers: STORY, packages: ['ipaddr.js', 'node:'] },
  app: { layers: [...SERVICES, 'db'], packages: ['@sinclair/typebox'] },
  http: {
    layers: STORY,
    packages: ['elysia', '@elysiajs/static', '@fastify/busboy', '@sinclair/typebox', 'node:'],
  },
  api: {
    layers: [...SERVICES, 'app', 'http', 'db: reading'],
    packages: ['elysia', '@elysiajs/openapi', '@sinclair/typebox'],
  },
  views: {
    layers: [...SERVICES, 'app', 'http', 'db: reading'],
    packages: ['elysia', '@sinclair/typebox', '@kitajs/html', 'qr'],
  },
}

const READING = /^(Reader|(find|get|list)[A-Z]\w*|pictureHash)$/

interface Import {
  from: string
  names: string[]
  isType: boolean
  /** It is loaded when it is used. */
  isLater: boolean
}

describe('imports', () => {
  for (const [name, layer] of Object.entries(LAYERS))
    test(`${name} imports only what is below it`, () => {
      const files = source.filter((file) => file.startsWith(`src/${name}/`))
      const broken = files.flatMap((file) =>
        importsOf(file)
          .filter((one) => !isAllowed(one, file, { ...layer, layers: [name, ...layer.layers] }))
          .map(({ from }) => `${file} imports ${from}`),
      )
      expect(files.length).toBeGreaterThan(0)
      expect(broken).toEqual([])
    })

  test('every folder of src is a layer', () => {
    const folders = source
      .filter((file) => file.split('/').length > 2)
      .map((file) => file.split('/')[1] ?? '')
    expect(new Set(folders)).toEqual(new Set([...Object.keys(LAYERS), 'cli']))
  })

  test('nobody imports the start of the program', () => {
    const importers = source.filter((file) => importsOf(file).some(({ from }) => /\/index\.ts$/.test(from)))
    expect(importers).toEqual([])
  })

  test('there are no cycles, types included', () => {
    const graph = new Map(source.map((file) => [file, importsOf(file).flatMap((one) => targetOf(one, file))]))
    expect(cyclesIn(graph)).toEqual([])
    expect(cyclesIn(new Map([['a', ['b']], ['b', ['c']], ['c', ['a']], ['d', ['a']]]))).toEqual([['a', 'b', 'c']]) // biome-ignore format: one graph a line
  })

  test('a start loads nothing that reads files, writes stories or makes the OpenAPI document', () => {
    const loaded = new Set<string>()
    const load = (file: string): void => {
      if (loaded.has(file)) return
      loaded.add(file)
      for (const one of importsOf(file).filter(({ isType, isLater }) => !isType && !isLater))
        for (const next of one.from.startsWith('.') ? targetOf(one, file) : [one.from]) load(next)
    }
    load('src/index.ts')
    load('src/cli/serve.ts')
    expect(loaded).toContain('src/app/files/import.ts')
    const late =
      /^src\/formats\/.*\/(parse-|make-(adventure|book|chat|epub|html|markdown|zip)\.)|@elysiajs\/openapi/
    expect([...loaded].filter((file) => late.test(file))).toEqual([])
  })

  test('an import that is not allowed is noticed', () => {
    const allowed = (one: Partial<Import> & { from: string }, file: string, layers: string[]) =>
      isAllowed({ names: [], isType: false, isLater: false, ...one }, file, { layers, packages: [] })
    expect(allowed({ from: '../db/database.ts' }, 'src/domain/any.ts', ['domain'])).toBe(false)
    expect(allowed({ from: 'elysia', isType: true }, 'src/domain/any.ts', ['domain'])).toBe(false)
    const insert = { from: '../db/tables/actions/write.ts', names: ['insertAction'] }
    expect(allowed(insert, 'src/api/any.ts', ['db: reading'])).toBe(false)
  })
})

describe('boundaries', () => {
  const boundaries: [what: string, pattern: RegExp, only: RegExp][] = [
    [
      'outbound connections',
      /\bfetch\(|'node:https?'|\b(connect|createConnection)\b[^\n]*'node:(net|tls)'|Bun\.connect|new WebSocket/,
      /^src\/narrator\/connect\/transport\.ts$/,
    ],
    ['unescaped HTML', /\bnew Markup\(/, /^src\/views\/jsx\/jsx-runtime\.ts$/],
    ['SQL', /'bun:sqlite'/, /^src\/db\//],
    [
      'the clock',
      /new Date\(\)|Date\.now\(/,
      /^src\/(clock\.ts|db\/(declared-columns|library\/[a-z-]+)\.ts)$/,
    ],
    ['writes to an open library', /\blibrary\.write\(/, /^src\/app\//],
    [
      'writers',
      /\bwriterFor\(|\bnew Writer\(/,
      /^src\/db\/(database|library|library\/(seed|repair)|earlier-release\/convert-trees)\.ts$/,
    ],
    ['output', /\bconsole\.|process\.std(out|err)/, /^src\/lib\/print\.ts$/],
    ['libraries', /\bnew Library\(/, /^src\/db\/library\/open\.ts$/],
  ]
  for (const [what, pattern, only] of boundaries)
    test(`${what}: in one place`, () => {
      const users = source.filter((file) => pattern.test(textOf(file).replace(/^import type .*$/gm, '')))
      expect(users.length).toBeGreaterThan(0)
      expect(users.filter((file) => !only.test(file))).toEqual([])
    })

  test('the API and the pages are not given the library', () => {
    const files = source.filter((file) => /^src\/(api|views)\//.test(file))
    const given = files.filter((file) =>
      /app\/deps\.ts|\b(Library|Writer)\b.*db\/database\.ts/.test(textOf(file)),
    )
    expect(given).toEqual([])
  })
})

describe('names', () => {
  test('no exported type is declared twice', () => {
    const declared = source.flatMap((file) =>
      [...textOf(file).matchAll(/^export (?:interface|type|class) (\w+)/gm)].map(([, name = '']) => name),
    )
    expect(declared.filter((name, index) => declared.indexOf(name) !== index)).toEqual([])
  })

  test('everything that is exported is used by another file', () => {
    const unused = source.flatMap((file) =>
      exportsOf(file)
        .filter((name) => !importersOf(file).some((text) => new RegExp(`\\b${name}\\b`).test(text)))
        .map((name) => `${file} ${name}`),
    )
    expect(unused).toEqual([])
  })

  test('a doc comment begins with a noun or a verb', () => {
    const clauses = source.flatMap(
      (file) =>
        texts
          .get(file)
          ?.match(CLAUSE)
          ?.map((one) => `${file}: ${one}`) ?? [],
    )
    expect(clauses).toEqual([])
  })

  test('no folder holds more than 16 files', () => {
    const counts = Map.groupBy(source, dirname)
    expect([...counts].filter(([, files]) => files.length > 16).map(([folder]) => folder)).toEqual([])
  })
})

/** A doc comment that says of something what or whether it is, and does not name it. */
const CLAUSE = /\/\*\*\s+(?:\* )?(?:What|Whether|Where|How|Why)\b.*/g

function isAllowed({ from, names, isType }: Import, file: string, { layers, packages }: Layer): boolean {
  if (!from.startsWith('.'))
    return packages.some((name) => from === name || from.startsWith(name.endsWith(':') ? name : `${name}/`))
  const path = normalize(join(dirname(file), from))
  if (path === 'package.json') return true
  const target = path.split('/')[1] ?? ''
  if (layers.includes(target)) return true
  return layers.includes(`${target}: reading`) && (isType || names.every((name) => READING.test(name)))
}

function targetOf({ from }: Import, file: string): string[] {
  const target = normalize(join(dirname(file), from))
  return from.startsWith('.') && texts.has(target) ? [target] : []
}

/** The groups of files of which each reaches every other one (Tarjan). */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const [order, low] = [new Map<string, number>(), new Map<string, number>()]
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): number => {
    order.set(file, order.size)
    low.set(file, order.size - 1)
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      const reached = order.has(next)
        ? stack.includes(next)
          ? (order.get(next) ?? 0)
          : Infinity
        : visit(next)
      low.set(file, Math.min(low.get(file) ?? 0, reached))
    }
    if (low.get(file) === order.get(file)) {
      const cycle = stack.splice(stack.indexOf(file))
      if (cycle.length > 1) cycles.push(cycle.sort())
    }
    return low.get(file) ?? 0
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return cycles
}

function importsOf(file: string): Import[] {
  const statements = textOf(file).matchAll(
    /^(?:import|export(?= (?:type )?(?:\{[^}]*\}|\*.*) from))\s+(type\s+)?(?:([\s\S]*?)\s+from\s+)?'([^']+)'/gm,
  )
  const later = [...textOf(file).matchAll(/\bimport\('([^']+)'\)/g)]
  const dynamic = later.map(([, from = '']) => ({ from, isType: false, isLater: true, names: [] }))
  const fixed = [...statements].map(([, isType, clause = '', from = '']) => ({
    from,
    isType: Boolean(isType),
    isLater: false,
    names: clause
      .replace(/[{}]/g, ',')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(' as ')[0] ?? ''),
  }))
  return [...fixed, ...dynamic]
}

function exportsOf(file: string): string[] {
  // The names of the JSX runtime are those that the compiler asks for.
  if (file.endsWith('/jsx-runtime.ts')) return []
  return [
    ...textOf(file).matchAll(/^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm),
  ].map(([, name = '']) => name)
}

const importers = Map.groupBy(
  [...texts.keys()].flatMap((file) =>
    importsOf(file).flatMap((one) => targetOf(one, file).map((target) => ({ file, target }))),
  ),
  ({ target }) => target,
)

function importersOf(file: string): string[] {
  return (importers.get(file) ?? []).map((one) => textOf(one.file))
}

function textOf(file: string): string {
  return texts.get(file) ?? ''
}

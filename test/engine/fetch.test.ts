import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Engine } from '../../src/engine/engine.ts'
import { ENGINE_PACKAGES, type EnginePackages } from '../../src/engine/fetch-engine.ts'
import { fakeEngine } from '../support/engine/fake-engine.ts'
import { hostileMarks, makeHostile } from '../support/service/hostile-folder.ts'
import { addressOf, spawnService } from '../support/service/process.ts'
import { startServer } from '../support/service/server.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A package registry on this machine, with packages that hold nothing but their names. */
function startRegistry() {
  const asked: string[] = []
  const files = new Map<string, Buffer>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const { pathname } = new URL(url)
      asked.push(pathname)
      const file = files.get(pathname)
      return file ? new Response(new Uint8Array(file)) : new Response('', { status: 404 })
    },
  })
  return { asked, files, url: `http://127.0.0.1:${server.port}/`, stop: () => server.stop(true) }
}

function packed(name: string): Buffer {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'package'))
  const manifest = { name, version: '1.0.0', scripts: { postinstall: 'touch ran' } }
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(manifest))
  const file = join(folder, 'file.tgz')
  Bun.spawnSync(['tar', '-czf', file, '-C', folder, 'package'])
  return readFileSync(file)
}

const registry = startRegistry()
afterAll(() => registry.stop())

/** The list of two packages, one of them for this platform alone. */
function listOf(names: [main: string, binary: string]): EnginePackages {
  const packages = names.map((name): [string, unknown[]] => {
    const bytes = packed(name)
    const file = name.split('/').at(-1)
    registry.files.set(`/${name}/-/${file}-1.0.0.tgz`, bytes)
    const hash = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    return [name, [`${name}@1.0.0`, '', {}, hash]]
  })
  return {
    ...ENGINE_PACKAGES,
    version: '1.0.0',
    binaries: { here: { name: names[1], megabytes: 1 } },
    graphics: {},
    packages: Object.fromEntries(packages),
  }
}

function absentEngine() {
  const folder = join(temporaryFolder(), 'engine')
  const packages = listOf(['node-llama-cpp', '@node-llama-cpp/here'])
  return fakeEngine({ folder, packages, platform: 'here', registry: registry.url })
}

describe('getting the engine', () => {
  test('fetches exactly the listed files, checks them and runs none of their scripts', async () => {
    const options = absentEngine()
    const engine = new Engine(options)
    registry.asked.length = 0
    engine.download(false)
    expect(engine.current().kind).toBe('fetching')
    await engine.fetched()
    expect(engine.current()).toEqual({ kind: 'resting', failure: '' })
    expect(registry.asked.sort()).toEqual([
      '/@node-llama-cpp/here/-/here-1.0.0.tgz',
      '/node-llama-cpp/-/node-llama-cpp-1.0.0.tgz',
    ])
    const folder = join(options.folder, '1.0.0')
    expect(readdirSync(join(folder, 'node_modules')).sort()).toEqual(['@node-llama-cpp', 'node-llama-cpp'])
    expect(existsSync(join(folder, 'node_modules/node-llama-cpp/ran'))).toBe(false)
    expect(existsSync(join(folder, 'cache'))).toBe(false)
    await engine.remove()
    expect(existsSync(options.folder)).toBe(false)
    expect(engine.current()).toEqual({ kind: 'absent', failure: '' })
  })

  test('another file than the expected one is deleted', async () => {
    const options = absentEngine()
    registry.files.set('/node-llama-cpp/-/node-llama-cpp-1.0.0.tgz', packed('other'))
    const engine = new Engine(options)
    engine.download(false)
    await engine.fetched()
    expect(engine.current()).toMatchObject({
      kind: 'absent',
      failure: expect.stringContaining('SHA-512 differs'),
    })
    expect(readdirSync(options.folder)).toEqual([])
  })

  test('a registry that does not answer costs a sentence', async () => {
    const engine = new Engine({ ...absentEngine(), registry: 'http://127.0.0.1:1/' })
    engine.download(false)
    await engine.fetched()
    expect(engine.current()).toMatchObject({ failure: expect.stringContaining('could not be fetched from') })
  })

  test('an engine that does not run on this machine is deleted', async () => {
    const engine = new Engine({
      ...absentEngine(),
      command: () => [process.execPath, '-e', 'process.exit(1)'],
    })
    engine.download(false)
    await engine.fetched()
    expect(engine.current()).toMatchObject({
      failure: expect.stringContaining('does not run on this machine'),
    })
  })
})

describe('what somebody has put into the folders above the library', () => {
  test('92 changes nothing of the download and of the engine', async () => {
    const folder = temporaryFolder()
    makeHostile(folder, { workspaces: ['data/engine/*'] })
    const engine = new Engine({
      ...absentEngine(),
      folder: join(folder, 'data/engine'),
      command: (place) => [process.execPath, copyOfChild(place)],
    })
    engine.download(false)
    await engine.fetched()
    expect(engine.current()).toEqual({ kind: 'resting', failure: '' })
    expect(readdirSync(join(folder, 'data/engine/1.0.0/node_modules')).sort()).toEqual([
      '@node-llama-cpp',
      'node-llama-cpp',
    ])
    expect(hostileMarks(folder)).toEqual([])
    expect(existsSync(join(folder, 'bun.lock'))).toBe(false)
  })
})

/** The fake process of the engine, with an import, next to the packages as an executable has it. */
function copyOfChild(folder: string): string {
  const path = join(folder, 'engine-child.ts')
  const child = readFileSync(join(import.meta.dir, '../support/engine/fake-child.ts'), 'utf8')
  writeFileSync(path, `import 'node:os'\n${child}`)
  return path
}

test('93 a download ends with the service, and the next start deletes what is left of it', async () => {
  const ended = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const silent = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: ({ signal }) => {
      signal.addEventListener('abort', () => ended.resolve())
      asked.resolve()
      return new Promise<Response>(() => {})
    },
  })
  const folder = temporaryFolder()
  const env = { APP_DB_PATH: join(folder, 'library.db'), npm_config_registry: silent.url.href }
  const service = spawnService(env)
  await fetch(`${await addressOf(service)}settings/engine/get`, { method: 'POST' })
  await asked.promise
  const left = () => readdirSync(join(folder, 'engine'))
  expect(left()).toEqual([`${ENGINE_PACKAGES.version}.part`])
  service.kill('SIGKILL')
  await ended.promise
  await addressOf(spawnService(env))
  expect(left()).toEqual([])
  await silent.stop(true)
})

test('the service asks no registry before the button is pressed, and the page says what it fetches', async () => {
  const server = await startServer({ engine: absentEngine() })
  registry.asked.length = 0
  for (const path of ['/', '/settings', '/settings/engine', '/api/engine/v1/models']) await server.ask(path)
  await server.ask('/settings/engine/find', { method: 'POST' })
  const page = await (await server.ask('/settings/engine')).text()
  expect(page).toContain('Get the engine')
  expect(page).toContain(`39 MB from 127.0.0.1:${new URL(registry.url).port}`)
  expect(registry.asked).toEqual([])
  await server.ask('/settings/engine/get', { method: 'POST' })
  await server.deps.engine.fetched()
  expect(registry.asked).toHaveLength(2)
  expect(await (await server.ask('/settings/engine')).text()).toContain('The engine is installed.')
})

test('every package of the list has a hash, and every platform its binary', () => {
  const { packages, binaries, graphics, version } = ENGINE_PACKAGES
  for (const entry of Object.values(packages)) expect(entry.at(-1)).toMatch(/^sha512-[\w+/]{86}==$/)
  const all = [binaries, graphics].flatMap((table) => Object.values(table).map(({ name }) => name))
  for (const name of ['node-llama-cpp', ...all]) expect(packages[name]?.[0]).toBe(`${name}@${version}`)
})

import { afterAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/temporary.ts'

// Machines without Bun: a copy of the scripts, a PATH without it, and a registry of our own.
const root = join(import.meta.dir, '../..')
const node = Bun.which('node')
const canFetch = node !== null && Bun.which('npm') !== null && process.platform !== 'win32'
const { version, packages } = JSON.parse(readFileSync(join(root, 'scripts/bun-packages.json'), 'utf8'))

/** A package of npm whose program and whose install script say that they ran. */
async function packed(says: string): Promise<Uint8Array<ArrayBuffer>> {
  const folder = temporaryFolder()
  const script = `touch "$INGLENOOK_TEST_RAN"`
  const program = `#!/bin/sh\n${script}\nif [ "$1" = --version ]; then echo ${version}; else echo ${says}; fi\n`
  mkdirSync(join(folder, 'package/bin'), { recursive: true })
  writeFileSync(join(folder, 'package/bin/bun'), program, { mode: 0o755 })
  const facts = { name: '@oven/bun-any', version, scripts: { preinstall: script, postinstall: script } }
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(facts))
  await Bun.$`tar -czf package.tgz package`.cwd(folder)
  return new Uint8Array(readFileSync(join(folder, 'package.tgz')))
}

const integrityOf = (bytes: Uint8Array) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

let sent = new Uint8Array()
const registry = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    if (request.url.endsWith('.tgz')) return new Response(sent)
    const tarball = `${new URL(request.url).origin}/bun-any.tgz`
    const dist = { tarball, integrity: integrityOf(sent) }
    const versions = { [version]: { name: '@oven/bun-any', version, dist } }
    return Response.json({ name: '@oven/bun-any', 'dist-tags': { latest: version }, versions })
  },
})
afterAll(() => registry.stop(true))

/** Starts the copy where only `expected` is the right file, while the registry sends `sends`. */
async function startWith(expected: Uint8Array, sends: Uint8Array<ArrayBuffer>) {
  sent = sends
  const folder = temporaryFolder()
  const ran = join(folder, 'ran')
  mkdirSync(join(folder, 'scripts'))
  mkdirSync(join(folder, 'bin'))
  for (const name of ['bun.mjs', 'bundle.mjs', 'start.mjs'])
    cpSync(join(root, 'scripts', name), join(folder, 'scripts', name))
  const any = { name: '@oven/bun-any', integrity: integrityOf(expected) }
  const everywhere = Object.fromEntries(Object.keys(packages).map((platform) => [platform, any]))
  writeFileSync(join(folder, 'scripts/bun-packages.json'), JSON.stringify({ version, packages: everywhere }))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const name of ['node', 'npm', 'sh', 'touch', 'env', 'echo'])
    await Bun.$`ln -s ${Bun.which(name) ?? name} ${join(folder, 'bin', name)}`
  const started = Bun.spawn([node ?? 'node', 'scripts/start.mjs'], {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'pipe',
    env: {
      PATH: join(folder, 'bin'),
      HOME: folder,
      INGLENOOK_TEST_RAN: ran,
      npm_config_registry: registry.url.href,
      npm_config_cache: join(folder, 'cache'),
    },
  })
  const [output, errors] = await Promise.all([
    new Response(started.stdout).text(),
    new Response(started.stderr).text(),
  ])
  const code = await started.exited
  const kept = existsSync(join(folder, '.runtime')) ? readdirSync(join(folder, '.runtime')) : []
  return { code, output, errors, ran: existsSync(ran), kept }
}

describe.skipIf(!canFetch)('the Bun that is fetched', () => {
  test('runs where its hash is the expected one', async () => {
    const bytes = await packed('started')
    expect(await startWith(bytes, bytes)).toMatchObject({
      code: 0,
      output: 'started\n',
      ran: true,
      kept: ['node_modules'],
    })
  })

  test('is refused where its hash is another, and nothing of it is run', async () => {
    const [expected, other] = [await packed('started'), await packed('something else')]
    const { errors, ...result } = await startWith(expected, other)
    expect(result).toEqual({ code: 1, output: '', ran: false, kept: [] })
    expect(errors).toContain(`another file than the expected @oven/bun-any ${version}: its SHA-512 differs`)
    expect(errors).toContain('nothing of it was run')
  })
})

test('each platform has a package and a hash of its own', () => {
  const all = Object.values<{ name: string; integrity: string }>(packages)
  expect(all.map(({ integrity }) => Buffer.from(integrity.slice(7), 'base64').length)).toEqual(
    all.map(() => 64),
  )
  expect(new Set(all.map(({ integrity }) => integrity)).size).toBe(all.length)
  expect(Object.keys(packages)).toEqual(
    expect.arrayContaining(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']),
  )
})

import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BadVariable, readConfig } from '../src/config.ts'
import { hostNames, listedHostNames, listeningNote, ownAddress } from '../src/own-address.ts'
import { openLibrary } from './support/library/open.ts'
import { addressOf, refusalOf, spawnService } from './support/service/process.ts'
import { temporaryFolder } from './support/temporary.ts'

describe('an invalid variable is refused by name', () => {
  const cases: [name: string, value: string][] = [
    ['APP_PORT', 'http'],
    ['APP_PORT', '65536'],
    ['APP_PORT', '-1'],
    ['APP_HOST', 'example.com'],
    ['APP_HOST', '0.0.0.0'],
    ['APP_HOST', '192.168.1.5'],
    ['APP_ALLOWED_HOSTS', 'http://stories.lan'],
    ['APP_ALLOWED_HOSTS', '*'],
    ['APP_CA_FILE', '/nowhere.pem'],
  ]
  for (const [name, value] of cases)
    test(`${name}=${value}`, () => {
      expect(() => readConfig({ [name]: value })).toThrow(BadVariable)
      expect(() => readConfig({ [name]: value })).toThrow(name)
    })
})

describe('defaults', () => {
  test('loopback, port 4747, and a library under the project', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 4747, corsOrigins: [], ca: null })
    expect(readConfig({}).dbPath).toBe(join(import.meta.dir, '../data/inglenook.db'))
  })
  test('other machines may use the allowed host names', () => {
    const config = readConfig({ APP_HOST: '0.0.0.0', APP_ALLOWED_HOSTS: 'Stories.lan' })
    const names = hostNames(config, 4747)
    expect(['stories.lan', 'stories.lan:4747', '127.0.0.1:4747'].filter((name) => !names.has(name))).toEqual(
      [],
    )
    expect(names.has('0.0.0.0:4747')).toBe(false)
    expect([...listedHostNames(config, 4747)]).toEqual(['stories.lan', 'stories.lan:4747'])
  })
  const addresses: [host: string, address: string, listening: string][] = [
    ['127.0.0.1', 'http://127.0.0.1:1/', ''],
    ['localhost', 'http://localhost:1/', ''],
    ['::1', 'http://[::1]:1/', ''],
    ['192.168.1.5', 'http://192.168.1.5:1/', ''],
    ['0.0.0.0', 'http://127.0.0.1:1/', '0.0.0.0:1'],
    ['::', 'http://[::1]:1/', '[::]:1'],
    ['0::0', 'http://[::1]:1/', '[::]:1'],
  ]
  for (const [host, address, listening] of addresses)
    test(`the address of ${host} is one that a browser understands, and says what else listens`, () => {
      expect(ownAddress(host, 1)).toBe(address)
      expect(/[\d.:[\]]+:1/.exec(listeningNote(host, address))?.[0] ?? '').toBe(listening)
    })
})

describe('the program', () => {
  test('says when it listens on all addresses of the machine', async () => {
    const child = spawnService({
      APP_DB_PATH: join(temporaryFolder(), 'library.db'),
      APP_HOST: '0.0.0.0',
      APP_ALLOWED_HOSTS: 'stories.lan',
    })
    let said = ''
    for await (const chunk of child.stdout as unknown as AsyncIterable<Uint8Array>) {
      said += new TextDecoder().decode(chunk)
      if (/is running at.*\n/.test(said)) break
    }
    expect(said).toMatch(/is running at http:\/\/127\.0\.0\.1:(\d+)\/ .*0\.0\.0\.0:\1/)
  })

  test('answers at the address that it prints, and ends cleanly during a turn', async () => {
    const APP_DB_PATH = join(temporaryFolder(), 'library.db')
    const child = spawnService({ APP_DB_PATH })
    const address = await addressOf(child)
    expect((await fetch(address)).status).toBe(200)
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    await fetch(`${address}api/adventures`, { ...json, body: '{"scenario_id":1}' })
    const turn = await fetch(`${address}api/adventures/1/actions`, {
      ...json,
      body: '{"type":"do","text":"wait"}',
    })
    const reader = turn.body?.getReader()
    let seen = ''
    while (!seen.includes('"chunk"')) seen += new TextDecoder().decode((await reader?.read())?.value)
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
    const library = openLibrary(APP_DB_PATH)
    expect(library.reader.all('SELECT type, text FROM actions ORDER BY id')).toMatchObject([
      { type: 'start' },
      { type: 'do', text: '> You wait.' },
    ])
    library.close()
  })

  test('when killed during a turn leaves the story intact and the library unlocked', async () => {
    const APP_DB_PATH = join(temporaryFolder(), 'library.db')
    const first = spawnService({ APP_DB_PATH })
    const address = await addressOf(first)
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    await fetch(`${address}api/adventures`, { ...json, body: '{"scenario_id":1}' })
    const turn = await fetch(`${address}api/adventures/1/actions`, {
      ...json,
      body: '{"type":"say","text":"Hello"}',
    })
    const reader = turn.body?.getReader()
    let seen = ''
    while (!seen.includes('"chunk"')) seen += new TextDecoder().decode((await reader?.read())?.value)
    first.kill('SIGKILL')
    await first.exited
    const again = await addressOf(spawnService({ APP_DB_PATH }))
    const story = (await (await fetch(`${again}api/adventures/1`)).json()) as {
      actions: unknown[]
      action_count: number
    }
    expect(story).toMatchObject({
      action_count: 2,
      actions: [{ type: 'start' }, { text: '> You say "Hello."', waiting: true }],
    })
    const answer = await (await fetch(`${again}api/adventures/1/retry`, { method: 'POST' })).text()
    expect(answer).toContain('"type":"done"')
  })

  const refusals: [
    what: string,
    prepare: (folder: string) => Promise<Record<string, string>> | Record<string, string>,
    says: string,
  ][] = [
    [
      'a port in use',
      async () => ({
        APP_PORT: String(
          new URL(await addressOf(spawnService({ APP_DB_PATH: join(temporaryFolder(), 'other.db') }))).port,
        ),
      }),
      'APP_PORT',
    ],
    [
      'a library that another service uses',
      async (folder) => {
        await addressOf(spawnService({ APP_DB_PATH: join(folder, 'library.db') }))
        return {}
      },
      'Another Inglenook',
    ],
    ['a bad variable', () => ({ APP_CORS_ORIGINS: '*' }), 'APP_CORS_ORIGINS'],
    [
      'a file that is no library',
      (folder) => {
        writeFileSync(join(folder, 'library.db'), 'Once upon a time')
        return {}
      },
      'not a database',
    ],
    [
      'a path through a file',
      (folder) => {
        mkdirSync(join(folder, 'a'))
        writeFileSync(join(folder, 'a/b'), '')
        return { APP_DB_PATH: join(folder, 'a/b/library.db') }
      },
      'APP_DB_PATH',
    ],
  ]
  for (const [what, prepare, says] of refusals)
    test(`refuses ${what} in one sentence`, async () => {
      const folder = temporaryFolder()
      const { code, said } = await refusalOf(
        spawnService({ APP_DB_PATH: join(folder, 'library.db'), ...(await prepare(folder)) }),
      )
      expect(code).toBe(1)
      expect(said).toContain(says)
      expect(said.split('\n')).toHaveLength(1)
    })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { version } from '../../package.json'
import { platformName } from '../../scripts/bun.mjs'
import { packages } from '../../scripts/bun-packages.json'
import { beginStory, hasBrowser, passages, visit } from '../support/browser/browser.ts'
import { isFullLane } from '../support/depth.ts'
import { ggufFile } from '../support/engine/gguf.ts'
import { freePort } from '../support/service/free-port.ts'
import { hostileMarks, makeHostile } from '../support/service/hostile-folder.ts'
import { addressOf, outputOf, refusalOf, type ServiceProcess } from '../support/service/process.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = join(import.meta.dir, '../..')
const platform = platformName()
const name = process.platform === 'win32' ? 'inglenook.exe' : 'inglenook'
/** Bun makes none for other systems than these. */
const canBuild = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'].includes(platform)

const node = Bun.which('node') ?? ''
const hasExecutable = canBuild && isFullLane
const hasPackage = canBuild && node !== '' && Bun.which('npm') !== null

/** Where both are installed, each in a folder of its own. */
let installed = ''

beforeAll(async () => {
  installed = mkdtempSync(join(tmpdir(), 'inglenook-'))
  const wanted = [...(hasExecutable ? [platform] : []), ...(hasPackage ? ['npm'] : [])]
  if (wanted.length === 0) return
  const build = Bun.spawn([process.execPath, join(root, 'scripts/build.ts'), ...wanted], { stdout: 'ignore' })
  expect(await build.exited).toBe(0)
  if (hasPackage) installPackage(join(installed, 'node_modules'))
})

afterAll(() => rmSync(installed, { recursive: true, force: true }))

/** As npm does, with the Bun that runs the tests in the place of the package's. */
function installPackage(folder: string): void {
  const { name: bun } = packages[platform as keyof typeof packages]
  const tarball = join(root, 'dist', `inglenook-${version}.tgz`)
  mkdirSync(join(folder, bun, 'bin'), { recursive: true })
  symlinkSync(process.execPath, join(folder, bun, 'bin/bun'))
  expect(Bun.spawnSync(['tar', '-xzf', tarball, '-C', folder]).exitCode).toBe(0)
  renameSync(join(folder, 'package'), join(folder, 'inglenook'))
}

/** A copy of the executable in a new folder. */
function copyOfExecutable(): string {
  const program = join(mkdtempSync(join(installed, 'executable-')), name)
  copyFileSync(join(root, 'dist', platform, name), program)
  return program
}

const packageCommand = () => [node, join(installed, 'node_modules/inglenook/inglenook.mjs')]

/** What a test has started. */
const running: ServiceProcess[] = []

afterAll(async () => {
  for (const child of running) {
    child.kill('SIGKILL')
    await child.exited
  }
})

/** Runs a command as someone who has nothing but the file: without a checkout, Bun, Node or a desktop. */
function run(
  command: string[],
  env: Record<string, string> = {},
  cwd: string = temporaryFolder(),
): ServiceProcess {
  const child = Bun.spawn(command, {
    cwd,
    env: { PATH: '/nowhere', APP_PORT: '0', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  running.push(child)
  return child
}

async function saidBy(child: ServiceProcess): Promise<{ code: number; said: string }> {
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return { code: await child.exited, said }
}

/** A story whose file is long enough for a worker. */
const LONG = JSON.stringify({
  format: 'ai-dnd-adventure-v1',
  title: 'Lamp Road',
  actions: Array.from({ length: 3_000 }, (_, index) => ({
    index,
    type: index === 0 ? 'start' : 'ai',
    text: `Night ${index}. ${'The lamp burns. '.repeat(10)}`,
  })),
})

describe.if(hasExecutable)('the executable', () => {
  let folder = ''
  let program = ''
  const data = () => join(folder, 'inglenook-data')

  beforeAll(() => {
    program = copyOfExecutable()
    folder = dirname(program)
  })

  test('says what it is and what it can do', async () => {
    expect(await saidBy(run([program, '--version']))).toEqual({ code: 0, said: `${version}\n` })
    const help = await saidBy(run([program, '--help']))
    for (const command of ['start', 'backup', 'restore', 'doctor', 'import'])
      expect(help.said).toContain(command)
    expect(help.said).not.toContain('limited')
    expect(await refusalOf(run([program, 'tell']))).toEqual({
      code: 1,
      said: 'There is no command "tell". --help lists what there is.',
    })
    expect((await refusalOf(run([program, '--tell']))).said).toContain('There is no option "--tell".')
    expect(readdirSync(folder)).toEqual([name])
  })

  test('keeps the library beside itself, plays, imports and exports in threads, and ends cleanly', async () => {
    const child = run([program])
    const address = await addressOf(child)
    expect(existsSync(join(data(), 'inglenook.db'))).toBe(true)
    const ask = (path: string, init?: RequestInit) => fetch(new URL(path, address), init)
    const send = (path: string, body: string) =>
      ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    const { id } = (await (await send('/api/adventures', '{"scenario_id":1}')).json()) as { id: number }
    const told = await (await send(`/api/adventures/${id}/actions`, '{"type":"do","text":"look"}')).text()
    expect(told).toContain('"type":"done"')
    const imported = await (await send('/api/import?apply=1', LONG)).json()
    const [long] = imported.adventure_ids
    const exported = await (await ask(`/api/adventures/${long}/export`)).json()
    expect(exported.actions).toHaveLength(3_000)
    const page = await (await ask('/')).text()
    const files = [...new Set(page.match(/\/public\/[^"]+/g))]
    expect(files.some((file) => file.endsWith('.woff2'))).toBe(true)
    for (const file of files) expect([file, (await ask(file)).status]).toEqual([file, 200])
    const { listening } = await (
      await ask('/api/devices', {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: '{"address":"127.0.0.1","port":0}',
      })
    ).json()
    expect([(await fetch(listening)).status, await (await ask('/devices')).text()]).toEqual([
      403,
      expect.stringContaining('class="qr"'),
    ])
    // What was imported is searched in the background; until it is, the doctor says so.
    while ((await (await ask('/api/search?q=lamp')).json()).indexing) await Bun.sleep(20)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })

  test('backs up, restores, imports and checks', async () => {
    const copy = join(folder, 'copy.db')
    expect((await saidBy(run([program, 'backup', copy]))).said).toBe(`Backup saved to ${copy}\n`)
    const card = join(folder, 'card.json')
    writeFileSync(card, JSON.stringify({ spec: 'chara_card_v2', data: { name: 'Odo', first_mes: 'Hello.' } }))
    expect((await saidBy(run([program, 'import', card]))).said).toContain('Scenarios imported: 1.')
    expect((await saidBy(run([program, 'restore', copy]))).said).toContain(`from ${copy}.`)
    const doctor = await saidBy(run([program, 'doctor']))
    expect([doctor.code, doctor.said]).toEqual([0, expect.stringContaining('No problems found.')])
  })

  test('a second start says where the first one runs', async () => {
    const APP_PORT = String(await freePort())
    const address = await addressOf(run([program], { APP_PORT }))
    const second = await saidBy(run([program], { APP_PORT }))
    expect(second).toEqual({ code: 0, said: `Inglenook is already running at ${address}\n` })
    const elsewhere = await refusalOf(run([program]))
    expect([elsewhere.code, elsewhere.said]).toEqual([
      1,
      expect.stringContaining('Another Inglenook is using'),
    ])
  })

  test('a library somewhere else is left where it is', async () => {
    const elsewhere = join(temporaryFolder(), 'my.db')
    rmSync(data(), { recursive: true })
    const APP_PORT = String(await freePort())
    const child = run([program, '--no-open'], { APP_DB_PATH: elsewhere, APP_PORT })
    while (!(await fetch(`http://127.0.0.1:${APP_PORT}/api/health`).catch(() => null)));
    child.kill('SIGTERM')
    expect([existsSync(elsewhere), existsSync(data())]).toEqual([true, false])
    expect((await saidBy(child)).said.split('\n')).toEqual([
      `Your stories are in ${elsewhere}`,
      `Inglenook is running at http://127.0.0.1:${APP_PORT}/`,
      expect.stringMatching(/^To stop it, press Ctrl\+C/),
      '',
    ])
  })

  test.if(hasBrowser)('its pages work in a browser', async () => {
    const address = await addressOf(run([program], { APP_DB_PATH: join(temporaryFolder(), 'l.db') }))
    const { page, faults } = await visit(address)
    await beginStory(page)
    await page.getByRole('textbox').last().fill('look around')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelectorAll('#story article .prose').length >= 3)
    expect((await passages(page)).length).toBeGreaterThanOrEqual(3)
    expect(faults).toEqual([])
  })
})

describe.if(hasPackage)('the npm package', () => {
  test('runs in an empty folder, with the library in the system’s data folder', async () => {
    const home = temporaryFolder()
    const env = { HOME: home, LOCALAPPDATA: home }
    expect((await saidBy(run([...packageCommand(), '--version'], env))).said).toBe(`${version}\n`)
    const child = run([...packageCommand(), '--no-open'], env)
    const page = await fetch(await addressOf(child))
    expect(page.status).toBe(200)
    await outputOf(child)
    const doctor = await saidBy(run([...packageCommand(), 'doctor'], env))
    expect(doctor.said).toContain('No problems found.')
    expect(doctor.said).toContain(`Library: ${home}`)
  })
})

describe('a folder that somebody else has filled', () => {
  const programs: [name: string, isThere: boolean, command: () => string[]][] = [
    ['the executable', hasExecutable, () => [copyOfExecutable()]],
    ['the npm package', hasPackage, packageCommand],
    ['a checkout', node !== '' && isFullLane, () => [node, join(root, 'scripts/start.mjs')]],
  ]
  for (const [product, isThere, command] of programs)
    test.if(isThere)(`91 has no say in what ${product} does there`, async () => {
      const [folder, home] = [temporaryFolder(), temporaryFolder()]
      makeHostile(folder)
      const card = { spec: 'chara_card_v2', data: { name: 'Odo', first_mes: 'Hello.' } }
      writeFileSync(join(folder, 'card.json'), JSON.stringify(card))
      writeFileSync(join(folder, 'model.gguf'), ggufFile())
      const program = command()
      const APP_PORT = String(await freePort())
      const env = {
        HOME: home,
        LOCALAPPDATA: home,
        APP_PORT,
        ...(product === 'a checkout' && { APP_DB_PATH: join(home, 'library.db') }),
      }
      const call = async (...args: string[]) => {
        const { said } = await saidBy(run([...program, ...args], env, folder))
        expect([args, hostileMarks(folder)]).toEqual([args, []])
        return said
      }
      const serve = async (args: string[], use?: (api: string) => Promise<void>) => {
        const child = run([...program, ...args], env, folder)
        const line = await lineWith('is running at', child)
        await use?.(`http://127.0.0.1:${APP_PORT}/api/`)
        child.kill('SIGTERM')
        await child.exited
        expect([args, hostileMarks(folder)]).toEqual([args, []])
        return line
      }
      const address = `Inglenook is running at http://127.0.0.1:${APP_PORT}/`
      expect(await call('--version')).toContain(`${version}\n`)
      expect(await call('--help')).toContain('import')
      expect(await serve(['play', 'model.gguf', '--no-open'])).toBe(`${address}settings/engine`)
      expect(await call('import', 'card.json')).toContain('Scenarios imported: 1.')
      expect(await serve(['start', '--no-open'], importInWorker)).toBe(address)
      expect(await call('backup', 'copy.db')).toContain(join(folder, 'copy.db'))
      expect(await call('restore', 'copy.db')).toContain('Restored')
      expect(await call('doctor')).toContain('No problems found.')
      expect(readdirSync(folder)).toContain('copy.db')
    })
})

async function importInWorker(api: string): Promise<void> {
  await fetch(`${api}import?apply=1`, { method: 'POST', body: LONG })
  while ((await (await fetch(`${api}search?q=lamp`)).json()).indexing) await Bun.sleep(20)
}

/** The first line of the output with these words, or else all of it. */
async function lineWith(words: string, child: ServiceProcess): Promise<string> {
  let said = ''
  for await (const chunk of child.stdout as unknown as AsyncIterable<Uint8Array>) {
    said += new TextDecoder().decode(chunk)
    const line = said
      .split('\n')
      .slice(0, -1)
      .find((one) => one.includes(words))
    if (line !== undefined) return line
  }
  return said + (await new Response(child.stderr).text())
}

import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENT_SCRIPT } from '../../src/http/client-script.ts'
import { addressOf, type ServiceProcess, spawnFile } from '../support/service/process.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = join(import.meta.dir, '../..')

/** A copy of the project, which starts as `npm start` does. */
function projectCopy() {
  const folder = temporaryFolder()
  for (const name of ['src', 'public', 'migrations', 'package.json', 'bun.lock', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  mkdirSync(join(folder, 'scripts'))
  for (const name of ['bun.mjs', 'bundle.mjs', 'bundle.ts', 'program.ts', 'start.mjs', 'bun-packages.json'])
    cpSync(join(root, 'scripts', name), join(folder, 'scripts', name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const started: ServiceProcess[] = []
  return {
    folder,
    async start() {
      const env = { APP_DB_PATH: join(folder, 'library.db'), APP_PORT: '0' }
      const child = spawnFile(join(folder, 'scripts/start.mjs'), env)
      started.push(child)
      const address = await addressOf(child)
      return {
        ask: (path: string, init?: RequestInit) => fetch(new URL(path, address), init),
        stop: () => stop(child),
        /** What it has printed beside its address. Await it when it has ended. */
        notes: () => new Response(child.stderr).text(),
      }
    },
    bundles: () => readdirSync(join(folder, '.runtime')).filter((name) => name.startsWith('bundle-')),
    [Symbol.asyncDispose]: async () => void (await Promise.all(started.map(stop))),
  }
}

// The script passes the signal on to the service.
async function stop(child: ServiceProcess): Promise<void> {
  child.kill('SIGTERM')
  await child.exited
}

/** A story whose file is long enough for a worker. */
const LONG = JSON.stringify({
  format: 'ai-dnd-adventure-v1',
  title: 'Lamp Road',
  actions: Array.from({ length: 300 }, (_, index) => ({
    index,
    type: index === 0 ? 'start' : 'ai',
    text: `Night ${index}. ${'The lamp burns. '.repeat(10)}`,
  })),
})

test('the service runs from its bundle, with its threads and the processes that try a library', async () => {
  await using project = projectCopy()
  const first = await project.start()
  const [bundle] = project.bundles()
  const page = await (await first.ask('/')).text()
  const script = await first.ask(page.match(/src="([^"]+\/app\.js)"/)?.[1] ?? '')
  const made = join(project.folder, '.runtime', bundle ?? '', 'public', CLIENT_SCRIPT)
  expect(await script.text()).toBe(readFileSync(made, 'utf8'))
  const [sources, hidden] = ['src', 'hidden'].map((name) => join(project.folder, name)) as [string, string]
  renameSync(sources, hidden)
  const imported = await first.ask('/api/import?apply=1', { method: 'POST', body: LONG })
  expect((await imported.json()).adventure_ids).toHaveLength(1)
  await first.stop()
  renameSync(hidden, sources)
  expect(await first.notes()).toContain('Preparing this version of Inglenook')

  // Whoever else has written to it: the next start tries it.
  writeFileSync(join(project.folder, 'library.db'), readFileSync(join(project.folder, 'library.db')))
  const second = await project.start()
  expect(await (await second.ask('/')).text()).toContain('Lamp Road')
  await second.stop()
  expect(await second.notes()).not.toContain('Preparing')
  expect(project.bundles()).toEqual([bundle ?? 'none'])
})

test('a changed source is run from a new bundle', async () => {
  await using project = projectCopy()
  await (await project.start()).stop()
  const [old] = project.bundles()
  const file = join(project.folder, 'src/own-address.ts')
  writeFileSync(file, `${readFileSync(file, 'utf8')}\nconsole.log('changed')\n`)
  await (await project.start()).stop()
  expect(project.bundles()).toHaveLength(2)
  expect(project.bundles()).toContain(old ?? '')
})

test('a project that cannot be written to runs from its sources', async () => {
  await using project = projectCopy()
  writeFileSync(join(project.folder, '.runtime'), 'not a folder')
  const service = await project.start()
  expect((await service.ask('/')).status).toBe(200)
})

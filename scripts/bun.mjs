// Finds the Bun to run with, fetches the pinned one from the package registry when there is none,
// and installs the locked dependencies. Runs under Node and under Bun.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const pinned = '1.4.5'

/** The path of a Bun that is new enough, with the dependencies in place. */
export function prepare({ development }) {
  const bun = findBun() ?? fetchBun()
  const { dependencies, devDependencies } = packageOf(root)
  const wanted = Object.entries({ ...dependencies, ...(development ? devDependencies : {}) })
  // Versions are compared too: an update brings other ones.
  if (!wanted.every(([name, version]) => packageOf(join(root, 'node_modules', name))?.version === version))
    must(bun, ['install', '--frozen-lockfile', ...(development ? [] : ['--production'])])
  return bun
}

function packageOf(folder) {
  const file = join(folder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Runs a program in the project's folder, hands signals on, and ends with its exit code. */
export function become(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0))))
}

function findBun() {
  if (process.versions.bun && isNewEnough(process.execPath)) return process.execPath
  return (
    inFolder('node_modules') ?? inFolder('.runtime/node_modules') ?? (isNewEnough('bun') ? 'bun' : undefined)
  )
}

function fetchBun() {
  console.error(`Fetching Bun ${pinned} from the package registry ...`)
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel', 'error']
  must(process.platform === 'win32' ? 'npm.cmd' : 'npm', [
    'install',
    '--prefix',
    '.runtime',
    ...quiet,
    `bun@${pinned}`,
  ])
  const bun = inFolder('.runtime/node_modules')
  if (bun) return bun
  console.error(
    `Bun ${pinned} was fetched but does not run on this machine. See https://bun.sh for other ways to get it.`,
  )
  process.exit(1)
}

// npm's own script moves the binary; where scripts are blocked it still lies in the platform's package.
function inFolder(folder) {
  const modules = join(root, folder)
  const platforms = existsSync(join(modules, '@oven')) ? readdirSync(join(modules, '@oven')).sort() : []
  const places = ['bun', ...platforms.map((name) => join('@oven', name))].flatMap((place) => [
    join(modules, place, 'bin/bun'),
    join(modules, place, 'bin/bun.exe'),
  ])
  return places.find((place) => existsSync(place) && isNewEnough(place))
}

function isNewEnough(program) {
  const asked = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return asked.status === 0 && asked.stdout.trim().localeCompare(pinned, 'en', { numeric: true }) >= 0
}

function must(program, args) {
  const ran = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (ran.status === 0) return
  console.error(`"${program} ${args.join(' ')}" did not succeed. Is the package registry within reach?`)
  process.exit(1)
}

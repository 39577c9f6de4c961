// Finds a Bun that is new enough or installs the pinned version from the package registry, and installs the locked
// dependencies. Runs under both Node and Bun.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
// The package of each platform with the SHA-512 of its file, as a lockfile of npm has it.
const { version: pinned, packages } = JSON.parse(
  readFileSync(join(root, 'scripts/bun-packages.json'), 'utf8'),
)
const DOWNLOAD = '.runtime/download'

/** Returns the path of a Bun that is new enough, after installing the dependencies if necessary. */
export function prepare({ development }) {
  const bun = findBun() ?? fetchBun()
  const { dependencies, devDependencies } = packageOf(root)
  const required = Object.entries({ ...dependencies, ...(development ? devDependencies : {}) })
  // Compares versions too, because an update of the project may change them.
  if (!required.every(([name, version]) => packageOf(join(root, 'node_modules', name))?.version === version))
    runOrExit(bun, ['install', '--frozen-lockfile', ...(development ? [] : ['--production'])])
  return bun
}

function packageOf(folder) {
  const file = join(folder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/**
 * Runs a program in the project's folder, passes signals on to it, and resolves with its exit code. As npm does, it names the
 * caller's folder in a variable.
 */
export function become(program, args) {
  const env = { INIT_CWD: process.cwd(), ...process.env }
  const child = spawn(program, args, { cwd: root, env, stdio: 'inherit' })
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
  fetchRuntime(platformName(), '.runtime')
  return (
    inFolder('.runtime/node_modules') ??
    refuse(`Bun ${pinned} was downloaded but does not run on this machine.`)
  )
}

/** Downloads the pinned Bun of a platform into the `node_modules` of a folder of the project. */
export function fetchRuntime(platform, folder) {
  const { name, integrity } = packages[platform] ?? {}
  if (!name) refuse(`There is no Bun ${pinned} for ${platform}.`)
  console.error(`Downloading Bun ${pinned} for ${platform} from the package registry...`)
  // Scripts of the package are not run, and nothing else is fetched. It may be another platform's.
  const options = ['--prefix', folder, '--offline', '--no-save', '--no-package-lock', '--force']
  if (!withPackage(name, pinned, integrity, (file) => npm('install', ...options, `./${file}`)))
    refuse(
      `The package registry sent another file than the expected ${name} ${pinned}: its SHA-512 differs. It was deleted, and nothing of it was run. Check which registry npm uses (npm config get registry).`,
    )
}

/** Downloads a package and gives its file to `use`, unless it is another than the expected: then it returns false. */
export function withPackage(name, version, integrity, use) {
  rmSync(join(root, DOWNLOAD), { recursive: true, force: true })
  mkdirSync(join(root, DOWNLOAD), { recursive: true })
  npm('pack', `${name}@${version}`, '--pack-destination', DOWNLOAD)
  const file = `${DOWNLOAD}/${readdirSync(join(root, DOWNLOAD))[0]}`
  const isExpected = integrityOf(join(root, file)) === integrity
  if (isExpected) use(file)
  rmSync(join(root, DOWNLOAD), { recursive: true })
  return isExpected
}

export { pinned }

/** Where {@link fetchRuntime} has put it; undefined where it has not. */
export function runtimeOf(platform, folder) {
  const bin = join(root, folder, 'node_modules', packages[platform].name, 'bin')
  return [join(bin, 'bun'), join(bin, 'bun.exe')].find((path) => existsSync(path))
}

/** Runs npm in the project's folder. The program ends where it fails. */
export function npm(...args) {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  runOrExit(process.platform === 'win32' ? 'npm.cmd' : 'npm', [...args, ...quiet])
}

/** The platform as `bun-packages.json` names it. */
export function platformName() {
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
  return `${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`
}

function integrityOf(file) {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
}

function refuse(sentence) {
  console.error(`${sentence} See https://bun.sh for other ways to install Bun.`)
  process.exit(1)
}

// Bun's own package has the binary in another place than that of a platform.
function inFolder(folder) {
  const modules = join(root, folder)
  const platforms = existsSync(join(modules, '@oven')) ? readdirSync(join(modules, '@oven')).sort() : []
  const candidates = ['bun', ...platforms.map((name) => join('@oven', name))].flatMap((name) => [
    join(modules, name, 'bin/bun'),
    join(modules, name, 'bin/bun.exe'),
  ])
  return candidates.find((path) => existsSync(path) && isNewEnough(path))
}

function isNewEnough(program) {
  const result = spawnSync(program, ['--version'], { cwd: root, encoding: 'utf8' })
  return result.status === 0 && result.stdout.trim().localeCompare(pinned, 'en', { numeric: true }) >= 0
}

function runOrExit(program, args) {
  const result = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (result.status === 0) return
  console.error(`"${program} ${args.join(' ')}" failed. Is the package registry reachable?`)
  process.exit(1)
}

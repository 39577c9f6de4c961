import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bunEnvironment, makeBunFolder } from './engine-process.ts'
import packageList from './packages.json'

export interface EnginePackages {
  version: string
  license: string
  /** Packed size without the binaries. */
  megabytes: number
  binaries: Record<string, { name: string; megabytes: number }>
  graphics: Record<string, { name: string; megabytes: number }>
  lockfileVersion: number
  /** Entries of Bun's lockfile: name with version, registry, dependencies, SHA-512. */
  packages: Record<string, unknown[]>
}

export const ENGINE_PACKAGES: EnginePackages = packageList

export interface EngineOffer {
  version: string
  license: string
  megabytes: number
  withGraphics: number | null
  registry: string
}

/** The registry in the player's configuration, or npm's. */
export function registryUrl(): string {
  const given = process.env.BUN_CONFIG_REGISTRY || process.env.npm_config_registry || ''
  return URL.canParse(given) ? given : 'https://registry.npmjs.org/'
}

export function engineOffer(list: EnginePackages, platform: string, registry: string): EngineOffer | null {
  const binary = list.binaries[platform]
  if (!binary) return null
  const megabytes = list.megabytes + binary.megabytes
  const graphics = list.graphics[platform]
  return {
    version: list.version,
    license: list.license,
    megabytes,
    withGraphics: graphics ? megabytes + graphics.megabytes : null,
    registry: new URL(registry).host,
  }
}

/** Name of this platform in the list; musl systems have none. */
export function enginePlatform(): string {
  const isMusl =
    process.platform === 'linux' &&
    existsSync('/lib') &&
    readdirSync('/lib').some((name) => /^ld-musl/.test(name))
  return `${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`
}

interface FetchOptions {
  list: EnginePackages
  platform: string
  registry: string
  graphics: boolean
  signal: AbortSignal
  report: (fetched: number, all: number) => void
}

const PROGRESS_INTERVAL = 300

/**
 * Installs the packages with Bun into a new folder: hashes are checked, no scripts run, and nothing outside the list
 * is requested. Throws an Error with a sentence, and leaves no folder.
 */
export async function fetchEngine(folder: string, options: FetchOptions): Promise<void> {
  const staging = `${folder}${UNFINISHED}`
  const cache = join(staging, 'cache')
  rmSync(staging, { recursive: true, force: true })
  const chosen = chosenPackages(options)
  const all = Object.keys(chosen.packages).length
  writeProject(staging, chosen)
  const timer = setInterval(() => options.report(Math.min(all, countIn(cache)), all), PROGRESS_INTERVAL)
  try {
    await install(staging, cache, options)
    for (const name of ['cache', MEMBER, join('node_modules', MEMBER)])
      rmSync(join(staging, name), { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
    renameSync(staging, folder)
  } finally {
    clearInterval(timer)
    rmSync(staging, { recursive: true, force: true })
  }
}

/** Deletes unfinished downloads, unless another program uses their files. */
export function clearUnfinishedEngines(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : []
  for (const name of names.filter((one) => one.endsWith(UNFINISHED)))
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch {}
}

const UNFINISHED = '.part'
/**
 * The only workspace member, in which Bun is started: it would otherwise use a workspace in a folder above the
 * library.
 */
const MEMBER = 'member'

interface ChosenPackages {
  lockfileVersion: number
  dependencies: Record<string, string>
  packages: Record<string, unknown[]>
}

function writeProject(folder: string, { lockfileVersion, dependencies, packages }: ChosenPackages): void {
  const project = { name: 'inglenook-engine', dependencies }
  const member = { name: MEMBER }
  const lock = {
    lockfileVersion,
    workspaces: { '': project, [MEMBER]: member },
    packages: { ...packages, [MEMBER]: [`${MEMBER}@workspace:${MEMBER}`] },
  }
  for (const path of [folder, join(folder, MEMBER)]) makeBunFolder(path)
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ ...project, private: true, workspaces: [MEMBER] }),
  )
  writeFileSync(join(folder, MEMBER, 'package.json'), JSON.stringify(member))
  writeFileSync(join(folder, 'bun.lock'), JSON.stringify(lock))
}

function chosenPackages({ list, platform, graphics }: FetchOptions): ChosenPackages {
  const extra = graphics ? list.graphics[platform]?.name : undefined
  const binaries = [list.binaries[platform]?.name, extra].filter((name) => name !== undefined)
  const others = [list.binaries, list.graphics].flatMap((table) =>
    Object.values(table).map(({ name }) => name),
  )
  const excluded = new Set(others.filter((name) => !binaries.includes(name)))
  const names = ['node-llama-cpp', ...binaries]
  return {
    lockfileVersion: list.lockfileVersion,
    dependencies: Object.fromEntries(names.map((name) => [name, list.version])),
    packages: Object.fromEntries(Object.entries(list.packages).filter(([key]) => !excluded.has(key))),
  }
}

async function install(folder: string, cache: string, { registry, signal }: FetchOptions): Promise<void> {
  const child = Bun.spawn({
    cmd: [process.execPath, 'install', ...INSTALL_OPTIONS, `--registry=${registry}`],
    cwd: join(folder, MEMBER),
    // Nor does it read the player's settings, which are for other projects.
    env: {
      ...bunEnvironment(),
      HOME: folder,
      USERPROFILE: folder,
      XDG_CONFIG_HOME: folder,
      BUN_INSTALL_CACHE_DIR: cache,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  const errors = await new Response(child.stderr).text()
  if ((await child.exited) === 0) return
  signal.throwIfAborted()
  throw new Error(failureOf(errors, registry))
}

const INSTALL_OPTIONS = [
  '--frozen-lockfile',
  '--linker=hoisted',
  '--ignore-scripts',
  '--production',
  '--no-progress',
  '--no-summary',
]

function failureOf(errors: string, registry: string): string {
  const { host } = new URL(registry)
  if (/integrity/i.test(errors))
    return `${host} sent another file than the expected one: its SHA-512 differs. It was deleted, and nothing of it was run.`
  if (/ENOSPC|no space/i.test(errors)) return 'The disk is full, so the engine was not downloaded.'
  return `The engine could not be fetched from ${host}. Is this machine connected to the internet?`
}

function countIn(folder: string): number {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.includes('@')).length : 0
}

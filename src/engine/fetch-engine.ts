import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bunEnvironment, makeBunFolder } from './engine-process.ts'
import packageList from './packages.json'

/** The packages of the engine with their hashes, and the one with the binary of each platform. */
export interface EnginePackages {
  version: string
  license: string
  /** The packed size of everything except the binaries. */
  megabytes: number
  binaries: Record<string, { name: string; megabytes: number }>
  /** The additional packages for graphics cards. */
  graphics: Record<string, { name: string; megabytes: number }>
  lockfileVersion: number
  /** As in the lockfile of Bun: the name with its version, the registry, what it needs, and its SHA-512. */
  packages: Record<string, unknown[]>
}

export const ENGINE_PACKAGES: EnginePackages = packageList

/** The download for a platform, as the player reads it; null if there is no engine for it. */
export interface EngineOffer {
  version: string
  license: string
  megabytes: number
  /** With the packages for graphics cards; null where there are none. */
  withGraphics: number | null
  /** The host that it comes from. */
  registry: string
}

/** The registry of the player's own configuration, or npm's. */
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

/** The name of this machine in the list; one without the usual C library has none. */
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
  /** Whether to fetch the packages for graphics cards too. */
  graphics: boolean
  signal: AbortSignal
  /** The number of packages that are downloaded, and of all. */
  report: (fetched: number, all: number) => void
}

const POLL = 300

/**
 * Lets Bun's package manager download the packages into a folder that does not exist yet. It checks the SHA-512 of each,
 * runs none of their scripts, and requests nothing that is not in the list. Throws an Error in a sentence; then the folder
 * does not exist.
 */
export async function fetchEngine(folder: string, options: FetchOptions): Promise<void> {
  const staging = `${folder}${UNFINISHED}`
  const cache = join(staging, 'cache')
  rmSync(staging, { recursive: true, force: true })
  const chosen = chosenPackages(options)
  const all = Object.keys(chosen.packages).length
  writeProject(staging, chosen)
  const timer = setInterval(() => options.report(Math.min(all, countIn(cache)), all), POLL)
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

/** Deletes downloads that were not finished, unless another program uses their files. */
export function clearUnfinishedEngines(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : []
  for (const name of names.filter((one) => one.endsWith(UNFINISHED)))
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch {}
}

/** The end of a folder's name while it is being filled. */
const UNFINISHED = '.part'
/**
 * The only member of the workspace that the package manager is started in: it takes the nearest workspace above it for its own,
 * and would otherwise find one that somebody has put into a folder above the library.
 */
const MEMBER = 'member'

/** The packages that are downloaded, and those that the engine's folder depends on itself. */
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
  const left = new Set(others.filter((name) => !binaries.includes(name)))
  const names = ['node-llama-cpp', ...binaries]
  return {
    lockfileVersion: list.lockfileVersion,
    dependencies: Object.fromEntries(names.map((name) => [name, list.version])),
    packages: Object.fromEntries(Object.entries(list.packages).filter(([key]) => !left.has(key))),
  }
}

async function install(folder: string, cache: string, { registry, signal }: FetchOptions): Promise<void> {
  const child = Bun.spawn({
    cmd: [process.execPath, 'install', ...INSTALL, `--registry=${registry}`],
    cwd: join(folder, MEMBER),
    // It reads no settings of the player's either, which are made for other projects.
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

const INSTALL = [
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

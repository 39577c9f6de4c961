// The bundle that `npm start` runs. It is made when a source has changed, and takes a third of the time to start.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bun.mjs'

const BUNDLES = join(root, '.runtime')
/** Bundles that are kept: a service that still runs may need the one before. */
const KEPT = 3

/** The path of the service's program: the bundle, or its source where a bundle cannot be made. */
export function serviceProgram(bun) {
  const folder = join(BUNDLES, `bundle-${hashOfSources()}`)
  const program = join(folder, 'index.js')
  if (!existsSync(program)) {
    console.error('Preparing this version of Inglenook, once...')
    makeBundle(bun, folder)
  }
  return existsSync(program) ? program : join(root, 'src/index.ts')
}

// Under another name until it is complete.
function makeBundle(bun, folder) {
  const unfinished = `${folder}.${process.pid}`
  const { status } = spawnSync(bun, [join(root, 'scripts/bundle.ts'), unfinished, folder], {
    cwd: root,
    stdio: 'ignore',
  })
  if (status !== 0) return
  try {
    renameSync(unfinished, folder)
  } catch {
    // Another start has made it.
    rmSync(unfinished, { recursive: true, force: true })
  }
  for (const old of bundles().slice(KEPT)) rmSync(old, { recursive: true, force: true })
}

/** Newest first. */
function bundles() {
  if (!existsSync(BUNDLES)) return []
  return readdirSync(BUNDLES)
    .filter((name) => name.startsWith('bundle-'))
    .map((name) => join(BUNDLES, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
}

// By size and time, as build tools do: reading them all takes too long. A bundle knows the folder of the project.
function hashOfSources() {
  const files = [
    'package.json',
    'bun.lock',
    'scripts/bun-packages.json',
    'scripts/bundle.ts',
    'scripts/program.ts',
  ]
  const stamps = [...files.map(stampOf), ...['src', 'public', 'migrations'].flatMap(stampsIn)]
  return createHash('sha256')
    .update([root, ...stamps].join('\n'))
    .digest('hex')
    .slice(0, 16)
}

// Walks itself: Node's `recursive` takes ten times as long.
function stampsIn(folder) {
  const path = join(root, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const name = `${folder}/${entry.name}`
      return entry.isDirectory() ? stampsIn(name) : stampOf(name)
    })
}

function stampOf(file) {
  const stat = statSync(join(root, file), { throwIfNoEntry: false })
  return `${file} ${stat?.size} ${stat?.mtimeMs}`
}

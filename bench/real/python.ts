import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CannotRun } from './cannot-run.ts'

const PROJECT = join(import.meta.dir, '../..')

/**
 * A folder of its own with packages from the Python package index: each what pip gets, the pinned package last. Filled once.
 * Returns the path of its Python. Throws CannotRun.
 */
export function pythonWith(packages: readonly string[][]): string {
  const folder = resolve(PROJECT, process.env.APP_REAL_CACHE || '.real', 'venv')
  const python = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
  if (!isUsable(python)) makeFolder(folder)
  for (const one of packages) if (!isInstalled(python, one.at(-1) ?? '')) install(python, one)
  return python
}

// A folder may be half made, or its Python may have been replaced by another version.
function isUsable(python: string): boolean {
  return existsSync(python) && run([python, '-m', 'pip', '--version']).success
}

function makeFolder(folder: string): void {
  const python = ['python3', 'python'].find(isNewEnough)
  if (!python) throw new CannotRun('Python 3.10 or newer is needed, and none was found.')
  const made = run([python, '-m', 'venv', '--clear', folder])
  if (!made.success)
    throw new CannotRun(`Python cannot make a folder for packages. Install python3-venv. ${lastLine(made)}`)
}

function isNewEnough(python: string): boolean {
  const test = 'import sys; sys.exit(sys.version_info < (3, 10))'
  return Bun.which(python) !== null && run([python, '-c', test]).success
}

function isInstalled(python: string, pinned: string): boolean {
  const [name = '', version = ''] = pinned.split('==')
  const test =
    'import sys; from importlib.metadata import version; sys.exit(version(sys.argv[1]) != sys.argv[2])'
  return run([python, '-c', test, name, version]).success
}

function install(python: string, packages: readonly string[]): void {
  console.error(`Downloading ${packages.at(-1)} from the Python package index...`)
  const done = run([python, '-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', ...packages])
  if (!done.success)
    throw new CannotRun(
      `${packages.at(-1)} could not be installed. Is the Python package index reachable? ${lastLine(done)}`,
    )
}

function run(command: string[]) {
  return Bun.spawnSync(command, { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' })
}

function lastLine({ stderr }: { stderr: Buffer }): string {
  return stderr.toString().trim().split('\n').at(-1) ?? ''
}

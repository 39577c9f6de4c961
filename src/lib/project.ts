import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// Defined by the build scripts; undefined when the sources run.
declare const BUILD: 'bundle' | 'package' | 'executable' | undefined
/** Folders of the bundle and its checkout: in a bundle, `import.meta` still refers to this source file. */
declare const BUNDLE: { folder: string; checkout: string }

/** Kind of build: `sources`, `bundle` (made by `npm start`), `package` (npm) or `executable` (a single file). */
export const build = typeof BUILD === 'undefined' ? 'sources' : BUILD

export const isInstalled = build === 'package' || build === 'executable'

export const PROGRAM_FOLDER =
  build === 'sources' ? join(import.meta.dir, '../..') : build === 'bundle' ? BUNDLE.folder : import.meta.dir

/**
 * The caller's folder; empty for the current one. npm and our package start the program elsewhere, and pass it in a
 * variable.
 */
const CALLER_FOLDER = build === 'executable' ? '' : (process.env.INIT_CWD ?? '')

export const BASE_FOLDER = build === 'bundle' ? BUNDLE.checkout : isInstalled ? CALLER_FOLDER : PROGRAM_FOLDER

export const PROGRAMS = ['app/worker/worker'] as const

export function programUrl(name: (typeof PROGRAMS)[number]): URL {
  return pathToFileURL(sourceOrBuilt(name))
}

/** Program of the engine's process. A build has it in its own folder, because it is not part of the program. */
export function engineProgram(): string {
  return build === 'sources'
    ? join(PROGRAM_FOLDER, ENGINE_CHILD)
    : join(PROGRAM_FOLDER, 'engine', 'engine-child.js')
}

export const ENGINE_CHILD = 'src/engine/child/engine-child.ts'

export function commandLine(command: string): string {
  return isInstalled ? `inglenook ${command}` : `npm run ${command}`
}

function sourceOrBuilt(name: string): string {
  return build === 'sources'
    ? join(PROGRAM_FOLDER, 'src', `${name}.ts`)
    : join(PROGRAM_FOLDER, `${basename(name)}.js`)
}

/** Path of a package file, such as `htmx.org/dist/htmx.min.js`. A build has only those that it serves. */
export function packageFile(name: string): string {
  return build === 'sources' ? Bun.resolveSync(name, PROGRAM_FOLDER) : join(PROGRAM_FOLDER, 'packages', name)
}

export function callerPath(typed: string): string {
  return resolve(CALLER_FOLDER, typed)
}

import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// The scripts that make a build define these; both are undefined when the sources run.
declare const BUILD: 'bundle' | 'package' | 'executable' | undefined
/**
 * The folder of the bundle of a checkout, and the checkout. In a bundle, `import.meta` still refers to this source file.
 */
declare const BUNDLE: { folder: string; checkout: string }

/**
 * How this program was built: `sources` run as they are, `bundle` is what `npm start` makes of them, `package` is the npm
 * package and `executable` the single file.
 */
export const build = typeof BUILD === 'undefined' ? 'sources' : BUILD

/** Whether it runs without a checkout. */
export const isInstalled = build === 'package' || build === 'executable'

/** The folder with `public`, `migrations` and, in a build, the programs and the files of packages. */
export const PROGRAM_FOLDER =
  build === 'sources' ? join(import.meta.dir, '../..') : build === 'bundle' ? BUNDLE.folder : import.meta.dir

/**
 * The folder in which the player called the program; empty for the current one. npm and our package start the program in another
 * folder, and pass the caller's in a variable.
 */
const CALLER_FOLDER = build === 'executable' ? '' : (process.env.INIT_CWD ?? '')

/** The folder that relative paths in variables start from; empty for the current one. */
export const BASE_FOLDER = build === 'bundle' ? BUNDLE.checkout : isInstalled ? CALLER_FOLDER : PROGRAM_FOLDER

/** The entry points of workers. A build has them beside the program. */
export const PROGRAMS = ['app/worker/worker'] as const

/** The URL of such an entry point: a module of the sources or of the build. */
export function programUrl(name: (typeof PROGRAMS)[number]): URL {
  return pathToFileURL(sourceOrBuilt(name))
}

/**
 * The file that the engine's process runs. A build has it in a folder of its own, because it is not part of the program.
 */
export function engineProgram(): string {
  return build === 'sources'
    ? join(PROGRAM_FOLDER, ENGINE_CHILD)
    : join(PROGRAM_FOLDER, 'engine', 'engine-child.js')
}

/** The module that it is made from. */
export const ENGINE_CHILD = 'src/engine/child/engine-child.ts'

/** How a person calls a command of this program in a terminal. */
export function commandLine(command: string): string {
  return isInstalled ? `inglenook ${command}` : `npm run ${command}`
}

function sourceOrBuilt(name: string): string {
  return build === 'sources'
    ? join(PROGRAM_FOLDER, 'src', `${name}.ts`)
    : join(PROGRAM_FOLDER, `${basename(name)}.js`)
}

/** The path of a package's file, such as `htmx.org/dist/htmx.min.js`. A build has only those that it serves. */
export function packageFile(name: string): string {
  return build === 'sources' ? Bun.resolveSync(name, PROGRAM_FOLDER) : join(PROGRAM_FOLDER, 'packages', name)
}

/** A path as it was typed in a terminal. */
export function callerPath(typed: string): string {
  return resolve(CALLER_FOLDER, typed)
}

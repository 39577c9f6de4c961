import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder of the project: package.json, public and migrations are there. */
export const PROJECT_FOLDER = join(import.meta.dir, '../..')

// scripts/bundle.ts defines it in a bundle. There `import.meta` still means this source file.
declare const BUNDLE_FOLDER: string | undefined
const bundleFolder = typeof BUNDLE_FOLDER === 'undefined' ? null : BUNDLE_FOLDER

/** The path of a file in the bundle that runs; null when the sources run. */
export function bundledFile(name: string): string | null {
  return bundleFolder === null ? null : join(bundleFolder, name)
}

/** The programs that are started by their path: threads, and processes of their own. */
export const PROGRAMS = [
  'app/worker/worker',
  'db/library/trial/trial-worker',
  'db/library/trial/limited-child',
  'cli/doctor-worker',
] as const

/** Where such a program is: a module of the sources or of the bundle. */
export function programUrl(name: (typeof PROGRAMS)[number]): URL {
  return pathToFileURL(bundledFile(`${name}.js`) ?? join(PROJECT_FOLDER, 'src', `${name}.ts`))
}

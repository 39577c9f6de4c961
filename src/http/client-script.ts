import { join } from 'node:path'
import { bundledFile, PROJECT_FOLDER } from '../lib/project.ts'

/** The folder of our own static files. */
export const PUBLIC_FOLDER = join(PROJECT_FOLDER, 'public')

/** In the order in which the page runs them: Alpine starts last, when our components are registered. */
const BEFORE = [
  'htmx.org/dist/htmx.min.js',
  'htmx.org/dist/ext/hx-sse.min.js',
  'htmx.org/dist/ext/hx-alpine-compat.min.js',
]
const AFTER = ['@alpinejs/csp/dist/cdn.min.js']

/** The scripts of packages in the bundle, as absolute paths. */
export const VENDOR_SCRIPTS: readonly string[] = [...BEFORE, ...AFTER].map(packagePath)

/** All scripts of a page in one. */
export async function clientScript(): Promise<Uint8Array<ArrayBuffer>> {
  const file = bundledFile(CLIENT_SCRIPT)
  return file === null ? buildClientScript() : Bun.file(file).bytes()
}

/** The name of the script in a bundle of the service. */
export const CLIENT_SCRIPT = 'client.js'

/** Makes it from its sources. Throws an AggregateError when a script has a syntax error. */
export async function buildClientScript(): Promise<Uint8Array<ArrayBuffer>> {
  const own = await Bun.build({
    entrypoints: [join(PUBLIC_FOLDER, 'app.js')],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  const texts = await Promise.all([
    ...BEFORE.map((name) => Bun.file(packagePath(name)).text()),
    ...own.outputs.map((output) => output.text()),
    ...AFTER.map((name) => Bun.file(packagePath(name)).text()),
  ])
  // Package scripts are classic scripts, which share their globals, so they are joined and not built again.
  return new TextEncoder().encode(texts.join('\n;\n'))
}

function packagePath(name: string): string {
  return Bun.resolveSync(name, PROJECT_FOLDER)
}

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, PROGRAM_FOLDER, packageFile } from '../lib/project.ts'

/** The folder of our own static files. */
export const PUBLIC_FOLDER = join(PROGRAM_FOLDER, 'public')

/** They run before our own script, in this order. */
const PACKAGE_SCRIPTS = [
  'htmx.org/dist/htmx.min.js',
  'htmx.org/dist/ext/hx-sse.min.js',
  'htmx.org/dist/ext/hx-alpine-compat.min.js',
]

/** The files that the script of the pages is made from, as absolute paths. A build has only the script. */
export function scriptSources(): string[] {
  if (build !== 'sources') return []
  const own = readdirSync(PUBLIC_FOLDER, { encoding: 'utf8', recursive: true }).filter((name) =>
    name.endsWith('.js'),
  )
  return [...own.sort().map((name) => join(PUBLIC_FOLDER, name)), ...PACKAGE_SCRIPTS.map(packageFile)]
}

/** All scripts of a page in one. */
export async function clientScript(): Promise<Uint8Array<ArrayBuffer>> {
  return build === 'sources' ? buildClientScript() : Bun.file(join(PUBLIC_FOLDER, CLIENT_SCRIPT)).bytes()
}

/** The name of the script in the static files of a build. */
export const CLIENT_SCRIPT = 'app.js'

/** Makes it from its sources. Throws an AggregateError when a script has a syntax error. */
export async function buildClientScript(): Promise<Uint8Array<ArrayBuffer>> {
  const own = await Bun.build({
    entrypoints: [join(PUBLIC_FOLDER, 'app.js')],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  const texts = await Promise.all([
    ...PACKAGE_SCRIPTS.map((name) => Bun.file(packageFile(name)).text()),
    ...own.outputs.map((output) => output.text()),
  ])
  // Package scripts are classic scripts, which share their globals, so they are joined and not built again.
  return new TextEncoder().encode(texts.join('\n;\n'))
}

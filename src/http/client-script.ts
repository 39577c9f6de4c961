import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, PROGRAM_FOLDER, packageFile } from '../lib/project.ts'

export const PUBLIC_FOLDER = join(PROGRAM_FOLDER, 'public')

/** Run before our own script, in this order. */
const PACKAGE_SCRIPTS = [
  'htmx.org/dist/htmx.min.js',
  'htmx.org/dist/ext/hx-sse.min.js',
  'htmx.org/dist/ext/hx-alpine-compat.min.js',
]

/** Absolute paths of the script's sources. A build has only the built script. */
export function scriptSources(): string[] {
  if (build !== 'sources') return []
  const own = readdirSync(PUBLIC_FOLDER, { encoding: 'utf8', recursive: true }).filter((name) =>
    name.endsWith('.js'),
  )
  return [...own.sort().map((name) => join(PUBLIC_FOLDER, name)), ...PACKAGE_SCRIPTS.map(packageFile)]
}

export async function clientScript(): Promise<Uint8Array<ArrayBuffer>> {
  return build === 'sources' ? buildClientScript() : Bun.file(join(PUBLIC_FOLDER, CLIENT_SCRIPT)).bytes()
}

export const CLIENT_SCRIPT = 'app.js'

/** Builds the script. Throws AggregateError on a syntax error. */
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
  // Package scripts share their globals, so they are joined without being built.
  return new TextEncoder().encode(texts.join('\n;\n'))
}

import { join } from 'node:path'
import { PROJECT_FOLDER } from '../lib/project.ts'

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

/** A file that is made from sources, in both forms in which it is sent. */
interface ClientFile {
  contentType: string
  plain: Uint8Array<ArrayBuffer>
  gzipped: Uint8Array<ArrayBuffer>
}

/**
 * Makes the files that pages load but that are not in `public` as they are, by name: `app.js`, all scripts in one.
 * Throws an AggregateError when a script has a syntax error.
 */
export async function clientBundle(): Promise<ReadonlyMap<string, ClientFile>> {
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
  const plain = new TextEncoder().encode(texts.join('\n;\n'))
  return new Map([
    [
      'app.js',
      { contentType: 'text/javascript; charset=utf-8', plain, gzipped: Bun.gzipSync(plain, { level: 9 }) },
    ],
  ])
}

function packagePath(name: string): string {
  return Bun.resolveSync(name, PROJECT_FOLDER)
}

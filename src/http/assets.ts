import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import staticPlugin from '@elysiajs/static'
import { Elysia } from 'elysia'

const folder = join(import.meta.dir, '../../public')

// The browser gets the packages' own files: no copy is kept, nothing is built.
const VENDOR: Record<string, string> = {
  'htmx.js': 'htmx.org/dist/htmx.min.js',
  'hx-sse.js': 'htmx.org/dist/ext/hx-sse.min.js',
  'hx-alpine-compat.js': 'htmx.org/dist/ext/hx-alpine-compat.min.js',
  'alpine.js': '@alpinejs/csp/dist/cdn.min.js',
}

const vendorPath = (name: string) => Bun.resolveSync(VENDOR[name] ?? '', import.meta.dir)

const version = versionOfAll()

/** The address of a file of ours; it changes with any of them, so a browser may keep it for ever. */
export const asset = (name: string) => `/public/${version}/${name}`

const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Serves what pages need; a file that does not exist is 404. */
export const assets = async () =>
  new Elysia({ name: 'assets' })
    .use(
      await staticPlugin({
        assets: folder,
        prefix: `/public/${version}`,
        alwaysStatic: true,
        indexHTML: false,
        headers: FOR_EVER,
      }),
    )
    .get(`/public/${version}/vendor/:name`, ({ params, status }) => {
      if (!Object.hasOwn(VENDOR, params.name)) return status(404, 'There is no such file.')
      return new Response(Bun.file(vendorPath(params.name)), { headers: FOR_EVER })
    })
    .get('/public/*', ({ status }) => status(404, 'There is no such file.'))

function versionOfAll(): string {
  const hash = new Bun.CryptoHasher('sha256')
  const files = [
    // What only points elsewhere is none of ours, and is not served.
    ...readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(folder, name))
      .sort(),
    ...Object.keys(VENDOR).map(vendorPath),
  ]
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import staticPlugin from '@elysiajs/static'
import { Elysia } from 'elysia'
import { PROJECT_FOLDER } from '../lib/project.ts'

const folder = join(PROJECT_FOLDER, 'public')

// Served straight from the packages: no copies, no build step.
const VENDOR: Record<string, string> = {
  'htmx.js': 'htmx.org/dist/htmx.min.js',
  'hx-sse.js': 'htmx.org/dist/ext/hx-sse.min.js',
  'hx-alpine-compat.js': 'htmx.org/dist/ext/hx-alpine-compat.min.js',
  'alpine.js': '@alpinejs/csp/dist/cdn.min.js',
}

const vendorPath = (name: string) => Bun.resolveSync(VENDOR[name] ?? '', import.meta.dir)

const version = hashOfAll()

/** The URL of a static file. It changes when any of them does, so browsers may cache it for ever. */
export const asset = (name: string) => `/public/${version}/${name}`

const CACHE_FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Serves the static files of pages. */
export const assets = async () =>
  new Elysia({ name: 'assets' })
    .use(
      await staticPlugin({
        assets: folder,
        prefix: `/public/${version}`,
        alwaysStatic: true,
        indexHTML: false,
        headers: CACHE_FOR_EVER,
      }),
    )
    .get(`/public/${version}/vendor/:name`, ({ params, status }) => {
      if (!Object.hasOwn(VENDOR, params.name)) return status(404, 'File not found.')
      return new Response(Bun.file(vendorPath(params.name)), { headers: CACHE_FOR_EVER })
    })
    .get('/public/*', ({ status }) => status(404, 'File not found.'))

function hashOfAll(): string {
  const hash = new Bun.CryptoHasher('sha256')
  const files = [
    // Symbolic links are not served.
    ...readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(folder, name))
      .sort(),
    ...Object.keys(VENDOR).map(vendorPath),
  ]
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

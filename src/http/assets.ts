import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import staticPlugin from '@elysiajs/static'
import { Elysia } from 'elysia'
import { clientBundle, PUBLIC_FOLDER, VENDOR_SCRIPTS } from './client-bundle.ts'

const version = hashOfSources()

/** The URL of a static file. It changes when any source of one does, so browsers may cache it for ever. */
export const asset = (name: string) => `/public/${version}/${name}`

const CACHE_FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Serves the static files of pages. The script is bundled when it is first asked for. */
export const assets = async () => {
  let bundle: ReturnType<typeof clientBundle> | undefined
  return new Elysia({ name: 'assets' })
    .use(
      await staticPlugin({
        assets: PUBLIC_FOLDER,
        prefix: `/public/${version}`,
        alwaysStatic: true,
        indexHTML: false,
        ignorePatterns: [/\.js$/],
        headers: CACHE_FOR_EVER,
      }),
    )
    .get(asset('app.js'), async ({ request, status }) => {
      bundle ??= clientBundle()
      const file = (await bundle).get('app.js')
      if (file === undefined) return status(404, 'File not found.')
      const isGzipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
      return new Response(isGzipped ? file.gzipped : file.plain, {
        headers: {
          ...CACHE_FOR_EVER,
          'Content-Type': file.contentType,
          Vary: 'Accept-Encoding',
          ...(isGzipped ? { 'Content-Encoding': 'gzip' } : {}),
        },
      })
    })
    .get('/public/*', ({ status }) => status(404, 'File not found.'))
}

function hashOfSources(): string {
  const hash = new Bun.CryptoHasher('sha256')
  const files = [
    // Symbolic links are not served.
    ...readdirSync(PUBLIC_FOLDER, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(PUBLIC_FOLDER, name))
      .sort(),
    ...VENDOR_SCRIPTS,
  ]
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

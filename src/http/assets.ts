import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import staticPlugin from '@elysiajs/static'
import { Elysia } from 'elysia'
import { clientScript, PUBLIC_FOLDER, VENDOR_SCRIPTS } from './client-script.ts'

const version = hashOfSources()

/** The URL of a static file. It changes when any source of one does, so browsers may cache it for ever. */
export const asset = (name: string) => `/public/${version}/${name}`

const CACHE_FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Serves the static files of pages. The script is made when it is first asked for. */
export const assets = async () => {
  let script: Promise<Script> | undefined
  return new Elysia({ name: 'assets' })
    .use(
      await staticPlugin({
        assets: PUBLIC_FOLDER,
        prefix: `/public/${version}`,
        alwaysStatic: true,
        indexHTML: false,
        ignorePatterns: [/\.js$/],
        headers: CACHE_FOR_EVER,
        // The address changes with the file.
        etag: false,
      }),
    )
    .get(asset('app.js'), async ({ request }) => {
      script ??= makeScript()
      const { plain, gzipped } = await script
      const isGzipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
      return new Response(isGzipped ? gzipped : plain, {
        headers: {
          ...CACHE_FOR_EVER,
          'Content-Type': 'text/javascript; charset=utf-8',
          Vary: 'Accept-Encoding',
          ...(isGzipped ? { 'Content-Encoding': 'gzip' } : {}),
        },
      })
    })
    .get('/public/*', ({ status }) => status(404, 'File not found.'))
}

/** A script in both forms in which it is sent. */
type Script = Record<'plain' | 'gzipped', Uint8Array<ArrayBuffer>>

async function makeScript(): Promise<Script> {
  const plain = await clientScript()
  return { plain, gzipped: Bun.gzipSync(plain, { level: 9 }) }
}

// No cryptographic hash: it only has to change with the files, and it is made at each start.
function hashOfSources(): string {
  const files = [
    // Symbolic links are not served.
    ...readdirSync(PUBLIC_FOLDER, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(PUBLIC_FOLDER, name))
      .sort(),
    ...VENDOR_SCRIPTS,
  ]
  return files.reduce((hash, file) => Bun.hash.xxHash64(readFileSync(file), hash), 0n).toString(36)
}

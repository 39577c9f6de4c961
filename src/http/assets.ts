import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import staticPlugin from '@elysiajs/static'
import { Elysia } from 'elysia'
import { dependencies } from '../../package.json'
import { clientScript, PUBLIC_FOLDER, scriptSources } from './client-script.ts'
import { codingFor, SMALLEST } from './compression.ts'
import { allFonts, FONT_SHEETS } from './fonts.ts'

const version = hashOfSources()

/** URL of a static file, versioned by a hash of the sources: browsers may cache it for ever. */
export const asset = (name: string) => `/public/${version}/${name}`

const NOT_FOUND = 'File not found.'
const CACHE_FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' }

/** Text files, which compress to a quarter of their size. */
const TEXTS: Record<string, { type: string; read: () => Promise<Uint8Array<ArrayBuffer>> }> = {
  'app.js': { type: 'text/javascript', read: clientScript },
  'app.css': { type: 'text/css', read: readStyle },
}

async function readStyle(): Promise<Uint8Array<ArrayBuffer>> {
  const [fonts, style] = await Promise.all([allFonts(), Bun.file(join(PUBLIC_FOLDER, 'app.css')).text()])
  return new TextEncoder().encode(minified(`${fonts.sheet}\n${style}`))
}

// Comments and space are a quarter of a style. None of its strings contains either.
function minified(style: string): string {
  const [first = '', ...commented] = style.split('/*')
  const bare = first + commented.map((part) => part.slice(part.indexOf('*/') + 2)).join('')
  return bare
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
}

export const assets = async () => {
  const server = new Elysia({ name: 'assets' }).use(
    await staticPlugin({
      assets: PUBLIC_FOLDER,
      prefix: `/public/${version}`,
      alwaysStatic: true,
      indexHTML: false,
      ignorePatterns: [/\.(js|css)$/],
      headers: CACHE_FOR_EVER,
      // The address changes with the file.
      etag: false,
    }),
  )
  for (const [name, { type, read }] of Object.entries(TEXTS)) {
    const answer = compressedText(type, read)
    server.get(asset(name), ({ request }) => answer(request))
  }
  server.get(`/public/${version}/fonts/:file` as '/public/fonts/:file', async ({ params, status }) => {
    const path = (await allFonts()).paths.get(params.file)
    if (path === undefined) return status(404, NOT_FOUND)
    return new Response(Bun.file(path), { headers: { ...CACHE_FOR_EVER, 'Content-Type': 'font/woff2' } })
  })
  return server.get('/public/*', ({ status }) => status(404, NOT_FOUND))
}

function compressedText(type: string, read: () => Promise<Uint8Array<ArrayBuffer>>) {
  let text: Promise<Uint8Array<ArrayBuffer>> | undefined
  const compressed = new Map<string, Uint8Array<ArrayBuffer>>()
  return async ({ headers: requestHeaders }: Request): Promise<Response> => {
    const coding = codingFor(requestHeaders.get('accept-encoding') ?? '', SMALLEST)
    text ??= read()
    const headers = { ...CACHE_FOR_EVER, 'Content-Type': `${type}; charset=utf-8`, Vary: 'Accept-Encoding' }
    if (coding === undefined) return new Response(await text, { headers })
    const body = compressed.get(coding.name) ?? coding.compress(await text)
    compressed.set(coding.name, body)
    return new Response(body, { headers: { ...headers, 'Content-Encoding': coding.name } })
  }
}

// Not cryptographic: it only has to change with the files, and is computed at each start.
function hashOfSources(): string {
  const files = [
    // Symbolic links are not served.
    ...readdirSync(PUBLIC_FOLDER, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(PUBLIC_FOLDER, name))
      .sort(),
    ...scriptSources(),
  ]
  const start = Bun.hash.xxHash64(JSON.stringify([FONT_SHEETS, dependencies]))
  return files.reduce((hash, file) => Bun.hash.xxHash64(readFileSync(file), hash), start).toString(36)
}

import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { asset } from '../../src/http/assets.ts'
import { FIRST_FONTS } from '../../src/http/fonts.ts'
import { startServer } from '../support/service/server.ts'

const server = await startServer()

test.each(['app.js', 'app.css'])('%s is the same, packed for those who take it packed', async (name) => {
  const ask = (encoding: string) =>
    fetch(new URL(asset(name), server.address), {
      headers: { 'Accept-Encoding': encoding },
      decompress: false,
    })
  const plain = await ask('identity')
  const forms = [await ask('gzip, deflate, br, zstd'), await ask('gzip'), await ask('zstd')]
  const encodings = [plain, ...forms].map(({ headers }) => headers.get('content-encoding'))
  expect(encodings).toEqual([null, 'br', 'gzip', null])
  const [small, gzipped, other] = await Promise.all(forms.map((form) => form.bytes()))
  const text = await plain.bytes()
  expect(
    [brotliDecompressSync(small ?? ''), gunzipSync(gzipped ?? ''), Buffer.from(other ?? '')].map(String),
  ).toEqual(Array(3).fill(String(Buffer.from(text))))
})

test('every font that the style sheet names is here, in the newer format, and moves no text', async () => {
  const sheet = await (await fetch(new URL(asset('app.css'), server.address))).text()
  const faces = sheet.match(/@font-face\{[^}]*\}/g) ?? []
  const files = faces.map((face) => /url\((fonts\/[\w-]+\.woff2)\)/.exec(face)?.[1] ?? face)
  expect(new Set(faces.map((face) => /font-family:'([^']+)'/.exec(face)?.[1]))).toEqual(
    new Set(['Literata', 'Inter', 'Atkinson Hyperlegible Next']),
  )
  expect(faces.filter((face) => !face.includes('font-display:optional'))).toEqual([])
  expect(files).toEqual(expect.arrayContaining(FIRST_FONTS.map((name) => `fonts/${name}`)))
  for (const file of files) {
    const answer = await fetch(new URL(asset(file), server.address))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'font/woff2'])
    expect(new TextDecoder().decode((await answer.bytes()).slice(0, 4))).toBe('wOF2')
  }
  for (const other of ['fonts/none.woff2', 'fonts/..%2F400.css', 'fonts/'])
    expect((await fetch(new URL(asset(other), server.address))).status).toBe(404)
})

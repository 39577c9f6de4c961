import { expect, test } from 'bun:test'
import { asset } from '../../src/http/assets.ts'
import { startServer } from '../support/service/server.ts'

const server = await startServer()

test('the script is the same, packed for those who take it packed', async () => {
  const ask = (encoding: string) =>
    fetch(new URL(asset('app.js'), server.address), {
      headers: { 'Accept-Encoding': encoding },
      decompress: false,
    })
  const [plain, packed] = [await ask('identity'), await ask('br, gzip')]
  expect([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([
    null,
    'gzip',
  ])
  const unpacked = Bun.gunzipSync(await packed.arrayBuffer())
  expect(new TextDecoder().decode(unpacked)).toBe(await plain.text())
})

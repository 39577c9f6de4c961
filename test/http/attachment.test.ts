import { describe, expect, test } from 'bun:test'
import { attachment } from '../../src/http/attachment.ts'

describe('a download keeps its file name in every browser', () => {
  const names: [name: string, told: string][] = [
    ['Lamp.md', `attachment; filename="Lamp.md"; filename*=UTF-8''Lamp.md`],
    ['Lämp Röad.md', `attachment; filename="Lamp Road.md"; filename*=UTF-8''L%C3%A4mp%20R%C3%B6ad.md`],
    ['שלום.md', `attachment; filename="_.md"; filename*=UTF-8''%D7%A9%D7%9C%D7%95%D7%9D.md`],
    [
      '100% (it’s).md',
      `attachment; filename="100_ (it_s).md"; filename*=UTF-8''100%25%20%28it%E2%80%99s%29.md`,
    ],
    ["it's *.md", `attachment; filename="it's *.md"; filename*=UTF-8''it%27s%20%2A.md`],
    ['a"; evil="\\.md', `attachment; filename="a_; evil=__.md"; filename*=UTF-8''a%22%3B%20evil%3D%22%5C.md`],
  ]
  for (const [name, told] of names)
    test(name, () =>
      expect(attachment(name, 'text/plain', new Uint8Array()).headers.get('content-disposition')).toBe(told),
    )
})

describe('a body of any size arrives unchanged', () => {
  for (const size of [0, 1, 256 * 1024, 256 * 1024 + 1, 3_000_000])
    test(`${size} bytes`, async () => {
      const bytes = crypto.getRandomValues(Buffer.alloc(1000))
      const body = new Uint8Array(size).map((_, i) => (bytes[i % 1000] ?? 0) ^ (i >> 10))
      const got = new Uint8Array(await attachment('a', 'text/plain', body).arrayBuffer())
      expect(Buffer.compare(got, body)).toBe(0)
    })
})

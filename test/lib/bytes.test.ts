import { expect, test } from 'bun:test'
import { inChunks } from '../../src/lib/bytes.ts'

test('texts are joined and bytes are copied, in their order', () => {
  const shared = Buffer.from('bytes of a pool').subarray(0, 5)
  const chunks = [...inChunks(['one ', 'two ', shared, 'a long text', ' é', new Uint8Array()], 10)]
  expect(chunks.map((chunk) => new TextDecoder().decode(chunk))).toEqual([
    'one two ',
    'bytes',
    'a long text',
    ' é',
  ])
  for (const chunk of chunks) expect(chunk.buffer.byteLength).toBe(chunk.length)
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MessagePackError, readMessagePack } from '../../src/formats/novelai/message-pack.ts'
import { sample } from './samples.ts'

const WRAPPERS = new Set([20])
const read = (...bytes: number[]) => readMessagePack(Uint8Array.from(bytes), WRAPPERS)
const letters = (text: string) => [...new TextEncoder().encode(text)]

describe('MessagePack', () => {
  const values: [name: string, bytes: number[], value: unknown][] = [
    ['small numbers', [0x93, 0x00, 0x3f, 0xff], [0, 63, -1]],
    ['a number that no record has', [0x41], 65],
    ['nothing, false and true', [0x93, 0xc0, 0xc2, 0xc3], [null, false, true]],
    ['unsigned numbers', [0x92, 0xcc, 0xff, 0xcd, 0x01, 0x00], [255, 256]],
    ['large unsigned numbers', [0x92, 0xce, 0, 1, 0, 0, 0xcf, 0, 0, 0, 1, 0, 0, 0, 0], [65_536, 2 ** 32]],
    ['signed numbers', [0x92, 0xd0, 0x80, 0xd1, 0xff, 0x00], [-128, -256]],
    ['large signed numbers', [0x92, 0xd2, 255, 255, 0, 0, 0xd3, 255, 255, 255, 255, 0, 0, 0, 0], [-65_536, -(2 ** 32)]], // biome-ignore format: a case a line
    ['fractions', [0x92, 0xca, 0x3f, 0, 0, 0, 0xcb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0], [0.5, 0.5]],
    ['a short text', [0xa3, ...letters('é!')], 'é!'],
    ['longer texts', [0x92, 0xd9, 1, 0x61, 0xda, 0, 1, 0x62], ['a', 'b']],
    ['an array with a long length', [0xdc, 0, 1, 7], [7]],
    ['a map', [0x81, 0xa1, 0x61, 1], new Map([['a', 1]])],
    ['a map with a long length', [0xde, 0, 1, 7, 8], new Map([[7, 8]])],
    ['bytes, which are left out', [0x92, 0xc4, 2, 9, 9, 1], [null, 1]],
    ['an extension, which is left out', [0x92, 0xd7, 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 1], [null, 1]],
    ['an extension with a length', [0x92, 0xc7, 3, 0x05, 1, 2, 3, 1], [null, 1]],
    ['a wrapper', [0xd4, 20, 0, 0xa1, 0x61], 'a'],
    ['a set', [0xd4, 0x73, 0, 0x91, 1], [1]],
    ['a record, and another one of its kind', [0x92, 0xd4, 0x72, 0x41, 0x91, 0xa1, 0x61, 1, 0x41, 2], [new Map([['a', 1]]), new Map([['a', 2]])]], // biome-ignore format: a case a line
    ['texts behind the values', [0xd6, 0x62, 0, 0, 0, 9, 0x92, 0xc1, 2, 0xc1, 0xfe, 0xa2, ...letters('cd'), 0xa2, ...letters('ab')], ['ab', 'cd']], // biome-ignore format: a case a line
    ['texts in two bundles', [0xd6, 0x62, 0, 0, 0, 15, 0x92, 0xc1, 2, 0xc8, 0, 8, 0x62, 0, 0, 0, 10, 0xa0, 0xa2, ...letters('ab'), 0xc1, 0xfe, 0xa2, ...letters('cd'), 0xa0], ['ab', 'cd']], // biome-ignore format: a case a line
  ]
  for (const [name, bytes, value] of values)
    test(`has ${name}`, () => expect<unknown>(read(...bytes)).toEqual(value))

  const faults: [name: string, bytes: number[]][] = [
    ['nothing', []],
    ['a text that ends too early', [0xa3, 0x61]],
    ['a number that ends too early', [0xcb, 0]],
    ['an array with more values than bytes', [0xdd, 0xff, 0xff, 0xff, 0xff, 1]],
    ['a map with more values than bytes', [0xdf, 0xff, 0xff, 0xff, 0xff, 1]],
    ['a text that stands nowhere', [0xc1, 2]],
    ['a record without keys', [0xd4, 0x72, 0x41, 1]],
    ['a value that refers to another', [0xd6, 0x70, 0, 0, 0, 1]],
    ['arrays in arrays', Array(1_000).fill(0x91)],
  ]
  for (const [name, bytes] of faults)
    test(`with ${name} is refused`, () => expect(() => read(...bytes)).toThrow(MessagePackError))

  test('is a value or refused, whatever the bytes are', () => {
    const whole = Buffer.from(sample('novelai-story-six.json').content.document, 'base64')
    const anyBytes = fc.uint8Array({ maxLength: 300 })
    const changed = fc
      .tuple(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length))
      .map(([at, byte, length]) => whole.with(at, byte).subarray(0, length))
    fc.assert(
      fc.property(fc.oneof(anyBytes, changed), (bytes) => {
        try {
          readMessagePack(bytes, WRAPPERS)
        } catch (error) {
          expect(error).toBeInstanceOf(MessagePackError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { NotGguf, readGguf } from '../../src/engine/gguf.ts'
import { planMemory } from '../../src/engine/memory.ts'
import { readModelFile } from '../../src/engine/model-file.ts'
import { modelFile } from '../support/engine/fake-engine.ts'
import { ggufFile, SMALL_MODEL, u32, u64 } from '../support/engine/gguf.ts'

describe('a model file', () => {
  test('says what it is and what it needs', () => {
    const path = modelFile('lamp.gguf')
    expect(readModelFile(path)).toMatchObject({
      path,
      name: 'lamp.gguf',
      title: 'Lamp 1B',
      license: 'apache-2.0',
      trained: 8_192,
      // Two layers, each with keys and values of two heads of 16 numbers of two bytes.
      bytesPerToken: 2 * 2 * 2 * 16 * 2,
    })
  })

  test('layers may differ in their heads', () => {
    const values = { ...SMALL_MODEL, 'llama.attention.head_count_kv': [2, 0] }
    expect(readModelFile(modelFile('lamp.gguf', ggufFile(values))).bytesPerToken).toBe(2 * 2 * 16 * 2)
  })

  test('its title is one short line', () => {
    const values = { ...SMALL_MODEL, 'general.name': `A\nlamp ${'x'.repeat(1_000)}` }
    const { title } = readModelFile(modelFile('lamp.gguf', ggufFile(values)))
    expect(title).toStartWith('A lamp x')
    expect(title).toHaveLength(200)
  })

  const head = (...parts: Buffer[]) => Buffer.concat([Buffer.from('GGUF'), u32(3), ...parts])
  test.each<[string, Buffer, RegExp]>([
    ['empty', Buffer.alloc(0), /not a model file/],
    ['a text', Buffer.from('Once upon a time there was a lamp.'), /not a model file/],
    ['of another version', Buffer.concat([Buffer.from('GGUF'), u32(1), u64(0), u64(0)]), /version 1/],
    ['with a number of values that it cannot have', head(u64(0), u64(2n ** 63n)), /damaged/],
    ['with a number of tensors that it cannot have', head(u64(2n ** 40n), u64(0)), /damaged/],
    ['with a key that is longer than the file', head(u64(0), u64(1), u64(2n ** 62n)), /damaged/],
    ['with a list that is longer than the file', head(u64(0), u64(1), u64(1), Buffer.from('k'), u32(9), u32(4), u64(2n ** 50n)), /damaged/], // biome-ignore format: a file a line
    ['with lists in lists', head(u64(0), u64(1), u64(1), Buffer.from('k'), u32(9), u32(9), u64(1)), /damaged/], // biome-ignore format: a file a line
    ['whose data was cut off', ggufFile(SMALL_MODEL, 1_000_000), /incomplete/],
    ['that is a part', ggufFile({ ...SMALL_MODEL, 'split.count': 3 }), /several parts/],
    ['that sees pictures', ggufFile({ ...SMALL_MODEL, 'general.architecture': 'clip' }), /part of a model/],
  ])('%s is refused in a sentence', (_, bytes, sentence) => {
    expect(() => readModelFile(modelFile('any.gguf', bytes))).toThrow(sentence)
  })

  test('that is not there, and a folder', () => {
    expect(() => readModelFile('/nowhere/lamp.gguf')).toThrow(NotGguf)
    expect(() => readModelFile('/')).toThrow(NotGguf)
  })

  test('is read or refused whatever is in it', () => {
    const whole = ggufFile()
    const changed = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    const property = fc.property(changed, fc.nat(whole.length), (changes, end) => {
      const bytes = Buffer.from(whole.subarray(0, end))
      for (const [at, value] of changes) if (at < end) bytes[at] = value
      try {
        readGguf(modelFile('any.gguf', bytes))
      } catch (error) {
        expect(error).toBeInstanceOf(NotGguf)
      }
    })
    fc.assert(property, { numRuns: 200 })
  })
})

describe('memory', () => {
  const file = { ...readModelFile(modelFile()), bytes: 4e9, bytesPerToken: 100_000, trained: 32_768 }

  test('the wanted context, if it fits', () => {
    expect(planMemory(file, 8_192, 16e9).window).toBe(8_192)
    expect(planMemory(file, 100_000, 16e9).window).toBe(32_768)
  })

  test('a smaller one where it does not', () => {
    const { window, needed } = planMemory(file, 16_384, 5.7e9)
    expect(window).toBe(8_192)
    expect(needed).toBeLessThan(5.7e9)
  })

  test('none where the machine would begin to swap', () => {
    expect(planMemory(file, 16_384, 4.5e9).window).toBe(0)
  })
})

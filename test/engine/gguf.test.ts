import { describe, expect, test } from 'bun:test'
import { stat } from 'node:fs/promises'
import fc from 'fast-check'
import { NotGguf, readGguf } from '../../src/engine/gguf.ts'
import { planMemory } from '../../src/engine/memory.ts'
import { readModelFile } from '../../src/engine/model-file.ts'
import { runs } from '../support/depth.ts'
import { modelFile } from '../support/engine/fake-engine.ts'
import { ggufFile, SMALL_MODEL, u32, u64 } from '../support/engine/gguf.ts'

/** 600 lists of 10,000 numbers each. */
const LISTS = {
  ...SMALL_MODEL,
  ...Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [`list.${at}`, new Array<number>(10_000).fill(1)]),
  ),
}

describe('a model file', () => {
  test('says what it is and what it needs', async () => {
    const path = modelFile('lamp.gguf')
    expect(await readModelFile(path)).toMatchObject({
      path,
      name: 'lamp.gguf',
      title: 'Lamp 1B',
      license: 'apache-2.0',
      trained: 8_192,
      // Two layers, each with keys and values of two heads of 16 numbers of two bytes.
      bytesPerToken: 2 * 2 * 2 * 16 * 2,
    })
  })

  test('layers may differ in their heads', async () => {
    const values = { ...SMALL_MODEL, 'llama.attention.head_count_kv': [2, 0] }
    const { bytesPerToken } = await readModelFile(modelFile('lamp.gguf', ggufFile(values)))
    expect(bytesPerToken).toBe(2 * 2 * 16 * 2)
  })

  test('its title is one short line', async () => {
    const values = { ...SMALL_MODEL, 'general.name': `A\nlamp ${'x'.repeat(1_000)}` }
    const { title } = await readModelFile(modelFile('lamp.gguf', ggufFile(values)))
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
    [
      'with more layers than any model',
      ggufFile({ ...SMALL_MODEL, 'llama.block_count': 100_000_000 }),
      /cannot exist/,
    ],
    ['with a part of a layer', ggufFile({ ...SMALL_MODEL, 'llama.block_count': 3.5 }), /cannot exist/],
    ['with less than no layer', ggufFile({ ...SMALL_MODEL, 'llama.block_count': -1 }), /cannot exist/],
    [
      'with a part of a head',
      ggufFile({ ...SMALL_MODEL, 'llama.attention.head_count_kv': [0.5, 1.5] }),
      /cannot exist/,
    ],
    ['with more numbers than any model', ggufFile(LISTS), /too large a header/],
    ['that is a part', ggufFile({ ...SMALL_MODEL, 'split.count': 3 }), /several parts/],
    ['that sees pictures', ggufFile({ ...SMALL_MODEL, 'general.architecture': 'clip' }), /part of a model/],
  ])('%s is refused in a sentence', async (_, bytes, sentence) => {
    const refusal = await readModelFile(modelFile('any.gguf', bytes)).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(NotGguf)
    expect(String(refusal)).toMatch(sentence)
  })

  test('that is not there, and a folder', async () => {
    expect(readModelFile('/nowhere/lamp.gguf')).rejects.toBeInstanceOf(NotGguf)
    expect(readModelFile('/')).rejects.toBeInstanceOf(NotGguf)
  })

  test('is read while others are answered', async () => {
    const tokens = Array.from({ length: 100_000 }, (_, at) => `token ${at}`)
    const path = modelFile('large.gguf', ggufFile({ ...SMALL_MODEL, 'tokenizer.ggml.tokens': tokens }))
    let isRead = false
    let answered = 0
    const reading = readGguf(path).finally(() => (isRead = true))
    for (; !isRead; answered++) await stat(path)
    await reading
    expect(answered).toBeGreaterThan(10)
  })

  test('is read or refused whatever is in it', async () => {
    const whole = ggufFile()
    const changed = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    const property = fc.asyncProperty(changed, fc.nat(whole.length), async (changes, end) => {
      const bytes = Buffer.from(whole.subarray(0, end))
      for (const [at, value] of changes) if (at < end) bytes[at] = value
      const error = await readModelFile(modelFile('any.gguf', bytes)).catch((thrown: unknown) => thrown)
      if (error instanceof Error) expect(error).toBeInstanceOf(NotGguf)
    })
    await fc.assert(property, { numRuns: runs(10_000) })
  })
})

describe('memory', async () => {
  const file = { ...(await readModelFile(modelFile())), bytes: 4e9, bytesPerToken: 100_000, trained: 32_768 }

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

import { closeSync, mkdirSync, openSync, readSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { StoryError } from '../domain/errors.ts'
import { MAX_BUNDLE_BYTES } from '../domain/limits.ts'
import { isGzip } from '../lib/bytes.ts'
import { uploadsFolder } from './library/copies/unfinished.ts'
import { translatingErrors } from './storage-errors.ts'

/** A file that is too large for memory: bytes of another file, which is in a temporary folder of its own. */
export interface StoredFile {
  path: string
  /** The first byte, and the one after the last. */
  from: number
  to: number
}

const BLOCK = 256 * 1024

/** Stores a file chunk by chunk next to a library. Throws storage_full, and what the chunks throw; nothing is left then. */
export async function storeFile(libraryPath: string, chunks: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  const folder = join(uploadsFolder(libraryPath), crypto.randomUUID())
  const path = join(folder, 'upload')
  try {
    translatingErrors(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
    return { path, from: 0, to: await writeAll(path, chunks) }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

export async function deleteStored({ path }: StoredFile): Promise<void> {
  await rm(dirname(path), { recursive: true, force: true })
}

/** Throws import_refused for a broken file or one over `maxRatio` times its size, and storage_full. */
export async function unpackedFile(stored: StoredFile, maxRatio: number): Promise<StoredFile> {
  const { path, from, to } = stored
  const file = Bun.file(path).slice(from, to)
  if (!isGzip(await file.slice(0, 2).bytes())) return stored
  const target = `${path}.unpacked`
  const unpacking = file.stream().pipeThrough(new DecompressionStream('gzip'))
  try {
    const size = await writeAll(
      target,
      bounded(unpacking, Math.min(MAX_BUNDLE_BYTES, (to - from) * maxRatio)),
    )
    return { path: target, from: 0, to: size }
  } catch (error) {
    if (error instanceof StoryError) throw error
    throw refused('This compressed file is broken.')
  }
}

/** `length` bytes of a stored file from `at` on; fewer after its end. */
export function readStored({ path, from, to }: StoredFile, at: number, length: number): Uint8Array {
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, to - from - at)))
  const file = openSync(path, 'r')
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from + at))
  } finally {
    closeSync(file)
  }
}

/** A value as it is stored, in fewer bytes than JSON where parts of it are the same object. */
export function bytesOfValue(value: object): Uint8Array {
  return serialize(value)
}

/** The value in `length` bytes of a stored file from `at` on. */
export function readValue<Value>(file: StoredFile, at: number, length: number): Value {
  return deserialize(readStored(file, at, length))
}

async function* bounded(bytes: ReadableStream<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytes as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw refused('This compressed file holds more than any story.')
    yield chunk
  }
}

async function writeAll(path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'w', 0o600).catch(asPlayerError)
  let size = 0
  try {
    for await (const chunk of chunks) {
      await file.write(chunk).catch(asPlayerError)
      size += chunk.length
    }
  } finally {
    await file.close()
  }
  return size
}

function asPlayerError(error: unknown): never {
  return translatingErrors(() => {
    throw error
  })
}

/** Throws import_refused for a line of more than `maxLine` bytes, and for bytes that are not UTF-8. */
export function* linesOf({ path, from, to }: StoredFile, maxLine: number): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const file = openSync(path, 'r')
  try {
    const block = Buffer.alloc(BLOCK)
    let [line, size]: [Buffer[], number] = [[], 0]
    const lineOf = (last: Buffer) => decodedLine(decoder, Buffer.concat([...line, last]))
    for (let at = from; at < to; ) {
      const read = readSync(file, block, 0, Math.min(BLOCK, to - at), at)
      if (read === 0) break
      at += read
      let start = 0
      for (let end = block.indexOf(10); end >= 0 && end < read; end = block.indexOf(10, start)) {
        yield lineOf(block.subarray(start, end))
        ;[line, size, start] = [[], 0, end + 1]
      }
      line.push(Buffer.from(block.subarray(start, read)))
      size += read - start
      if (size > maxLine) throw refused('This file cannot be read: a line in it is too long.')
    }
    if (size > 0) yield lineOf(Buffer.alloc(0))
  } finally {
    closeSync(file)
  }
}

function decodedLine(decoder: TextDecoder, bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw refused('This file is not UTF-8 text.')
  }
}

function refused(sentence: string): StoryError {
  return new StoryError('import_refused', sentence)
}

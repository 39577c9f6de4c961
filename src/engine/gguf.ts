import { type FileHandle, open } from 'node:fs/promises'

// GGUF (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md): "GGUF", a version, counts of tensors and of
// values, then values (key, type, value), a list of tensors, and their data. All numbers are little-endian. The
// file is untrusted: the number of reads is bounded, no number of the file decides an allocation, and other
// requests are served between chunks.

export interface GgufHead {
  values: ReadonlyMap<string, string | number | boolean | readonly number[]>
  minBytes: number
}

/** An unreadable model file; the message is a sentence. */
export class NotGguf extends Error {}

export const MAX_LAYERS = 10_000

const CHUNK = 32_768
const LIMITS = {
  head: 64 * 1024 * 1024,
  /** Numbers and texts. A vocabulary with its merges has about a million. */
  reads: 4_000_000,
  key: 1_024,
  text: 4_096,
}
const SIZES: Record<number, number> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }
const TEXT = 8
const LIST = 9
const MAX_DIMENSIONS = 8

/** Throws NotGguf, and errors of the file system. */
export async function readGguf(path: string): Promise<GgufHead> {
  const file = await open(path, 'r')
  try {
    return await readHead(new HeadReader(file, Math.min((await file.stat()).size, LIMITS.head)))
  } finally {
    await file.close()
  }
}

async function readHead(reader: HeadReader): Promise<GgufHead> {
  if (reader.left < 24 || (await reader.bytes(4)).toString('latin1') !== 'GGUF')
    throw new NotGguf('This is not a model file in the GGUF format.')
  const version = await reader.number(4)
  if (version !== 2 && version !== 3)
    throw new NotGguf(`This model file has version ${version} of GGUF; versions 2 and 3 can be read.`)
  const tensors = bounded(await reader.number(10), LIMITS.reads)
  const count = bounded(await reader.number(10), LIMITS.reads)
  const values = new Map<string, string | number | boolean | readonly number[]>()
  for (let i = 0; i < count; i++) {
    const key = await reader.text(bounded(await reader.number(10), LIMITS.key))
    const value = await readValue(reader, await reader.number(4))
    if (value !== null) values.set(key, value)
  }
  return { values, minBytes: await minBytes(reader, tensors) }
}

async function readValue(
  reader: HeadReader,
  type: number,
): Promise<string | number | boolean | number[] | null> {
  if (type === LIST) return readList(reader)
  if (type !== TEXT) return type === 7 ? (await reader.number(type)) !== 0 : reader.number(type)
  const length = await reader.number(10)
  if (length <= LIMITS.text) return reader.text(length)
  reader.skip(length)
  return null
}

// Vocabularies, lists of hundreds of thousands of texts, are skipped.
async function readList(reader: HeadReader): Promise<number[] | null> {
  const type = await reader.number(4)
  const count = bounded(await reader.number(10), reader.left)
  const size = SIZES[type]
  if (size === undefined && type !== TEXT) throw damaged()
  if (size !== undefined && count > MAX_LAYERS) {
    reader.skip(count * size)
    return null
  }
  const numbers: number[] = []
  for (let i = 0; i < count; i++)
    if (size === undefined) reader.skip(await reader.number(10))
    else numbers.push(await reader.number(type))
  return size === undefined ? null : numbers
}

/** Offset of the last tensor: everything before it must be in the file. */
async function minBytes(reader: HeadReader, tensors: number): Promise<number> {
  let last = 0
  for (let i = 0; i < tensors; i++) {
    reader.skip(await reader.number(10))
    const dimensions = bounded(await reader.number(4), MAX_DIMENSIONS)
    reader.skip(dimensions * 8 + 4)
    last = Math.max(last, await reader.number(10))
  }
  return reader.position + last
}

function bounded(value: number, most: number): number {
  if (!Number.isSafeInteger(value) || value < 0 || value > most) throw damaged()
  return value
}

function damaged(): NotGguf {
  return new NotGguf('This model file is damaged or incomplete. Download it again.')
}

/** Forward reader with a buffer. Throws NotGguf if the file ends too soon or its header is too large. */
class HeadReader {
  position = 0
  private reads = 0
  private chunk = Buffer.alloc(0)
  private chunkAt = 0

  constructor(
    private readonly file: FileHandle,
    private readonly end: number,
  ) {}

  get left(): number {
    return this.end - this.position
  }

  skip(count: number): void {
    this.position += bounded(count, this.left)
  }

  async bytes(count: number): Promise<Buffer> {
    if (++this.reads > LIMITS.reads) throw new NotGguf('This model file has too large a header to be read.')
    const start = this.position
    this.skip(count)
    if (start < this.chunkAt || start + count > this.chunkAt + this.chunk.length)
      await this.fill(start, count)
    return this.chunk.subarray(start - this.chunkAt, start - this.chunkAt + count)
  }

  async text(length: number): Promise<string> {
    return (await this.bytes(length)).toString('utf8')
  }

  async number(type: number): Promise<number> {
    const size = SIZES[type]
    if (size === undefined) throw damaged()
    const view = await this.bytes(size)
    if (type === 6) return view.readFloatLE()
    if (type === 12) return view.readDoubleLE()
    if (size === 8) return Number(type === 11 ? view.readBigInt64LE() : view.readBigUInt64LE())
    const isSigned = type === 1 || type === 3 || type === 5
    return isSigned ? view.readIntLE(0, size) : view.readUIntLE(0, size)
  }

  private async fill(start: number, count: number): Promise<void> {
    const chunk = Buffer.alloc(Math.min(CHUNK, this.end - start))
    const { bytesRead } = await this.file.read(chunk, 0, chunk.length, start)
    if (bytesRead < count) throw damaged()
    this.chunk = chunk.subarray(0, bytesRead)
    this.chunkAt = start
  }
}

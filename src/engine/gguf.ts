import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

// GGUF (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md): "GGUF", a version, counts of tensors and of values,
// then values (a key, a type, the value), then a list of tensors, then their data. All numbers are little-endian. The file
// is not trusted: everything read is bounded, and nothing is allocated by a number that the file gives.

/** The header of a model file: numbers, texts and lists of numbers by key, and where its last tensor begins. */
export interface GgufHead {
  values: ReadonlyMap<string, string | number | boolean | readonly number[]>
  /** The minimum size of the file: a smaller one is cut off. */
  leastBytes: number
}

/** A file that is not a model file, or one that we do not read, in a sentence. */
export class NotGguf extends Error {}

const LIMITS = {
  head: 256 * 1024 * 1024,
  values: 10_000,
  tensors: 100_000,
  key: 1_024,
  text: 1_048_576,
  list: 4_096,
}
const SIZES: Record<number, number> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }
const TEXT = 8
const LIST = 9
const MAX_DIMENSIONS = 8

/** Reads the head of a file. Throws NotGguf, and the errors of the file system. */
export function readGguf(path: string): GgufHead {
  const file = openSync(path, 'r')
  try {
    return readHead(new HeadReader(file, Math.min(fstatSync(file).size, LIMITS.head)))
  } finally {
    closeSync(file)
  }
}

function readHead(reader: HeadReader): GgufHead {
  if (reader.left < 24 || reader.bytes(4).toString('latin1') !== 'GGUF')
    throw new NotGguf('This is not a model file in the GGUF format.')
  const version = reader.number(4)
  if (version !== 2 && version !== 3)
    throw new NotGguf(`This model file has version ${version} of GGUF; versions 2 and 3 can be read.`)
  const tensors = bounded(reader.number(10), LIMITS.tensors)
  const count = bounded(reader.number(10), LIMITS.values)
  const values = new Map<string, string | number | boolean | readonly number[]>()
  for (let i = 0; i < count; i++) {
    const key = reader.text(LIMITS.key)
    const value = readValue(reader, reader.number(4))
    if (value !== null) values.set(key, value)
  }
  return { values, leastBytes: leastBytes(reader, tensors) }
}

function readValue(reader: HeadReader, type: number): string | number | boolean | number[] | null {
  if (type === TEXT) return reader.text(LIMITS.text)
  if (type === LIST) return readList(reader)
  return type === 7 ? reader.number(type) !== 0 : reader.number(type)
}

// Vocabularies are lists of hundreds of thousands of texts, which are skipped.
function readList(reader: HeadReader): number[] | null {
  const type = reader.number(4)
  const count = bounded(reader.number(10), reader.left)
  const size = SIZES[type]
  if (size !== undefined && count <= LIMITS.list)
    return Array.from({ length: count }, () => reader.number(type))
  if (size !== undefined) reader.skip(count * size)
  else if (type === TEXT) for (let i = 0; i < count; i++) reader.skip(reader.number(10))
  else throw damaged()
  return null
}

/** The offset of the last tensor: what comes before it has to be in the file. */
function leastBytes(reader: HeadReader, tensors: number): number {
  let last = 0
  for (let i = 0; i < tensors; i++) {
    reader.skip(reader.number(10))
    const dimensions = bounded(reader.number(4), MAX_DIMENSIONS)
    reader.skip(dimensions * 8 + 4)
    last = Math.max(last, reader.number(10))
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

const CHUNK = 1_048_576

/** Reads a file forwards in chunks. Throws NotGguf where it ends too soon. */
class HeadReader {
  position = 0
  private chunk = Buffer.alloc(0)
  private chunkAt = 0

  constructor(
    private readonly file: number,
    private readonly end: number,
  ) {}

  get left(): number {
    return this.end - this.position
  }

  skip(count: number): void {
    this.position += bounded(count, this.left)
  }

  bytes(count: number): Buffer {
    const start = this.position
    this.skip(count)
    if (start < this.chunkAt || start + count > this.chunkAt + this.chunk.length) this.fill(start, count)
    return this.chunk.subarray(start - this.chunkAt, start - this.chunkAt + count)
  }

  text(most: number): string {
    return this.bytes(bounded(this.number(10), most)).toString('utf8')
  }

  number(type: number): number {
    const size = SIZES[type]
    if (size === undefined) throw damaged()
    const view = this.bytes(size)
    if (type === 6) return view.readFloatLE()
    if (type === 12) return view.readDoubleLE()
    if (size === 8) return Number(type === 11 ? view.readBigInt64LE() : view.readBigUInt64LE())
    const isSigned = type === 1 || type === 3 || type === 5
    return isSigned ? view.readIntLE(0, size) : view.readUIntLE(0, size)
  }

  private fill(start: number, count: number): void {
    const chunk = Buffer.alloc(Math.min(Math.max(CHUNK, count), this.end - start))
    const read = readSync(this.file, chunk, 0, chunk.length, start)
    if (read < count) throw damaged()
    this.chunk = chunk.subarray(0, read)
    this.chunkAt = start
  }
}

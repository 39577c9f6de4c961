import { MAX_VALUES } from '../import-limits.ts'

/** The bytes are damaged, or in a part of the format that is not read. */
export class MessagePackError extends Error {}

const MAX_DEPTH = 100

/**
 * Reads MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md) with what the library msgpackr adds to it, which
 * NovelAI writes with (https://github.com/kriszyp/msgpackr): records, which name their keys once, and texts that stand together
 * behind the values. `wrappers` are the types of extensions whose value is the one that follows them. Maps and records become
 * Maps; binary data and other extensions become null. Throws MessagePackError.
 */
export function readMessagePack(bytes: Uint8Array, wrappers: ReadonlySet<number>): unknown {
  try {
    return new Reader(bytes, wrappers).read(0)
  } catch (error) {
    // The view throws this for what lies behind the last byte.
    if (error instanceof RangeError) throw new MessagePackError('It ends too early.')
    throw error
  }
}

/** Texts that stand together, and how far they are read. */
interface Bundle {
  text: string
  at: number
}

/** The types of extensions. */
const RECORD = 0x72
const BUNDLES = 0x62
const SET = 0x73
/** Structures that refer to themselves; a story has none. */
const SHARED = new Set([0x69, 0x70])

class Reader {
  private readonly view: DataView
  private at = 0
  private count = 0
  private readonly records = new Map<number, unknown[]>()
  private bundles: [Bundle, Bundle] | null = null

  constructor(
    private readonly bytes: Uint8Array,
    private readonly wrappers: ReadonlySet<number>,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  read(depth: number): unknown {
    if (depth > MAX_DEPTH || ++this.count > MAX_VALUES) throw new MessagePackError('It has too many values.')
    const token = this.unsigned(1)
    if (token < 0x40) return token
    if (token < 0x80) return this.recordOrNumber(token, depth)
    if (token < 0x90) return this.map(token & 0x0f, depth)
    if (token < 0xa0) return this.array(token & 0x0f, depth)
    if (token < 0xc0) return this.text(token & 0x1f)
    if (token >= 0xe0) return token - 0x100
    return this.other(token, depth)
  }

  private other(token: number, depth: number): unknown {
    switch (token) {
      case 0xc0:
        return null
      case 0xc1:
        return this.bundled(depth)
      case 0xc2:
      case 0xc3:
        return token === 0xc3
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.skip(this.unsigned(SIZES[token - 0xc4]))
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.extension(this.unsigned(SIZES[token - 0xc7]), depth)
      case 0xca:
        return this.view.getFloat32(this.advance(4))
      case 0xcb:
        return this.view.getFloat64(this.advance(8))
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.unsigned(SIZES[token - 0xcc])
      case 0xcf:
        return Number(this.view.getBigUint64(this.advance(8)))
      case 0xd0:
        return this.view.getInt8(this.advance(1))
      case 0xd1:
        return this.view.getInt16(this.advance(2))
      case 0xd2:
        return this.view.getInt32(this.advance(4))
      case 0xd3:
        return Number(this.view.getBigInt64(this.advance(8)))
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.text(this.unsigned(SIZES[token - 0xd9]))
      case 0xdc:
      case 0xdd:
        return this.array(this.unsigned(SIZES[token - 0xdb]), depth)
      case 0xde:
      case 0xdf:
        return this.map(this.unsigned(SIZES[token - 0xdd]), depth)
      default:
        // 0xd4 to 0xd8: an extension of 1, 2, 4, 8 or 16 bytes.
        return this.extension(1 << (token - 0xd4), depth)
    }
  }

  /** Passes the next bytes, and returns where they begin. */
  private advance(length: number): number {
    const start = this.at
    this.at += length
    if (this.at > this.bytes.length) throw new MessagePackError('It ends too early.')
    return start
  }

  private skip(length: number): null {
    this.advance(length)
    return null
  }

  private unsigned(size: number | undefined): number {
    if (size === 1) return this.view.getUint8(this.advance(1))
    return size === 2 ? this.view.getUint16(this.advance(2)) : this.view.getUint32(this.advance(4))
  }

  private text(length: number): string {
    const start = this.advance(length)
    return new TextDecoder().decode(this.bytes.subarray(start, this.at))
  }

  private array(length: number, depth: number): unknown[] {
    return Array.from({ length: this.possible(length) }, () => this.read(depth + 1))
  }

  private map(length: number, depth: number): Map<unknown, unknown> {
    const map = new Map<unknown, unknown>()
    for (let i = this.possible(length); i > 0; i--) map.set(this.read(depth + 1), this.read(depth + 1))
    return map
  }

  /** A number of values, each of which takes at least one byte. */
  private possible(length: number): number {
    if (length > this.bytes.length - this.at) throw new MessagePackError('It ends too early.')
    return length
  }

  private recordOrNumber(token: number, depth: number): unknown {
    const keys = this.records.get(token & 0x3f)
    return keys ? this.record(keys, depth) : token
  }

  private record(keys: readonly unknown[], depth: number): Map<unknown, unknown> {
    return new Map(keys.map((key) => [key, this.read(depth + 1)]))
  }

  /** The length of a text in UTF-16 units; of one in the first bundle it is negative. */
  private bundled(depth: number): string {
    const length = this.read(depth + 1)
    if (this.bundles === null || typeof length !== 'number') throw new MessagePackError('A text is missing.')
    const bundle = this.bundles[length > 0 ? 1 : 0]
    const start = bundle.at
    bundle.at += Math.abs(length)
    return bundle.text.slice(start, bundle.at)
  }

  private extension(length: number, depth: number): unknown {
    const type = this.unsigned(1)
    const start = this.advance(length)
    if (SHARED.has(type)) throw new MessagePackError('It refers to itself.')
    if (type === BUNDLES && length >= 4) return this.withBundles(start, depth)
    if (length !== 1) return null
    if (type === RECORD) return this.defineRecord(this.view.getUint8(start) & 0x3f, depth)
    return type === SET || this.wrappers.has(type) ? this.read(depth + 1) : null
  }

  private defineRecord(id: number, depth: number): unknown {
    const keys = this.read(depth + 1)
    if (!Array.isArray(keys)) throw new MessagePackError('A record has no keys.')
    this.records.set(id, keys)
    return this.record(keys, depth)
  }

  /** The value, whose texts stand so many bytes behind the place that says so. Those of the values before may stand here. */
  private withBundles(start: number, depth: number): unknown {
    const value = this.at
    this.at = start + this.view.getUint32(start)
    const texts = [this.read(depth + 1), this.read(depth + 1)]
    this.bundles = texts.map((text) => ({ text: String(text), at: 0 })) as [Bundle, Bundle]
    this.at = value
    return this.read(depth + 1)
  }
}

/** Bytes of a length or a number, from the shortest. */
const SIZES = [1, 2, 4]

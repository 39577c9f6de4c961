import { concatBytes, zlib } from '../../lib/bytes.ts'

/** A file inside an archive. `name` is plain ASCII. */
export interface ZipEntry {
  name: string
  bytes: Uint8Array
  /** It stands there as it is, without being packed. */
  stored?: boolean
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** 1980-01-01, the first day that such a file can name: archives of equal content are equal. */
const FIRST_DAY = 0x0021

/**
 * An archive of files in the given order, piece by piece (PKWARE APPNOTE 6.3, without its extensions: at most 65,535 files
 * and 4 GB).
 */
export function* makeZip(entries: Iterable<ZipEntry>): Generator<Uint8Array> {
  const directory: Uint8Array[] = []
  let [offset, count] = [0, 0]
  for (const { name, bytes, stored = false } of entries) {
    const packed = stored ? bytes : zlib().deflateRawSync(bytes)
    const about = common({
      method: stored ? 0 : 8,
      crc: zlib().crc32(bytes),
      packed: packed.length,
      size: bytes.length,
      nameLength: name.length,
    })
    const local = concatBytes([numbers([LOCAL, 4], [20, 2]), about, text(name)])
    directory.push(
      numbers([CENTRAL, 4], [20, 2], [20, 2]),
      about,
      // No comment, the first disk, no attributes.
      numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
      text(name),
    )
    count++
    yield local
    yield packed
    offset += local.length + packed.length
  }
  const listed = concatBytes(directory)
  yield listed
  yield numbers([END, 4], [0, 2], [0, 2], [count, 2], [count, 2], [listed.length, 4], [offset, 4], [0, 2])
}

type EntryNumber = 'method' | 'crc' | 'packed' | 'size' | 'nameLength'

/** The fields that both headers of a file share. */
function common({ method, crc, packed, size, nameLength }: Record<EntryNumber, number>): Uint8Array {
  return numbers(
    [0, 2],
    [method, 2],
    [0, 2],
    [FIRST_DAY, 2],
    [crc, 4],
    [packed, 4],
    [size, 4],
    [nameLength, 2],
    [0, 2],
  )
}

/** Numbers of so many bytes, the least significant one first. */
function numbers(...fields: [value: number, bytes: 2 | 4][]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [, size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}

function text(name: string): Uint8Array {
  return new TextEncoder().encode(name)
}

import { MAX_IMPORT_BYTES, MAX_IMPORT_FILES } from '../../domain/limits.ts'
import { zlib } from '../../lib/bytes.ts'
import { MAX_ARCHIVE_BYTES } from '../import-limits.ts'
import { viewOf } from '../picture/byte-view.ts'
import type { ByteSource } from './byte-source.ts'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const ZIP64_END = 0x06064b50
const ZIP64_LOCATOR = 0x07064b50
/** Bytes of the records without their names, and the longest comment that may stand after the last. */
const [LOCAL_SIZE, CENTRAL_SIZE, END_SIZE, MAX_COMMENT] = [30, 46, 22, 0xffff]
const [ZIP64_END_SIZE, ZIP64_LOCATOR_SIZE] = [56, 20]
/** The extra field with numbers of 64 bits, and what stands for each of them where it has no room. */
const [ZIP64_FIELD, IN_ZIP64] = [1, 0xffffffff]

/** Bytes of the name of a file, and times its packed size that it may have. */
const [MAX_NAME, MAX_RATIO] = [300, 200]
/** Bytes of the list of all files. */
const MAX_DIRECTORY = 4 * 1024 * 1024
/** A small file may shrink more: one of spaces does no harm. */
const ALWAYS_ALLOWED = 256 * 1024

/** A file of an archive. Its name is a label and never a path. */
export interface ZipFile {
  name: string
  /** Bytes, unpacked. */
  size: number
  /**
   * Null for a file that is damaged, encrypted, packed in a way that is not read, or larger than an import may be.
   */
  read: () => Uint8Array | null
}

export type ZipError = 'broken' | 'too large'

/**
 * The files of a zip archive, which may stand after a picture (PKWARE APPNOTE 6.3 with ZIP64). Nothing is unpacked before it
 * is asked for, and all sizes are checked before. Links are left out.
 */
export function readZip(source: ByteSource): ZipFile[] | ZipError {
  try {
    const longestTail = ZIP64_END_SIZE + ZIP64_LOCATOR_SIZE + END_SIZE + MAX_COMMENT
    const tailStart = Math.max(0, source.size - longestTail)
    const view = viewOf(source.read(tailStart, source.size - tailStart))
    const record = findEnd(view)
    if (record === null) return 'broken'
    const { count, size, offset, end } = directoryOf(view, record)
    if (count > MAX_IMPORT_FILES || size > MAX_DIRECTORY) return 'too large'
    // Anything in front of the archive moves all offsets.
    const start = tailStart + end - size
    const shift = start - offset
    if (start < 0 || shift < 0) return 'broken'
    return listFiles(source, source.read(start, size), { count, shift })
  } catch (error) {
    if (error instanceof RangeError) return 'broken'
    throw error
  }
}

export function isZip(start: Uint8Array): boolean {
  return start.length >= 4 && viewOf(start).getUint32(0, true) === LOCAL
}

/** Looks for a zip archive at the end of a file. */
export function hasZip(bytes: Uint8Array): boolean {
  return bytes.length >= END_SIZE && findEnd(viewOf(bytes)) !== null
}

function findEnd(view: DataView): number | null {
  const first = Math.max(0, view.byteLength - END_SIZE - MAX_COMMENT)
  for (let at = view.byteLength - END_SIZE; at >= first; at--)
    if (view.getUint32(at, true) === END && at + END_SIZE + view.getUint16(at + 20, true) <= view.byteLength)
      return at
  return null
}

/** The number of files in the directory, its size, its offset and its end. */
function directoryOf(view: DataView, record: number) {
  const locator = record - ZIP64_LOCATOR_SIZE
  const end = locator - ZIP64_END_SIZE
  const isZip64 =
    end >= 0 && view.getUint32(locator, true) === ZIP64_LOCATOR && view.getUint32(end, true) === ZIP64_END
  if (isZip64) {
    const [count = 0, size = 0, offset = 0] = wideNumbers(view, end + 32, end + ZIP64_END_SIZE)
    return { count, size, offset, end }
  }
  const [size, offset] = [view.getUint32(record + 12, true), view.getUint32(record + 16, true)]
  return { count: view.getUint16(record + 10, true), size, offset, end: record }
}

function listFiles(
  source: ByteSource,
  directory: Uint8Array,
  { count, shift }: { count: number; shift: number },
): ZipFile[] | ZipError {
  const files: ZipFile[] = []
  const view = viewOf(directory)
  let [at, unpacked] = [0, 0]
  for (let i = 0; i < count; i++) {
    if (at + CENTRAL_SIZE > directory.length || view.getUint32(at, true) !== CENTRAL) return 'broken'
    const nameLength = view.getUint16(at + 28, true)
    const extra = at + CENTRAL_SIZE + nameLength
    const next = extra + view.getUint16(at + 30, true)
    const wide = zip64Numbers(view, extra, next)
    const [size = 0, packed = 0, local = 0] = [24, 20, 42].map((field) => {
      const number = view.getUint32(at + field, true)
      return number === IN_ZIP64 ? (wide.shift() ?? number) : number
    })
    unpacked += size
    if (nameLength > MAX_NAME || unpacked > MAX_ARCHIVE_BYTES) return 'too large'
    if (size > ALWAYS_ALLOWED && size > packed * MAX_RATIO) return 'too large'
    // Entries may share their bytes.
    if (unpacked > ALWAYS_ALLOWED && unpacked > source.size * MAX_RATIO) return 'too large'
    const name = new TextDecoder().decode(directory.subarray(at + CENTRAL_SIZE, extra))
    const entry: Entry = {
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed,
      size,
      local: local + shift,
    }
    if (!isLink(view.getUint32(at + 38, true)))
      files.push({ name, size, read: () => contentOf(source, entry) })
    at = next + view.getUint16(at + 32, true)
  }
  return files
}

/** The numbers of an entry's ZIP64 field: of its size, packed size and offset, those that it needs. */
function zip64Numbers(view: DataView, from: number, to: number): number[] {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === ZIP64_FIELD)
      return wideNumbers(view, at + 4, Math.min(to, at + 4 + view.getUint16(at + 2, true)))
  return []
}

function wideNumbers(view: DataView, from: number, to: number): number[] {
  const count = Math.floor((to - from) / 8)
  return Array.from({ length: count }, (_, i) => Number(view.getBigUint64(from + i * 8, true)))
}

// The upper half of the external attributes is the mode of Unix: a link holds nothing but a path.
function isLink(attributes: number): boolean {
  return attributes >>> 28 === 0xa
}

interface Entry {
  isEncrypted: boolean
  method: number
  crc: number
  packed: number
  size: number
  local: number
}

function contentOf(
  source: ByteSource,
  { isEncrypted, method, crc, packed, size, local }: Entry,
): Uint8Array | null {
  if (isEncrypted || Math.max(packed, size) > MAX_IMPORT_BYTES || local + LOCAL_SIZE > source.size)
    return null
  const header = viewOf(source.read(local, LOCAL_SIZE))
  if (header.getUint32(0, true) !== LOCAL) return null
  const start = local + LOCAL_SIZE + header.getUint16(26, true) + header.getUint16(28, true)
  if (start + packed > source.size) return null
  const content = unpack(source.read(start, packed), method, size)
  return content?.length === size && zlib().crc32(content) === crc ? content : null
}

function unpack(content: Uint8Array, method: number, size: number): Uint8Array | null {
  if (method === 0) return content
  if (method !== 8) return null
  try {
    return zlib().inflateRawSync(content, { maxOutputLength: Math.max(1, size) })
  } catch {
    return null
  }
}

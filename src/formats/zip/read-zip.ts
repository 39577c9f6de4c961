import { MAX_IMPORT_BYTES, MAX_IMPORT_FILES } from '../../domain/limits.ts'
import { zlib } from '../../lib/zlib.ts'
import { MAX_ARCHIVE_BYTES } from '../import-limits.ts'
import { viewOf } from '../picture/byte-view.ts'
import type { ByteSource } from './byte-source.ts'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** Bytes of the records without their names, and the longest comment that may stand after the last. */
const [LOCAL_SIZE, CENTRAL_SIZE, END_SIZE, MAX_COMMENT] = [30, 46, 22, 0xffff]

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

/** Why an archive is not read. */
export type ZipError = 'broken' | 'too large'

/**
 * The files of a zip archive, which may stand after a picture (PKWARE APPNOTE 6.3, without its extensions). Nothing is
 * unpacked before it is asked for, and all sizes are checked before. Links are left out.
 */
export function readZip(source: ByteSource): ZipFile[] | ZipError {
  try {
    const tailStart = Math.max(0, source.size - END_SIZE - MAX_COMMENT)
    const view = viewOf(source.read(tailStart, source.size - tailStart))
    const record = findEnd(view)
    if (record === null) return 'broken'
    const count = view.getUint16(record + 10, true)
    const size = view.getUint32(record + 12, true)
    if (count > MAX_IMPORT_FILES || size > MAX_DIRECTORY) return 'too large'
    // What stands in front of the archive moves all offsets.
    const start = tailStart + record - size
    const shift = start - view.getUint32(record + 16, true)
    if (start < 0 || shift < 0) return 'broken'
    return listFiles(source, source.read(start, size), { count, shift })
  } catch (error) {
    if (error instanceof RangeError) return 'broken'
    throw error
  }
}

/** Whether a file begins as a zip archive. */
export function isZip(start: Uint8Array): boolean {
  return start.length >= 4 && viewOf(start).getUint32(0, true) === LOCAL
}

/** Whether there is a zip archive at the end of a file. */
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
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)]
    const nameLength = view.getUint16(at + 28, true)
    unpacked += size
    if (nameLength > MAX_NAME || unpacked > MAX_ARCHIVE_BYTES) return 'too large'
    if (size > ALWAYS_ALLOWED && size > packed * MAX_RATIO) return 'too large'
    // Entries may share their bytes.
    if (unpacked > ALWAYS_ALLOWED && unpacked > source.size * MAX_RATIO) return 'too large'
    const name = new TextDecoder().decode(
      directory.subarray(at + CENTRAL_SIZE, at + CENTRAL_SIZE + nameLength),
    )
    const entry: Entry = {
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed,
      size,
      local: view.getUint32(at + 42, true) + shift,
    }
    if (!isLink(view.getUint32(at + 38, true)))
      files.push({ name, size, read: () => contentOf(source, entry) })
    at += CENTRAL_SIZE + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return files
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

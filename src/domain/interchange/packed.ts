import { gunzipSync, gzipSync } from 'node:zlib'

/** A file over this is packed, so that it can be brought back: 16 MiB. */
const LARGEST_PLAIN = 16 * 1024 * 1024
/** What a packed file may hold: 64 MiB, a story of twenty thousand counted passages. */
export const LARGEST_UNPACKED = 64 * 1024 * 1024

/** A file as it is, or packed when it is large. Words pack to a tenth (RFC 1952). */
export function packed(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.length > LARGEST_PLAIN ? new Uint8Array(gzipSync(bytes, { level: 1 })) : bytes
}

export function isPacked(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** What a packed file holds; null when it is broken or holds too much. */
export function unpacked(bytes: Uint8Array): Uint8Array | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGEST_UNPACKED })
  } catch {
    return null
  }
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

/** Decodes base64 in either alphabet, with or without padding and line breaks; null when it is invalid. */
export function bytesFromBase64(base64: string): Uint8Array | null {
  const plain = base64
    .replace(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/(?<!=)=+$/, '')
  try {
    return Uint8Array.fromBase64(plain)
  } catch {
    return null
  }
}

/** Whether bytes begin like a file of SQLite (https://www.sqlite.org/fileformat2.html#magic_header_string). */
export function isSqlite(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 16)) === 'SQLite format 3\0'
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Decompresses; null when the data is broken or would be longer than `maxBytes`. */
export function gunzip(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  try {
    return zlib().gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch {
    return null
  }
}

/** node:zlib, loaded on first use: with the streams that it loads, it would add a tenth to the start. */
export const zlib = () => process.getBuiltinModule('node:zlib')

/**
 * Joins texts of a file, in UTF-8, into chunks of `size` characters or little more, and leaves bytes as they are. Each chunk
 * has a buffer of its own.
 */
export function* inChunks(
  pieces: Iterable<string | Uint8Array>,
  size: number,
): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  let text = ''
  for (const piece of pieces) {
    const isText = typeof piece === 'string'
    if (isText) text += piece
    if (text !== '' && (!isText || text.length >= size)) {
      yield encoder.encode(text)
      text = ''
    }
    // Not `slice()`, by which a Buffer shares its memory.
    if (!isText && piece.length > 0) yield new Uint8Array(piece)
  }
  if (text !== '') yield encoder.encode(text)
}

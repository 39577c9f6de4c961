export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

/** Decodes base64 in either alphabet, with or without padding and line breaks; null if invalid. */
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

/** Checks the magic header (https://www.sqlite.org/fileformat2.html#magic_header_string). */
export function isSqlite(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 16)) === 'SQLite format 3\0'
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Null if the data is broken or would exceed `maxBytes`. */
export function gunzip(bytes: Uint8Array, maxBytes: number): Uint8Array | null {
  try {
    return zlib().gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch {
    return null
  }
}

/** node:zlib, loaded on first use: its streams would add a tenth to the start. */
export const zlib = () => process.getBuiltinModule('node:zlib')

/** Joins UTF-8 texts into chunks of about `size` characters; bytes pass unchanged. Each chunk has its own buffer. */
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
    // Not `slice()`, with which a Buffer shares its memory.
    if (!isText && piece.length > 0) yield new Uint8Array(piece)
  }
  if (text !== '') yield encoder.encode(text)
}

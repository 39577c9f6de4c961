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

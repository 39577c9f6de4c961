/** Joins pieces of a file into chunks of at most `size` bytes; text becomes UTF-8. Each chunk has a buffer of its own. */
export function* inChunks(
  pieces: Iterable<string | Uint8Array>,
  size: number,
): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  let chunk = new Uint8Array(size)
  let filled = 0
  for (const piece of pieces) {
    for (let rest = piece; rest.length > 0; ) {
      const room = chunk.subarray(filled)
      const { read, written } =
        typeof rest === 'string' ? encoder.encodeInto(rest, room) : copyInto(rest, room)
      filled += written
      if (read === rest.length) break
      rest = rest.slice(read)
      yield chunk.subarray(0, filled)
      chunk = new Uint8Array(size)
      filled = 0
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}

function copyInto(bytes: Uint8Array, room: Uint8Array): { read: number; written: number } {
  const copied = Math.min(bytes.length, room.length)
  room.set(bytes.subarray(0, copied))
  return { read: copied, written: copied }
}

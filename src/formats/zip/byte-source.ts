/** Bytes that are read where they are needed: in memory, or of a file that is too large for it. */
export interface ByteSource {
  size: number
  /** `length` bytes from `at` on; fewer after the end. */
  read: (at: number, length: number) => Uint8Array
}

export function bytesInMemory(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) }
}

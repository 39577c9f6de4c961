/** What a turn looks for, as vectors of length 1, and the name under which the vectors to compare are stored. */
export interface VectorQuery {
  model: string
  /** The player's line alone; null on a turn without one. */
  line: Float32Array | null
  /** The end of the newest passage; null in a story without passages. */
  passages: Float32Array | null
  /** What any line of any player resembles; not of length 1. */
  neutral: Float32Array
}

/** Scales a vector to length 1, so that the dot product of two is their cosine. A zero vector stays as it is. */
export function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length > 0 ? vector.map((value) => value / length) : vector
}

/** The mean of vectors of one length; empty for none. */
export function meanVector(vectors: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = vectors
  return first.map((_, i) => vectors.reduce((sum, vector) => sum + (vector[i] ?? 0), 0) / vectors.length)
}

/** The dot product of two vectors; 0 for vectors of different models, which cannot be compared. */
export function dotProduct(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) return 0
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0)
  return sum
}

/** A vector as it is stored: little-endian 32-bit floats. */
export function vectorToBytes(vector: Float32Array): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4))
  for (const [i, value] of vector.entries()) bytes.setFloat32(i * 4, value, true)
  return new Uint8Array(bytes.buffer)
}

// Every processor that Bun runs on is little-endian: the bytes are the floats.
/** A stored vector; a trailing fragment of a float is ignored. */
export function vectorFromBytes(blob: Uint8Array): Float32Array {
  const length = Math.floor(blob.byteLength / 4)
  if (blob.byteOffset % 4 === 0) return new Float32Array(blob.buffer, blob.byteOffset, length)
  return new Float32Array(blob.slice(0, length * 4).buffer)
}

/** What memories are looked for by: a vector of length 1, and the embedding model that made it. */
export interface Query {
  model: string
  vector: Float32Array
}

/** A vector of length 1, so that a product of two is their cosine. One of nothing stays as it is. */
export function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length > 0 ? vector.map((value) => value / length) : vector
}

/** The cosine of two vectors of length 1; 0 for two of different models, which have nothing to say to each other. */
export function cosine(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) return 0
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0)
  return sum
}

/** A vector as it is kept: little-endian floats of four bytes. */
export function packed(vector: Float32Array): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(vector.length * 4))
  for (const [i, value] of vector.entries()) bytes.setFloat32(i * 4, value, true)
  return new Uint8Array(bytes.buffer)
}

/** The kept vector; a torn end is left out. */
export function unpacked(blob: Uint8Array): Float32Array {
  const bytes = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  return Float32Array.from({ length: Math.floor(blob.byteLength / 4) }, (_, i) =>
    bytes.getFloat32(i * 4, true),
  )
}

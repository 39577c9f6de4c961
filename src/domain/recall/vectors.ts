/** The vector of a line, and the name under which the vectors to compare are stored. */
export interface VectorQuery {
  model: string
  /** A vector of length 1. */
  line: Float64Array
}

/** Scales a vector to length 1, so that the dot product of two is their cosine. A zero vector stays as it is. */
export function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length > 0 ? vector.map((value) => value / length) : vector
}

/** A vector in whole numbers from -127 to 127, each `scale` times too large. A quarter of the size. */
export interface SmallVector {
  values: Int8Array
  scale: number
}

/** The same vector, rounded to 1/127 of its largest number. */
export function smallVector(vector: Float32Array): SmallVector {
  let largest = 0
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] ?? 0))
  const scale = 127 / (largest || 1)
  const values = new Int8Array(vector.length)
  for (let i = 0; i < values.length; i++) values[i] = Math.round((vector[i] ?? 0) * scale)
  return { values, scale }
}

/** The dot product with another vector; 0 for one of a different model, which cannot be compared. */
export function dotProduct({ values, scale }: SmallVector, other: Float64Array): number {
  const { length } = values
  if (length !== other.length) return 0
  // Four sums, because each addition waits for the one before; declared one by one, which takes half the time of a list. 64
  // bits, because others are converted at each step.
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let i = 0; i < length - 3; i += 4) {
    a += (values[i] as number) * (other[i] as number)
    b += (values[i + 1] as number) * (other[i + 1] as number)
    c += (values[i + 2] as number) * (other[i + 2] as number)
    d += (values[i + 3] as number) * (other[i + 3] as number)
  }
  for (let i = length - (length % 4); i < length; i++) a += (values[i] as number) * (other[i] as number)
  return (a + b + c + d) / scale
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

/** A small vector of length 1 as it is stored: a byte a number. Its scale is what makes its length 1. */
export function smallVectorToBytes({ values }: SmallVector): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.length)
}

export function smallVectorFromBytes(blob: Uint8Array): SmallVector {
  const values = new Int8Array(blob.buffer, blob.byteOffset, blob.length)
  return { values, scale: Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)) || 1 }
}

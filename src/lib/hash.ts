export function hashOf(text: string): string {
  return sha256(text, 'base64url').slice(0, 22)
}

/** A number of 32 bits from a text. */
export function numberOf(text: string): number {
  return Bun.hash.xxHash32(text)
}

/** Bun's own: node:crypto loads streams, which would add a third to the start of a worker. */
export function sha256(text: string, encoding: 'hex' | 'base64' | 'base64url'): string {
  return Bun.CryptoHasher.hash('sha256', text, encoding)
}

/** A short mark that stands for a text: equal texts have equal marks, and no two others do. */
export function hashOf(text: string): string {
  return sha256(text, 'base64url').slice(0, 22)
}

/** Bun's own: node:crypto loads streams, which would take a third of the start of a worker. */
export function sha256(text: string, encoding: 'hex' | 'base64' | 'base64url'): string {
  return Bun.CryptoHasher.hash('sha256', text, encoding)
}

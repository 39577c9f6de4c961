/** The bytes of a base64 text in either alphabet, with line breaks or without; null for what is none. */
export function bytesFrom(base64: string): Uint8Array | null {
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

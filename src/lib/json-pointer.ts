/** A name as a token of a JSON Pointer (RFC 6901, 3). */
export function toPointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function fromPointerToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

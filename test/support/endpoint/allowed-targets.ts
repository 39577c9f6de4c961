const intended = new Set<string>()

/** A test means the service to speak to this address. */
export function mean(url: string): void {
  intended.add(placeOf(url))
}

export function isMeant(place: string): boolean {
  return intended.has(place)
}

function placeOf(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  return `${hostname.replace(/^\[|\]$/g, '')}:${port || (protocol === 'https:' ? 443 : 80)}`
}

const intended = new Set<string>()

/** Allows the service to contact this address. */
export function allowTarget(url: string): void {
  intended.add(placeOf(url))
}

export function isAllowedTarget(place: string): boolean {
  return intended.has(place)
}

function placeOf(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  return `${hostname.replace(/^\[|\]$/g, '')}:${port || (protocol === 'https:' ? 443 : 80)}`
}

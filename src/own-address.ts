import type { Config } from './config.ts'

const ALL_ADDRESSES: Record<string, string> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }

export function ownAddress(host: string, port: number): string {
  const name = nameInUrl(host)
  return `http://${ALL_ADDRESSES[name] ?? name}:${port}/`
}

export function listeningNote(host: string, address: string): string {
  const name = nameInUrl(host)
  return name in ALL_ADDRESSES
    ? ` (listening on ${name}:${new URL(address).port || 80}, for other machines too)`
    : ''
}

function nameInUrl(host: string): string {
  return new URL(`http://${host.includes(':') ? `[${host}]` : host}`).hostname
}

/** Accepted Host headers: loopback names, the address it listens on, and the allowed hosts. */
export function hostNames(config: Pick<Config, 'host' | 'allowedHosts'>, port: number): ReadonlySet<string> {
  const bound = new URL(ownAddress(config.host, port)).hostname
  const own = ['localhost', '127.0.0.1', '[::1]', bound].map((name) => `${name}:${port}`)
  // Browsers omit the port when it is 80.
  const short = port === 80 ? own.map((name) => name.replace(/:80$/, '')) : []
  return new Set([...own, ...short, ...listedHostNames(config, port)])
}

export function listedHostNames(
  { allowedHosts }: Pick<Config, 'allowedHosts'>,
  port: number,
): ReadonlySet<string> {
  return new Set(
    allowedHosts.flatMap((name) =>
      /:\d+$/.test(name) && !name.endsWith(']') ? [name] : [name, `${name}:${port}`],
    ),
  )
}

export function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

import type { Config } from './config.ts'

/** The address of the service for a person on this machine, with a trailing slash. */
export function ownAddress(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/`
}

/** The Host headers that the service accepts: loopback names, the address it listens on, and the allowed hosts. */
export function hostNames(config: Pick<Config, 'host' | 'allowedHosts'>, port: number): ReadonlySet<string> {
  const bound = new URL(ownAddress(config.host, port)).hostname
  const own = ['localhost', '127.0.0.1', '[::1]', bound].map((name) => `${name}:${port}`)
  // Browsers omit the port when it is 80.
  const short = port === 80 ? own.map((name) => name.replace(/:80$/, '')) : []
  return new Set([...own, ...short, ...listedHostNames(config, port)])
}

/** Those of the allowed hosts alone. */
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

import type { Config } from './config.ts'

/** The address at which a person on this machine reaches the service. */
export function ownAddress(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/`
}

/** The Host names to which the service answers: the loopback ones, the bound one, and those that were listed. */
export function hostNames(
  { host, allowedHosts }: Pick<Config, 'host' | 'allowedHosts'>,
  port: number,
): ReadonlySet<string> {
  const bound = new URL(ownAddress(host, port)).hostname
  const own = ['localhost', '127.0.0.1', '[::1]', bound].map((name) => `${name}:${port}`)
  const listed = allowedHosts.flatMap((name) =>
    /:\d+$/.test(name) && !name.endsWith(']') ? [name] : [name, `${name}:${port}`],
  )
  // On the default port of http a browser leaves the port away.
  return new Set(
    port === 80 ? [...own, ...own.map((name) => name.replace(/:80$/, '')), ...listed] : [...own, ...listed],
  )
}

export function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

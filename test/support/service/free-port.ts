import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** A port of this machine that nothing listens on, for programs that cannot choose one themselves. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

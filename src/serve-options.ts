import { IDLE_TIMEOUT } from './http/idle-timeout.ts'

/** Settings of Bun's server for everything that we answer. */
export function serveOptions(hostname: string, port: number, idleTimeout = IDLE_TIMEOUT) {
  return {
    hostname,
    port,
    // Otherwise two copies of the service would share the port and answer in turns.
    reusePort: false,
    idleTimeout,
    // The guard refuses bodies that are too long, with a message, and never reads them.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // Otherwise an uncaught error would be answered with a page of source code and paths of this machine.
    development: false,
  }
}

import type { Config } from '../../../src/config.ts'

/** A service for this machine alone, on any free port, with its library there. */
export const loopback = (dbPath: string): Config => ({
  dbPath,
  host: '127.0.0.1',
  port: 0,
  allowedHosts: [],
  corsOrigins: [],
  ca: null,
})

import type { Config } from '../../../src/config.ts'

/** A configuration for this machine only, on any free port. */
export const loopback = (dbPath: string): Config => ({
  dbPath,
  host: '127.0.0.1',
  port: 0,
  allowedHosts: [],
  corsOrigins: [],
  ca: null,
})

import type { IncomingHttpHeaders } from 'node:http'

/** Seconds to wait before the next request (RFC 9110, 10.2.3); 0 when the server does not say. */
export function retryAfter({ 'retry-after': value = '', date = '' }: IncomingHttpHeaders): number {
  if (/^\s*\d+\s*$/.test(value)) return Number(value)
  // A date is relative to the server's clock, which may differ from ours.
  const seconds = (Date.parse(value) - Date.parse(date)) / 1_000
  return Math.max(0, seconds || 0)
}

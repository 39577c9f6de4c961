import type { IncomingHttpHeaders } from 'node:http'

/** Seconds for which a server asks to be left alone (RFC 9110, 10.2.3); 0 when it does not say. */
export function retryAfter({ 'retry-after': asked = '', date = '' }: IncomingHttpHeaders): number {
  if (/^\s*\d+\s*$/.test(asked)) return Number(asked)
  // A time is counted by the server's own clock: ours may go otherwise.
  const seconds = (Date.parse(asked) - Date.parse(date)) / 1_000
  return Math.max(0, seconds || 0)
}

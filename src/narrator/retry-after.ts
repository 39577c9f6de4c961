/** Seconds for which a server asks to be left alone, by its Retry-After (RFC 9110, 10.2.3); 0 when it does not say. */
export function retryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0
  if (/^\s*\d+\s*$/.test(header)) return Number(header)
  const until = Date.parse(header)
  return Number.isNaN(until) ? 0 : Math.max(0, (until - now.getTime()) / 1_000)
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The policy of a file from the library when it is opened as a page: it may do nothing. */
export const SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"

const COMMON = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** The headers of every response under `/api`, including errors. */
export const API_HEADERS: Record<string, string> = { ...COMMON, 'Referrer-Policy': 'no-referrer' }

/** The headers of every page and file. With `no-referrer` our own forms would be sent with `Origin: null` and refused. */
export const PAGE_HEADERS: Record<string, string> = { ...COMMON, 'Referrer-Policy': 'same-origin' }

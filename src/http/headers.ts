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

/** Policy for library files opened as a page: nothing is allowed. */
export const SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"

const COMMON = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

export const API_HEADERS: Record<string, string> = { ...COMMON, 'Referrer-Policy': 'no-referrer' }

/** Headers of pages and files. With `no-referrer`, our own forms would send `Origin: null` and be refused. */
export const PAGE_HEADERS: Record<string, string> = { ...COMMON, 'Referrer-Policy': 'same-origin' }

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What a file from the library may do, opened by itself: nothing. */
export const SANDBOX = "default-src 'none'; frame-ancestors 'none'; sandbox"

const COMMON = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** The headers of every answer under `/api`, errors too. */
export const API_HEADERS: Record<string, string> = { ...COMMON, 'Referrer-Policy': 'no-referrer' }

// With "no-referrer" a browser would call the origin of our own forms null, and they would be refused.
/** The headers of every page and file. */
export const PAGE_HEADERS: Record<string, string> = { ...COMMON, 'Referrer-Policy': 'same-origin' }

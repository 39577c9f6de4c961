/** How a line to a server fails, before anything that was said on it counts. */
export type FaultKind =
  | 'unconnected'
  | 'silent'
  | 'refused'
  | 'unreachable'
  | 'untrusted'
  | 'stranger'
  | 'malformed'
  | 'lost'

/** A fault of the line. `detail` is the system's own code, `seconds` how long we waited. */
export class LineFault extends Error {
  constructor(
    readonly kind: FaultKind,
    readonly detail: string,
    readonly seconds = 0,
  ) {
    super(`${kind} ${detail}`)
    this.name = 'LineFault'
  }
}

/** Reads an error of `node:http`, `node:tls` or a socket as a fault of the line. */
export function faultOf(error: unknown): LineFault {
  if (error instanceof LineFault) return error
  const code = codeOf(error)
  const kind = KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'lost'
  return new LineFault(kind, code)
}

const KINDS: readonly [RegExp, FaultKind][] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EINVAL|ETIMEDOUT)$/, 'unreachable'],
  [/CERT|TLS|SSL|UNABLE_TO_|HOSTNAME_MISMATCH|SIGNATURE|INVALID_CA|CRL/, 'untrusted'],
  [/^HPE_|^ERR_HTTP|HTTP_PARSE|InvalidHTTP|Malformed/i, 'malformed'],
]

// With several addresses the system reports one error for each.
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError ? codeOf(error.errors[0]) : ''
}

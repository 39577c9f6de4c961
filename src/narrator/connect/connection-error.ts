type ConnectionErrorKind =
  | 'connect_timeout'
  | 'read_timeout'
  | 'refused'
  | 'unreachable'
  | 'untrusted'
  | 'unchecked_peer'
  | 'malformed'
  | 'lost'

/** A failure below HTTP. `detail` is the system's error code, `seconds` the expired timeout. */
export class ConnectionError extends Error {
  constructor(
    readonly kind: ConnectionErrorKind,
    readonly detail: string,
    readonly seconds = 0,
  ) {
    super(`${kind} ${detail}`)
    this.name = 'ConnectionError'
  }
}

export function connectionErrorOf(error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error
  const code = codeOf(error)
  const kind = KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'lost'
  return new ConnectionError(kind, code)
}

const KINDS: readonly [RegExp, ConnectionErrorKind][] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EINVAL|ETIMEDOUT)$/, 'unreachable'],
  [/CERT|TLS|SSL|UNABLE_TO_|HOSTNAME_MISMATCH|SIGNATURE|INVALID_CA|CRL/, 'untrusted'],
  [/^HPE_|^ERR_HTTP|HTTP_PARSE|InvalidHTTP|Malformed/i, 'malformed'],
]

// A host with several addresses fails with one error for each.
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError ? codeOf(error.errors[0]) : ''
}

import { lookup } from 'node:dns/promises'
import type { Endpoint } from '../../domain/model/model-request.ts'
import type { LoggedRequest, PrivacyReport } from '../../domain/model/privacy-report.ts'
import { orNullAfter, unlessAborted } from '../../lib/promises.ts'
import type { NarratorOptions } from '../options.ts'
import { addressClass } from '../policy/addresses.ts'
import { rootOf } from '../policy/endpoint-url.ts'
import { type CheckedEndpoint, checkEndpoint } from '../policy/policy.ts'
import {
  bodyText,
  type HttpRequest,
  type HttpResponse,
  isSuccess,
  send,
  trustedAuthorities,
} from './transport.ts'

export interface EndpointContext {
  connection: EndpointConnection
  endpoint: Endpoint
  signal: AbortSignal
}

export interface EndpointRequest extends HttpRequest {
  atRoot?: boolean
}

interface AddressCheck {
  addresses: readonly string[]
  at: Date
}

/** Seconds for a request that aborts a reply. */
const ABORT_TIMEOUT = 2

/** Sends every request of the narrator, after checking the address policy. */
export class EndpointConnection {
  readonly msPerSecond: number
  readonly quirks = new ServerQuirks()
  private readonly requestLog = new RequestLog()
  private authorities: string[] | null = null
  private readonly answered = new Set<string>()
  private readonly checks = new Map<string, AddressCheck>()
  private readonly pendingAborts = new Map<string, Promise<unknown>>()

  constructor(private readonly options: NarratorOptions) {
    this.msPerSecond = options.msPerSecond ?? 1_000
  }

  /** Throws endpoint_refused. */
  async check(url: string): Promise<CheckedEndpoint> {
    const checked = await checkEndpoint(this.realAddress(url), (host) => this.resolve(host))
    this.checks.set(url, { addresses: checked.addresses, at: this.now() })
    return checked
  }

  /** Null if there was none, or it was refused. */
  lastCheck(url: string): AddressCheck | null {
    return this.checks.get(url) ?? null
  }

  sentRequests(): LoggedRequest[] {
    return this.requestLog.list()
  }

  /** Checks the address, then sends. Throws endpoint_refused, ConnectionError, or the signal's reason. */
  async send(
    { url, read_timeout_seconds }: Endpoint,
    request: EndpointRequest,
    signal: AbortSignal,
    onConnect = () => {},
  ): Promise<HttpResponse> {
    const checked = await unlessAborted(this.check(request.atRoot ? rootOf(url) : url), signal)
    const path = checked.url.pathname.replace(/\/$/, '') + request.path
    const response = await send(checked, request, {
      ca: this.trusted(),
      connectTimeout: this.options.connectTimeout ?? 10,
      readTimeout: read_timeout_seconds,
      msPerSecond: this.msPerSecond,
      signal,
      onConnect: (address) => {
        this.requestLog.add({ host: checked.url.host, address, path }, this.now())
        onConnect()
      },
    })
    if (response.status === 503 || isSuccess(response)) this.answered.add(url)
    return response
  }

  hasAnswered({ url }: Endpoint): boolean {
    return this.answered.has(url)
  }

  /** Asks the server to stop a reply, in the background, for at most 2 seconds. Never throws. */
  abortReply(endpoint: Endpoint, request: EndpointRequest): void {
    const limit = AbortSignal.timeout(ABORT_TIMEOUT * this.msPerSecond)
    const done = this.send(endpoint, request, limit)
      .then(({ body }) => bodyText(body))
      .catch(() => {})
    this.pendingAborts.set(endpoint.url, done)
  }

  /** Waits for a running abort, which could hit the next reply. */
  async abortsSettled({ url }: Endpoint): Promise<void> {
    await this.pendingAborts.get(url)
  }

  private realAddress(url: string): string {
    const host = URL.parse(url)?.host ?? ''
    const real = this.options.aliases?.get(host)
    return real === undefined ? url : url.replace(host, real())
  }

  private now(): Date {
    return this.options.now?.() ?? new Date(0)
  }

  private trusted(): string[] | null {
    if (this.options.ca) this.authorities ??= trustedAuthorities(this.options.ca)
    return this.authorities
  }

  // A silent name server must not delay a turn longer than a connection may.
  private async resolve(host: string): Promise<string[]> {
    const { resolve = systemLookup, connectTimeout = 10 } = this.options
    return (await orNullAfter(connectTimeout * this.msPerSecond, resolve(host))) ?? []
  }
}

async function systemLookup(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

const MAX_ENTRIES = 300

class RequestLog {
  private readonly entries = new Map<string, LoggedRequest>()

  add(request: Pick<LoggedRequest, 'host' | 'address' | 'path'>, last: Date): void {
    const key = `${request.host} ${request.address} ${request.path}`
    const times = (this.entries.get(key)?.times ?? 0) + 1
    this.entries.delete(key)
    this.entries.set(key, { ...request, times, last })
    const [oldest] = this.entries.keys()
    if (this.entries.size > MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest)
  }

  /** Most recent first. */
  list(): LoggedRequest[] {
    return [...this.entries.values()].reverse()
  }
}

/** Deviations of servers, learned from their error responses. Forgotten on restart. */
class ServerQuirks {
  /** Models whose chat template rejects the system role, as `url model`. */
  readonly withoutSystemRole = new Set<string>()
  /** Token counting routes that answered 404, as `url path`. */
  readonly missingRoutes = new Set<string>()
  private readonly fields = new Map<string, Set<string>>()

  /** Rejected request fields, for the caller to extend. */
  unknownFields(url: string): Set<string> {
    const fields = this.fields.get(url) ?? new Set()
    this.fields.set(url, fields)
    return fields
  }
}

export function privacyReport(
  connection: EndpointConnection,
  url: string,
  embeddingUrl: string,
): PrivacyReport {
  const withClass = <T extends { address: string }>(entry: T) => ({
    ...entry,
    class: addressClass(entry.address) ?? '',
  })
  const checked = (address: string): PrivacyReport['checked'] => {
    const check = connection.lastCheck(address)
    return check && { at: check.at, addresses: check.addresses.map((one) => withClass({ address: one })) }
  }
  return {
    checked: checked(url),
    embedding_server: embeddingUrl,
    embedding_checked: embeddingUrl === '' ? null : checked(embeddingUrl),
    sent: connection.sentRequests().map(withClass),
  }
}

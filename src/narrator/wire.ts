import { lookup } from 'node:dns/promises'
import type { Endpoint } from '../domain/model/model-request.ts'
import { unlessAborted } from '../lib/abort.ts'
import { bodyText } from './connect/body-text.ts'
import { type Connection, Connections } from './connections.ts'
import { type CheckedEndpoint, judge, type Resolve, rootOf } from './policy.ts'
import { type Answer, type Ask, send, trusting } from './transport.ts'

/** What tests put in place of the network, and a private authority. Times are in seconds. */
export interface NarratorOptions {
  /** For the list of what was connected to; without it all times are 1970. */
  now?: () => Date
  /** Milliseconds in a second of what a turn waits for: 1,000, and fewer where a test waits for minutes. */
  second?: number
  resolve?: Resolve
  /** Certificates of a private authority in PEM form, trusted besides the system's. */
  ca?: string
  /** How long a look-up, and then a connection, may take. */
  connectTimeout?: number
  /** Between two requests to a server that is loading. */
  retryEvery?: number
  /** How long a server that took a request may be silent before we say that we wait for it. */
  patience?: number
  /** How long a list of models may take. */
  listTimeout?: number
  /** How long each page may take on which a window is looked for. */
  windowTimeout?: number
  /** How long all pages may take by which a server is recognised. */
  recogniseTimeout?: number
  /** How long a count may take. */
  countTimeout?: number
  /** How long the look for servers on this machine may take, and at which ports it looks. */
  findTimeout?: number
  ports?: readonly number[]
  /** How long a pasted address may be tried with each scheme. */
  repairTimeout?: number
  /** Whether this service runs in a container, where localhost is not the player's machine. */
  isContained?: () => boolean
}

/** The addresses that an endpoint was found to have, all of them inside, and when. */
export interface Check {
  addresses: readonly string[]
  at: Date
}

/** Seconds that a server has to end a reply. */
const ENDING = 2

/** The way to the endpoints: every request of the narrator passes here, and is judged here. */
export class Wire {
  /** Milliseconds in a second. */
  readonly second: number
  private authorities: string[] | null = null
  private readonly met = new Set<string>()
  private readonly checks = new Map<string, Check>()
  /** Models whose template was seen to know no system role, by address and name. */
  readonly withoutSystem = new Set<string>()
  private readonly unknown = new Map<string, Set<string>>()
  private readonly endings = new Map<string, Promise<unknown>>()

  constructor(
    private readonly options: NarratorOptions,
    private readonly connections = new Connections(),
  ) {
    this.second = options.second ?? 1_000
  }

  /** Throws endpoint_refused. */
  async judge(url: string): Promise<CheckedEndpoint> {
    const checked = await judge(url, (host) => this.resolve(host))
    this.checks.set(url, { addresses: checked.addresses, at: this.now() })
    return checked
  }

  /** How an address was judged last; null when it was not, or was refused. */
  lastCheck(url: string): Check | null {
    return this.checks.get(url) ?? null
  }

  /** Every request that left since the start. */
  sent(): Connection[] {
    return this.connections.list()
  }

  /** Judges the endpoint, or the root of its server, then sends. Throws endpoint_refused, LineFault, or the signal's reason. */
  async ask(
    { url, read_timeout_seconds }: Endpoint,
    ask: Ask & { atRoot?: boolean },
    signal: AbortSignal,
    onConnect = () => {},
  ): Promise<Answer> {
    const checked = await unlessAborted(this.judge(ask.atRoot ? rootOf(url) : url), signal)
    const { connectTimeout = 10 } = this.options
    const answer = await send(checked, ask, {
      ca: this.trusted(),
      connectTimeout,
      readTimeout: read_timeout_seconds,
      second: this.second,
      signal,
      onConnect: (address) => {
        this.connections.note(
          { host: checked.url.host, address, path: checked.url.pathname.replace(/\/$/, '') + ask.path },
          this.now(),
        )
        onConnect()
      },
    })
    if (answer.status === 503 || isSuccess(answer)) this.met.add(url)
    return answer
  }

  /** Whether a model server has answered at this address since we started. */
  hasMet({ url }: Endpoint): boolean {
    return this.met.has(url)
  }

  /** The fields of a request that the server there has said it does not know, for the caller to add to. */
  unknownTo({ url }: Endpoint): Set<string> {
    const fields = this.unknown.get(url) ?? new Set()
    this.unknown.set(url, fields)
    return fields
  }

  /** Sends, for at most 2 seconds, what ends a reply that nobody hears any more. Nobody waits, and nothing is thrown. */
  endReply(endpoint: Endpoint, abort: Ask & { atRoot: boolean }): void {
    const limit = AbortSignal.timeout(ENDING * this.second)
    const ended = this.ask(endpoint, abort, limit)
      .then(({ body }) => bodyText(body))
      .catch(() => {})
    this.endings.set(endpoint.url, ended)
  }

  /** Resolves when no reply is being ended there: what is asked before that could be ended in its place. */
  async hasEnded({ url }: Endpoint): Promise<void> {
    await this.endings.get(url)
  }

  private now(): Date {
    return this.options.now?.() ?? new Date(0)
  }

  private trusted(): string[] | null {
    if (this.options.ca) this.authorities ??= trusting(this.options.ca)
    return this.authorities
  }

  // A name server that says nothing must not hold a turn for longer than a silent machine would.
  private async resolve(host: string): Promise<string[]> {
    const { resolve = systemLookup, connectTimeout = 10 } = this.options
    const { promise: late, resolve: giveUp } = Promise.withResolvers<string[]>()
    const timer = setTimeout(() => giveUp([]), connectTimeout * this.second)
    try {
      return await Promise.race([resolve(host), late])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Whether a server did what it was asked. */
export function isSuccess({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 200 && status < 300
}

async function systemLookup(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

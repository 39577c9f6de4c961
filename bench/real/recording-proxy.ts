import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { kindOf } from './classify.ts'
import type { Exchange, RequestBody } from './exchange.ts'
import { ReplyStream } from './reply-stream.ts'

/** Stands between the service and the model server, and records every request with its reply. */
export class RecordingProxy {
  readonly exchanges: Exchange[] = []
  /** What the player is doing; '' between two turns. */
  action = ''
  address = ''
  /** From here on, the run itself breaks off what is under way. */
  private isStopped = false
  private readonly server = createServer((incoming, outgoing) => void this.pass(incoming, outgoing))

  constructor(
    private readonly target: string,
    private readonly replyTokens: number,
  ) {}

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    this.address = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Stops recording what is broken off. */
  finish(): void {
    this.isStopped = true
  }

  stop(): void {
    this.finish()
    this.server.close()
    this.server.closeAllConnections()
  }

  /** Resolves once no request has been under way for `quiet` milliseconds, or after `most`. */
  async idle(quiet: number, most: number): Promise<void> {
    const deadline = performance.now() + most
    while (performance.now() < deadline && this.quietFor() < quiet) await Bun.sleep(100)
  }

  private quietFor(): number {
    if (this.exchanges.some(({ ended }) => ended === null)) return 0
    return performance.now() - Math.max(0, ...this.exchanges.map(({ ended }) => ended ?? 0))
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const bytes: Buffer[] = []
    for await (const chunk of incoming) bytes.push(chunk)
    const body = Buffer.concat(bytes)
    const exchange = this.begin(incoming.url ?? '/', body)
    const upstream = request(new URL(incoming.url ?? '/', this.target), {
      method: incoming.method ?? 'GET',
      headers: { ...incoming.headers, host: new URL(this.target).host },
    })
    upstream.on('response', (response) => forward(response, outgoing, exchange))
    upstream.on('error', () => outgoing.destroy())
    outgoing.on('close', () => {
      exchange.ended ??= performance.now()
      exchange.brokenOff = !exchange.complete && !outgoing.writableFinished && !this.isStopped
      upstream.destroy()
    })
    upstream.end(body)
  }

  private begin(path: string, body: Buffer): Exchange {
    const parsed = bodyOf(body)
    const exchange: Exchange = {
      kind: kindOf(path, parsed, this.replyTokens),
      action: this.action,
      path,
      body: parsed,
      began: performance.now(),
      firstWords: null,
      ended: null,
      status: 0,
      complete: false,
      brokenOff: false,
      reply: '',
      timings: null,
      usage: null,
      progress: null,
    }
    this.exchanges.push(exchange)
    return exchange
  }
}

function forward(response: IncomingMessage, outgoing: ServerResponse, exchange: Exchange): void {
  const stream = new ReplyStream(exchange, () => performance.now())
  exchange.status = response.statusCode ?? 0
  outgoing.writeHead(exchange.status, response.headers)
  outgoing.flushHeaders()
  response.on('data', (bytes: Buffer) => {
    stream.push(bytes)
    outgoing.write(bytes)
  })
  response.on('end', () => {
    stream.end()
    exchange.ended = performance.now()
    outgoing.end()
  })
  response.on('error', () => outgoing.destroy())
}

function bodyOf(bytes: Buffer): RequestBody | null {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}

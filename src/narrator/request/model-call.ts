import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Message, ModelRequest, ReplyPart, WaitPhase } from '../../domain/model/model-request.ts'
import { unlessAborted } from '../../lib/promises.ts'
import { isBlank } from '../../lib/text.ts'
import { ConnectionError } from '../connect/connection-error.ts'
import type { EndpointContext } from '../connect/endpoint-connection.ts'
import { bodyText, type HttpResponse, isSuccess } from '../connect/transport.ts'
import { serverMessage } from '../error-sentences.ts'
import type { NarratorOptions } from '../options.ts'
import { readReply } from '../reply/read-reply.ts'
import type { Server } from '../servers/server.ts'
import { buildRequest, type ReplyRequest } from './build-request.ts'
import { refusesSchema, refusesStreaming, refusesSystem, unknownFields } from './refusals.ts'
import { goneTimeout, httpErrorOf, loadingTimeout, retryAfter, turnErrorOf } from './turn-errors.ts'

/** A server that is not ready, and the seconds to wait. */
interface Loading {
  /** `gone` if it answered before, but its port is closed now. */
  kind: 'loading' | 'gone'
  seconds: number
  message: string
}

/** One call of a model: retries while the server is loading, then reads the reply. Use `parts()` once. */
export class ModelCall {
  private phase: WaitPhase | null = null
  private streams = true
  private sendsSchema = true
  private loading: Loading | null = null
  private loadingLimit: Promise<never> | null = null
  private isGenerating = false
  private readonly end = new AbortController()
  private readonly signal: AbortSignal
  private readonly deadline: number

  constructor(
    private readonly context: EndpointContext,
    private server: Server,
    private readonly request: ModelRequest,
    private readonly options: NarratorOptions,
  ) {
    const { connection, endpoint } = context
    this.signal = AbortSignal.any([context.signal, this.end.signal])
    this.deadline = performance.now() + endpoint.read_timeout_seconds * connection.msPerSecond
  }

  /** Throws provider_error, timeout, or the signal's reason. Always closes the connection. */
  async *parts(): AsyncGenerator<ReplyPart> {
    const { connection, endpoint, signal } = this.context
    try {
      signal.throwIfAborted()
      yield* this.enter('waiting')
      await unlessAborted(connection.abortsSettled(endpoint), signal)
      yield* this.reply(yield* this.response())
      this.isGenerating = false
    } catch (error) {
      signal.throwIfAborted()
      throw turnErrorOf(error, endpoint)
    } finally {
      this.end.abort()
      if (this.isGenerating && this.server.abort) connection.abortReply(endpoint, this.server.abort)
    }
  }

  // Retries while the server is loading, which counts as silence.
  private async *response(): AsyncGenerator<ReplyPart, HttpResponse> {
    const unknown = this.context.connection.quirks.unknownFields(this.context.endpoint.url)
    for (;;) {
      const request = buildRequest(this.effectiveRequest(), this.streams, this.server, unknown)
      const attempt = this.attempt(request)
      if (this.phase !== 'waiting' && (await attempt.isAcceptedSilently())) yield* this.enter('waiting')
      const outcome = await this.outcomeOf(await attempt.response, request)
      if (outcome === 'retry') continue
      if (outcome.kind === 'ready') return outcome.response
      this.loading = outcome
      yield* this.enter(outcome.kind)
      await this.pause(outcome.seconds)
    }
  }

  private attempt(request: ReplyRequest) {
    const connected = Promise.withResolvers<void>()
    const sent = this.send(request, () => {
      this.isGenerating = true
      connected.resolve()
    })
    const response = this.withinLoadingLimit(sent)
    const silence = async () => {
      await connected.promise
      return setTimeout(this.milliseconds(this.options.acceptTimeout ?? 0.5), true, { ref: false })
    }
    return { response, isAcceptedSilently: () => Promise.race([settled(response, false), silence()]) }
  }

  // Some servers open their port only after loading the model, so one that answered before may return.
  private async send(request: ReplyRequest, onConnect: () => void): Promise<HttpResponse | null> {
    const { connection, endpoint } = this.context
    try {
      return await connection.send(endpoint, request, this.signal, onConnect)
    } catch (error) {
      const isGone = error instanceof ConnectionError && error.kind === 'refused'
      if (isGone && connection.hasAnswered(endpoint)) return null
      throw error
    }
  }

  // Once the server is known to be loading, the timeout covers all attempts together.
  private withinLoadingLimit(response: Promise<HttpResponse | null>): Promise<HttpResponse | null> {
    if (this.loading === null) return response
    this.loadingLimit ??= this.failAfter(this.remaining() + this.retryInterval())
    return Promise.race([response, this.loadingLimit])
  }

  private async failAfter(milliseconds: number): Promise<never> {
    await setTimeout(Math.max(0, milliseconds), undefined, { signal: this.signal, ref: false })
    throw this.loadingTimeout()
  }

  private async outcomeOf(
    response: HttpResponse | null,
    request: ReplyRequest,
  ): Promise<{ kind: 'ready'; response: HttpResponse } | Loading | 'retry'> {
    if (response === null) return { kind: 'gone', seconds: 0, message: '' }
    if (isSuccess(response)) return { kind: 'ready', response }
    const body = await bodyText(response.body)
    this.isGenerating = false
    if (response.status === 503)
      return { kind: 'loading', seconds: retryAfter(response.headers), message: serverMessage(body) }
    if (this.adapt(response.status, body, request)) return 'retry'
    throw httpErrorOf(response, body, this.context.endpoint, this.request)
  }

  // Returns true if the next attempt will differ. Each adaptation happens once, so retries end.
  private adapt(status: number, body: string, { optionalFields, atRoot }: ReplyRequest): boolean {
    const { quirks } = this.context.connection
    const unknown = unknownFields(status, body, optionalFields)
    for (const name of unknown) quirks.unknownFields(this.context.endpoint.url).add(name)
    if (unknown.length > 0) return true
    if (!quirks.withoutSystemRole.has(this.modelKey()) && refusesSystem(status, body)) {
      quirks.withoutSystemRole.add(this.modelKey())
      return true
    }
    if (this.sendsSchema && this.request.schema && refusesSchema(status, body)) {
      this.sendsSchema = false
      return true
    }
    if (status === 404 && atRoot) {
      this.server = { ...this.server, nativeApi: null }
      return true
    }
    if (!this.streams || !refusesStreaming(status, body)) return false
    this.streams = false
    return true
  }

  private effectiveRequest(): ModelRequest {
    const { schema, ...bare } = this.request
    const request = schema && this.sendsSchema ? this.request : bare
    if (!this.context.connection.quirks.withoutSystemRole.has(this.modelKey())) return request
    return { ...request, messages: withoutSystem(request.messages) }
  }

  private modelKey(): string {
    return `${this.context.endpoint.url} ${this.request.model}`
  }

  private async pause(seconds: number): Promise<void> {
    const remaining = this.remaining()
    if (remaining <= 0) throw this.loadingTimeout()
    const pause = Math.max(this.retryInterval(), this.milliseconds(seconds))
    await setTimeout(Math.min(remaining, pause), undefined, { signal: this.signal })
  }

  private loadingTimeout(): Error {
    const { endpoint } = this.context
    if (this.loading?.kind === 'gone') return goneTimeout(endpoint)
    return loadingTimeout(endpoint, this.loading?.message ?? '')
  }

  private remaining(): number {
    return this.deadline - performance.now()
  }

  private retryInterval(): number {
    return this.milliseconds(this.options.retryEvery ?? 1)
  }

  private milliseconds(seconds: number): number {
    return seconds * this.context.connection.msPerSecond
  }

  private async *reply({ body }: HttpResponse): AsyncGenerator<ReplyPart> {
    const parts = afterBeginning(readReply(body, this.milliseconds(1)), this.request.begun ?? '')
    const first = parts.next()
    if (!(await Promise.race([settled(first, true), setImmediate(false)]))) yield* this.enter('reading')
    for (let next = await first; !next.done; next = await parts.next()) {
      this.context.signal.throwIfAborted()
      yield next.value
    }
  }

  private *enter(phase: WaitPhase): Generator<ReplyPart> {
    if (phase !== this.phase) yield { kind: 'phase', phase }
    this.phase = phase
  }
}

/** Prepends the words that a reply continues, unless the server repeats them or nothing follows. */
async function* afterBeginning(parts: AsyncIterable<ReplyPart>, begun: string): AsyncGenerator<ReplyPart> {
  let buffered: string | null = begun === '' ? null : ''
  for await (const part of parts) {
    if (part.kind !== 'text' || buffered === null) {
      yield part
      continue
    }
    buffered += part.text
    if (isBlank(buffered) || begun.startsWith(buffered)) continue
    yield { kind: 'text', text: buffered.startsWith(begun) ? buffered : begun + buffered }
    buffered = null
  }
}

function settled<T>(promise: Promise<unknown>, value: T): Promise<T> {
  return promise.then(
    () => value,
    () => value,
  )
}

function withoutSystem(messages: readonly Message[]): readonly Message[] {
  const [system, first, ...others] = messages
  if (system?.role !== 'system') return messages
  if (first?.role !== 'user') return [{ ...system, role: 'user' }, ...messages.slice(1)]
  return [{ role: 'user', text: `${system.text}\n\n${first.text}` }, ...others]
}

import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Endpoint, Piece, Telling, WaitPhase } from '../domain/model/model-request.ts'
import { unlessAborted } from '../lib/abort.ts'
import { type Asking, askFor } from './ask.ts'
import { bodyText } from './connect/body-text.ts'
import { LineFault } from './connect/connection-error.ts'
import { retryAfter } from './retry-after.ts'
import { wordsOf } from './sentences.ts'
import type { Server } from './servers/server.ts'
import { readPieces } from './stream.ts'
import type { Answer } from './transport.ts'
import { asTurnError, loadingTooLong, refusedAnswer } from './turn-errors.ts'
import { unknownFields } from './request/unknown-fields.ts'
import { isSuccess, type NarratorOptions, type Wire } from './wire.ts'
import { refusesSystem, withoutSystem } from './request/without-system.ts'

/** A server that is not ready: how many seconds it asks for, and its words. */
interface Loading {
  kind: 'loading'
  seconds: number
  words: string
}

/** One call of the narrator: asks until the server is ready, then reads its reply. Good for one `pieces()`. */
export class Call {
  private phase: WaitPhase | null = null
  private streams = true
  private loading: Loading | null = null
  private overtime: Promise<never> | null = null
  /** Whether the server is on a reply that it has not ended. */
  private isAtWork = false
  private readonly end = new AbortController()
  private readonly signal: AbortSignal
  private readonly deadline: number

  constructor(
    private readonly wire: Wire,
    private readonly endpoint: Endpoint,
    private server: Server,
    private readonly telling: Telling,
    private readonly outer: AbortSignal,
    private readonly options: NarratorOptions,
  ) {
    this.signal = AbortSignal.any([outer, this.end.signal])
    this.deadline = performance.now() + endpoint.read_timeout_seconds * wire.second
  }

  /** Throws provider_error, timeout, or the reason of the outer signal. The line is cut on every way out. */
  async *pieces(): AsyncGenerator<Piece> {
    try {
      this.outer.throwIfAborted()
      yield* this.enter('waiting')
      await unlessAborted(this.wire.hasEnded(this.endpoint), this.outer)
      yield* this.reply(yield* this.answer())
      this.isAtWork = false
    } catch (error) {
      this.outer.throwIfAborted()
      throw asTurnError(error, this.endpoint)
    } finally {
      this.end.abort()
      if (this.isAtWork && this.server.abort) this.wire.endReply(this.endpoint, this.server.abort)
    }
  }

  // Goes on asking while the server loads (specification 6.6).
  private async *answer(): AsyncGenerator<Piece, Answer> {
    for (;;) {
      const asking = askFor(this.said(), this.streams, this.server, this.wire.unknownTo(this.endpoint))
      const attempt = this.attempt(asking)
      if (this.phase === 'loading' && (await attempt.isAcceptedInSilence())) yield* this.enter('waiting')
      const outcome = await this.outcomeOf(await attempt.answer, asking)
      if (outcome === 'again') continue
      if (outcome.kind === 'answer') return outcome.answer
      this.loading = outcome
      yield* this.enter('loading')
      await this.rest(outcome.seconds)
    }
  }

  private attempt(asking: Asking) {
    const connected = Promise.withResolvers<void>()
    const asked = this.ask(asking, () => {
      this.isAtWork = true
      connected.resolve()
    })
    const answer = this.inTime(asked)
    const silence = async () => {
      await connected.promise
      return setTimeout((this.options.patience ?? 0.5) * this.wire.second, true, { ref: false })
    }
    return { answer, isAcceptedInSilence: () => Promise.race([settled(answer, false), silence()]) }
  }

  // A server that has answered before and is gone comes back: some open their port only when the model is loaded.
  private async ask(asking: Asking, onConnect: () => void): Promise<Answer | null> {
    try {
      return await this.wire.ask(this.endpoint, asking, this.signal, onConnect)
    } catch (error) {
      if (error instanceof LineFault && error.kind === 'refused' && this.wire.hasMet(this.endpoint))
        return null
      throw error
    }
  }

  // From the first refusal on, the allowance is for all of the waiting: to the player it is one wait.
  private inTime(answer: Promise<Answer | null>): Promise<Answer | null> {
    if (this.loading === null) return answer
    this.overtime ??= this.fail(this.left() + this.pause())
    return Promise.race([answer, this.overtime])
  }

  private async fail(after: number): Promise<never> {
    await setTimeout(Math.max(0, after), undefined, { signal: this.signal, ref: false })
    throw loadingTooLong(this.endpoint, this.loading?.words ?? '')
  }

  private async outcomeOf(
    answer: Answer | null,
    asking: Asking,
  ): Promise<{ kind: 'answer'; answer: Answer } | Loading | 'again'> {
    if (answer === null) return { kind: 'loading', seconds: 0, words: '' }
    if (isSuccess(answer)) return { kind: 'answer', answer }
    const body = await bodyText(answer.body)
    this.isAtWork = false
    if (answer.status === 503) {
      const seconds = retryAfter(answer.headers)
      return { kind: 'loading', seconds, words: wordsOf(body) }
    }
    if (this.asksOtherwise(answer.status, body, asking)) return 'again'
    throw refusedAnswer(answer, body, this.endpoint, this.telling)
  }

  // Each of these can be said once, so that the asking ends.
  private asksOtherwise(status: number, body: string, { beyond, atRoot }: Asking): boolean {
    const unknown = unknownFields(status, body, beyond)
    for (const name of unknown) this.wire.unknownTo(this.endpoint).add(name)
    if (unknown.length > 0) return true
    if (this.said() === this.telling && refusesSystem(status, body)) {
      this.wire.withoutSystem.add(this.modelName())
      return true
    }
    if (status === 404 && atRoot) {
      this.server = { ...this.server, dialect: null }
      return true
    }
    if (!this.streams || !deniesStreams(status, body)) return false
    this.streams = false
    return true
  }

  private said(): Telling {
    if (!this.wire.withoutSystem.has(this.modelName())) return this.telling
    return { ...this.telling, messages: withoutSystem(this.telling.messages) }
  }

  private modelName(): string {
    return `${this.endpoint.url} ${this.telling.model}`
  }

  private async rest(seconds: number): Promise<void> {
    const left = this.left()
    if (left <= 0) throw loadingTooLong(this.endpoint, this.loading?.words ?? '')
    const pause = Math.max(this.pause(), seconds * this.wire.second)
    await setTimeout(Math.min(left, pause), undefined, { signal: this.signal })
  }

  private left(): number {
    return this.deadline - performance.now()
  }

  private pause(): number {
    return (this.options.retryEvery ?? 1) * this.wire.second
  }

  private async *reply(answer: Answer): AsyncGenerator<Piece> {
    const pieces = readPieces(answer.body, this.wire.second)
    const first = pieces.next()
    if (!(await Promise.race([settled(first, true), setImmediate(false)]))) yield* this.enter('reading')
    for (let next = await first; !next.done; next = await pieces.next()) {
      this.outer.throwIfAborted()
      yield next.value
    }
  }

  private *enter(phase: WaitPhase): Generator<Piece> {
    if (phase !== this.phase) yield { kind: 'phase', phase }
    this.phase = phase
  }
}

function settled<T>(promise: Promise<unknown>, as: T): Promise<T> {
  return promise.then(
    () => as,
    () => as,
  )
}

// Some servers answer only as a whole, and say so when they are asked for pieces.
function deniesStreams(status: number, body: string): boolean {
  return (
    status >= 400 &&
    status < 500 &&
    /stream/i.test(body) &&
    /not (yet )?(supported|implemented)|unsupported/i.test(body)
  )
}

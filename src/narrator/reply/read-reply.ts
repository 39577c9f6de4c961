import { setImmediate } from 'node:timers/promises'
import { StoryError } from '../../domain/errors.ts'
import type { ReplyPart, Usage } from '../../domain/model/model-request.ts'
import { type FilteredPart, MarkFilter } from '../../domain/reply/mark-filter.ts'
import { parseJson } from '../../lib/json.ts'
import { orNullAfter } from '../../lib/promises.ts'
import { ConnectionError } from '../connect/connection-error.ts'
import { adviceOn, isWebPage, quote, quotedMessage } from '../error-sentences.ts'
import { isPayload, readPayload } from './payload.ts'
import { LineSplitter, SseParser, type SsePart } from './sse-events.ts'

/** Characters that a server may send without text or reasoning. */
export const MAX_WITHOUT_TEXT = 4_194_304
/** Characters of a reply. The largest output setting is 100,000 tokens. */
export const MAX_REPLY = 500_000
export const MAX_THINKING = 500_000
const LIMITS = { text: MAX_REPLY, thinking: MAX_THINKING } as const
/** Bytes read, and characters passed on, at a time: no step blocks for long. */
const READ_SIZE = 65_536
const PART_SIZE = 4_096
const MAX_EXCERPT = 300
const MAX_MESSAGE = 500

/**
 * Reads a reply, streamed or whole, as parts that end with `end`; a body without text is only `end`. Throws
 * provider_error for a reported error, for a body that is no reply, and past the limits. Errors of the body pass
 * through, except after the server has reported the end: then it has `closeTimeout` milliseconds to send token counts
 * and close.
 */
export async function* readReply(
  body: AsyncIterable<Uint8Array>,
  closeTimeout = 1_000,
): AsyncGenerator<ReplyPart> {
  const reader = new ReplyReader()
  const yieldIfBusy = yieldEvery()
  const chunks = body[Symbol.asyncIterator]()
  try {
    while (!reader.isDone) {
      const chunk = chunks.next()
      // Some servers report the end of the reply but keep the connection open.
      const next = await (reader.isEnded ? orNullAfter(closeTimeout, chunk) : chunk)
      if (next === null || next.done) break
      for (let start = 0; start < next.value.length && !reader.isDone; start += READ_SIZE)
        yield* yielding(reader.push(next.value.subarray(start, start + READ_SIZE)), yieldIfBusy)
    }
  } catch (error) {
    if (!(error instanceof ConnectionError && reader.isEnded)) throw error
  }
  yield* yielding(reader.finish(), yieldIfBusy)
}

async function* yielding(
  parts: Iterable<ReplyPart>,
  yieldIfBusy: () => Promise<void>,
): AsyncGenerator<ReplyPart> {
  for (const part of withinLimits(parts)) {
    yield part
    await yieldIfBusy()
  }
  await yieldIfBusy()
}

function* withinLimits(parts: Iterable<ReplyPart>): Generator<ReplyPart> {
  try {
    yield* parts
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new StoryError(
      'provider_error',
      `The model server sent too much data, so the reply was stopped. ${error.message}`,
    )
  }
}

class ReplyReader {
  isDone = false
  /** The server has reported the end of the reply; only token counts may follow. */
  isEnded = false
  private readonly lines = new LineSplitter()
  private readonly events = new SseParser()
  private readonly marks = new MarkFilter()
  private readonly strays: string[] = []
  private hasPayload = false
  private endsInPieces = false
  private withoutText = 0
  private readonly characters = { text: 0, thinking: 0 }
  private cut: 'length' | null = null
  private usage: Usage | null = null;

  *push(bytes: Uint8Array): Generator<ReplyPart> {
    for (const line of this.lines.push(bytes)) {
      this.withoutText += line.length + 1
      yield* this.read(this.events.push(line))
      if (this.isDone) return
    }
    if (this.withoutText > MAX_WITHOUT_TEXT)
      throw new RangeError('It contained no text. Check that the address is that of a model server.')
  }

  *finish(): Generator<ReplyPart> {
    if (!this.isDone) {
      for (const line of this.lines.finish()) yield* this.read(this.events.push(line))
      yield* this.read(this.events.finish())
      if (!this.hasPayload) yield* this.readWhole(this.strays.join('\n'))
    }
    yield* this.emit(this.marks.end())
    if (this.endsInPieces && this.characters.text > 0 && !this.isDone && !this.isEnded)
      throw new StoryError(
        'provider_error',
        'The model server’s reply broke off. Check that it is still running, then retry.',
      )
    yield { kind: 'end', cut: this.cut, usage: this.usage }
  }

  private *read(part: SsePart | null): Generator<ReplyPart> {
    if (part?.kind === 'stray') return yield* this.readStray(part.line)
    if (part === null || this.isDone) return
    this.hasPayload = true
    if (part.data.trim() === '[DONE]') {
      this.isDone = true
      return
    }
    const json = parseJson(part.data)
    this.endsInPieces = json === undefined && part.data.trimStart().startsWith('{')
    if (part.name === 'error') throw serverError(readPayload({ error: json ?? part.data }).error ?? part.data)
    yield* this.readJson(json)
  }

  // A line of JSON is read at once; JSON of many lines at the end.
  private *readStray(line: string): Generator<ReplyPart> {
    const json = line.trimStart().startsWith('{') ? parseJson(line) : undefined
    if (!isPayload(json)) return void this.strays.push(line)
    this.hasPayload = true
    yield* this.readJson(json)
  }

  private *readWhole(body: string): Generator<ReplyPart> {
    if (body.trim() === '') return
    const json = parseJson(body)
    if (json !== undefined) return yield* this.readJson(json)
    const excerpt = quote(body, MAX_EXCERPT)
    const problem = isWebPage(body)
      ? 'The server sent a web page instead of a reply. Check the port and path of the address'
      : 'The server sent something that is not a model reply'
    throw new StoryError('provider_error', excerpt ? `${problem}: ${excerpt}` : `${problem}.`)
  }

  private *readJson(json: unknown): Generator<ReplyPart> {
    const { error, thinking, text, cut, usage, ended, progress } = readPayload(json)
    if (error !== null) throw serverError(error)
    if (progress) yield { kind: 'phase', phase: 'reading', ...progress }
    if (ended || thinking || text) this.isEnded = ended
    this.cut = cut ?? this.cut
    this.usage = usage ?? this.usage
    if (thinking) yield* this.emit([{ kind: 'thinking', text: thinking }])
    if (!text) return
    yield { kind: 'raw', text }
    yield* this.emit(this.marks.push(text))
    this.isDone ||= this.marks.isEnded
  }

  private *emit(parts: Iterable<FilteredPart>): Generator<ReplyPart> {
    for (const part of parts) {
      this.withoutText = 0
      yield* 'text' in part ? inSlices(part, LIMITS[part.kind] - this.characters[part.kind]) : [part]
      this.count(part)
    }
  }

  private count(part: FilteredPart): void {
    const { characters } = this
    if ('text' in part) characters[part.kind] += part.text.length
    if (part.kind === 'recast') {
      characters.thinking += characters.text
      characters.text = 0
    }
    if (characters.thinking > MAX_THINKING)
      throw new RangeError(
        'The reasoning never ended. Set “Reasoning tokens” in Settings to −1, or choose a model that reasons less.',
      )
    if (characters.text > MAX_REPLY)
      throw new RangeError(
        'The text never ended. Check that the model server respects “Max response length”.',
      )
  }
}

/** Slices of the first `limit` characters, never within a surrogate pair. */
function* inSlices(part: Extract<FilteredPart, { text: string }>, limit: number): Generator<FilteredPart> {
  const text = part.text.slice(0, limit)
  for (let start = 0; start < text.length; ) {
    let end = start + PART_SIZE
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end++
    yield { ...part, text: text.slice(start, end) }
    start = end
  }
}

function serverError(message: string): StoryError {
  return new StoryError(
    'provider_error',
    `The model server reported an error. ${adviceOn(message)}${quotedMessage(quote(message, MAX_MESSAGE))}`,
  )
}

const MAX_BUSY = 10

/** Creates a function that lets other work run every 10 ms: a fast server would block the whole service. */
function yieldEvery(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_BUSY) return
    await setImmediate()
    since = performance.now()
  }
}

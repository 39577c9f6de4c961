import { StoryError } from '../domain/errors.ts'
import type { Piece, Usage } from '../domain/telling.ts'
import { Events, type Part } from './events.ts'
import { parseJson } from './json.ts'
import { Lines } from './lines.ts'
import { isPayload, readPayload } from './payload.ts'
import { isWebPage, quote } from './quote.ts'
import { ThinkingSplitter } from './thinking.ts'

/** Bytes that a server may send without telling or thinking anything: 4 MiB. */
export const MOST_IDLE_BYTES = 4_194_304
/** Characters of a reply, thinking included. */
export const LONGEST_REPLY = 1_000_000
const LONGEST_EXCERPT = 300
const LONGEST_MESSAGE = 500

/**
 * Reads the body of a reply, streamed or whole, as pieces that end with `end`. Gives nothing but the end for a proper
 * body without text. Throws provider_error for a reported error, for what is no reply, and past the limits; errors of
 * the body itself pass through (specification 6.7).
 */
export async function* readPieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  const reply = new Reply()
  for await (const bytes of body) {
    yield* withinLimits(reply.hear(bytes))
    if (reply.isDone) break
  }
  yield* withinLimits(reply.finish())
}

function* withinLimits(pieces: Iterable<Piece>): Generator<Piece> {
  try {
    yield* pieces
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new StoryError(
      'provider_error',
      `The model server sent more than a reply can be, and was cut off. ${error.message}`,
    )
  }
}

class Reply {
  isDone = false
  private readonly lines = new Lines()
  private readonly events = new Events()
  private readonly splitter = new ThinkingSplitter()
  private readonly strays: string[] = []
  private isFramed = false
  private idleBytes = 0
  private characters = 0
  private cut: 'length' | null = null
  private usage: Usage | null = null;

  *hear(bytes: Uint8Array): Generator<Piece> {
    this.idleBytes += bytes.length
    for (const line of this.lines.push(bytes)) {
      yield* this.read(this.events.take(line))
      if (this.isDone) return
    }
    if (this.idleBytes > MOST_IDLE_BYTES) throw new RangeError('Nothing in it was text.')
  }

  *finish(): Generator<Piece> {
    if (!this.isDone) {
      for (const line of this.lines.finish()) yield* this.read(this.events.take(line))
      yield* this.read(this.events.finish())
      if (!this.isFramed) yield* this.readWhole(this.strays.join('\n'))
    }
    yield* this.count(this.splitter.finish())
    yield { kind: 'end', cut: this.cut, usage: this.usage }
  }

  private *read(part: Part | null): Generator<Piece> {
    if (part?.kind === 'stray') return yield* this.readStray(part.line)
    if (part === null || this.isDone) return
    this.isFramed = true
    if (part.data.trim() === '[DONE]') {
      this.isDone = true
      return
    }
    const json = parseJson(part.data)
    if (part.name === 'error') throw reported(readPayload({ error: json ?? part.data }).error ?? part.data)
    yield* this.readJson(json)
  }

  // A reply laid out over many lines is read at its end; a line that makes sense by itself is not part of one.
  private *readStray(line: string): Generator<Piece> {
    const json = line.trimStart().startsWith('{') ? parseJson(line) : undefined
    if (!isPayload(json)) return void this.strays.push(line)
    this.isFramed = true
    yield* this.readJson(json)
  }

  private *readWhole(body: string): Generator<Piece> {
    if (body.trim() === '') return
    const json = parseJson(body)
    if (json !== undefined) return yield* this.readJson(json)
    const excerpt = quote(body, LONGEST_EXCERPT)
    const what = isWebPage(body)
      ? 'A web page answered, not a model server. Look at port and path of the address'
      : 'The answer is no reply of a model'
    throw new StoryError('provider_error', `${what}: ${excerpt || 'nothing to read'}`)
  }

  private *readJson(json: unknown): Generator<Piece> {
    const { error, thinking, text, cut, usage } = readPayload(json)
    if (error !== null) throw reported(error)
    this.cut = cut ?? this.cut
    this.usage = usage ?? this.usage
    if (thinking) yield* this.count([{ kind: 'thinking', text: thinking }])
    if (text) yield* this.count(this.splitter.push(text))
  }

  private *count(pieces: Iterable<Piece>): Generator<Piece> {
    for (const piece of pieces) {
      if ('text' in piece) this.characters += piece.text.length
      if (this.characters > LONGEST_REPLY) throw new RangeError('It did not end.')
      this.idleBytes = 0
      yield piece
    }
  }
}

function reported(message: string): StoryError {
  return new StoryError(
    'provider_error',
    `The model server reported an error: ${quote(message, LONGEST_MESSAGE)}`,
  )
}

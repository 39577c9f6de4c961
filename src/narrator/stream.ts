import { StoryError } from '../domain/errors.ts'
import type { Piece, Usage } from '../domain/model/model-request.ts'
import { breathing } from './breath.ts'
import { Events, type Part } from './reply/sse-events.ts'
import { parseJson } from './json.ts'
import { LineFault } from './connect/connection-error.ts'
import { Lines } from './lines.ts'
import { isPayload, readPayload } from './reply/payload.ts'
import { isWebPage, quote } from './messages/quote.ts'
import { ThinkingSplitter } from './thinking.ts'

/** Characters that a server may send, line by line, without telling or thinking anything: 4 Mi. */
export const MOST_IDLE = 4_194_304
/** Characters of a reply: more than the 100,000 tokens that can be asked for, and little enough to be kept at once. */
export const LONGEST_REPLY = 500_000
/** Characters of the thinking before and in a reply. */
export const LONGEST_THINKING = 500_000
/** Bytes that are read, and characters that are handed on, at once: what is done with them must not take long. */
const MOST_BYTES = 65_536
const LONGEST_PIECE = 4_096
const LONGEST_EXCERPT = 300
const LONGEST_MESSAGE = 500

/**
 * Reads the body of a reply, streamed or whole, as pieces that end with `end`. Gives nothing but the end for a proper
 * body without text. Throws provider_error for a reported error, for what is no reply, and past the limits; errors of
 * the body itself pass through, unless the server had said before that the reply was ended (specification 6.7): after
 * that it has `grace` milliseconds to tell its counts and close.
 */
export async function* readPieces(body: AsyncIterable<Uint8Array>, grace = 1_000): AsyncGenerator<Piece> {
  const reply = new Reply()
  const breathe = breathing()
  const chunks = body[Symbol.asyncIterator]()
  try {
    while (!reply.isDone) {
      const chunk = chunks.next()
      const next = await (reply.isEnded ? unlessLate(chunk, grace) : chunk)
      if (next === null || next.done) break
      for (let at = 0; at < next.value.length && !reply.isDone; at += MOST_BYTES)
        yield* slowly(reply.hear(next.value.subarray(at, at + MOST_BYTES)), breathe)
    }
  } catch (error) {
    if (!(error instanceof LineFault && reply.isEnded)) throw error
  }
  yield* slowly(reply.finish(), breathe)
}

async function* slowly(pieces: Iterable<Piece>, breathe: () => Promise<void>): AsyncGenerator<Piece> {
  for (const piece of withinLimits(pieces)) {
    yield piece
    await breathe()
  }
  await breathe()
}

// Some servers say that the reply has ended and keep the line open.
async function unlessLate<T>(promise: Promise<T>, milliseconds: number): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, milliseconds, null)
  promise.catch(() => {})
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
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
  /** Nothing that comes after counts. */
  isDone = false
  /** The server has named a reason for the end; only its counts may follow. */
  isEnded = false
  private readonly lines = new Lines()
  private readonly events = new Events()
  private readonly splitter = new ThinkingSplitter()
  private readonly strays: string[] = []
  private isFramed = false
  private idle = 0
  private readonly characters = { text: 0, thinking: 0 }
  private cut: 'length' | null = null
  private usage: Usage | null = null;

  *hear(bytes: Uint8Array): Generator<Piece> {
    for (const line of this.lines.push(bytes)) {
      this.idle += line.length + 1
      yield* this.read(this.events.take(line))
      if (this.isDone) return
    }
    if (this.idle > MOST_IDLE)
      throw new RangeError('Nothing in it was text. Is the address that of a model server?')
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
    const { error, thinking, text, cut, usage, ended, progress } = readPayload(json)
    if (error !== null) throw reported(error)
    if (progress) yield { kind: 'phase', phase: 'reading', ...progress }
    if (ended || thinking || text) this.isEnded = ended
    this.cut = cut ?? this.cut
    this.usage = usage ?? this.usage
    if (thinking) yield* this.count([{ kind: 'thinking', text: thinking }])
    if (text) yield* this.count(this.splitter.push(text))
  }

  private *count(pieces: Iterable<Piece>): Generator<Piece> {
    for (const piece of pieces) {
      this.measure(piece)
      this.idle = 0
      yield* 'text' in piece ? inParts(piece) : [piece]
    }
  }

  private measure(piece: Piece): void {
    const { characters } = this
    if ('text' in piece) characters[piece.kind] += piece.text.length
    if (piece.kind === 'recast') {
      characters.thinking += characters.text
      characters.text = 0
    }
    if (characters.thinking > LONGEST_THINKING)
      throw new RangeError(
        'Its thinking did not end. Set “Reasoning tokens” in Settings to −1, or choose a model that thinks less.',
      )
    if (characters.text > LONGEST_REPLY)
      throw new RangeError('The reply did not end. Does the model server heed “Output tokens”?')
  }
}

// No part ends between the two halves of a character.
function* inParts(piece: Extract<Piece, { text: string }>): Generator<Piece> {
  const { text } = piece
  for (let at = 0; at < text.length; ) {
    let end = at + LONGEST_PIECE
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end++
    yield { ...piece, text: text.slice(at, end) }
    at = end
  }
}

function reported(message: string): StoryError {
  return new StoryError(
    'provider_error',
    `The model server reported an error: ${quote(message, LONGEST_MESSAGE)}`,
  )
}

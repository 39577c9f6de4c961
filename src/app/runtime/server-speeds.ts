/** Tokens of the first piece of a prompt that is sent to a server, and the limits for later ones. */
const FIRST_PIECE = 128
const MIN_PIECE = 64
const MAX_PIECE = 2_048
/** Milliseconds that a server should need for one piece: it may notice an abort only after the piece. */
const PIECE_TIME = 1_000
/** Shorter replies say too little about the speed of a server, in tokens. */
const MIN_REPLY = 16

/** The speed at which each server reads and writes, by its address. Forgotten on restart. */
export class ServerSpeeds {
  private readonly reading = new Map<string, number>()
  private readonly writing = new Map<string, number>()

  /** Tokens of the next piece of a prompt. */
  pieceSize(url: string): number {
    const speed = this.reading.get(url)
    if (speed === undefined) return FIRST_PIECE
    return Math.round(Math.min(MAX_PIECE, Math.max(MIN_PIECE, speed * (PIECE_TIME / 1_000))))
  }

  /** Tokens that the server reads in a second; a high guess until it was measured. */
  readingSpeed(url: string): number {
    return this.reading.get(url) ?? MAX_PIECE
  }

  /** Tokens that the server writes in a second; Infinity until it was measured. */
  writingSpeed(url: string): number {
    return this.writing.get(url) ?? Number.POSITIVE_INFINITY
  }

  measureReading(url: string, tokens: number, milliseconds: number): void {
    this.reading.set(url, perSecond(tokens, milliseconds))
  }

  measureWriting(url: string, tokens: number, milliseconds: number): void {
    if (tokens >= MIN_REPLY) this.writing.set(url, perSecond(tokens, milliseconds))
  }
}

function perSecond(tokens: number, milliseconds: number): number {
  return (tokens / Math.max(1, milliseconds)) * 1_000
}

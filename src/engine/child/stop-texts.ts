/** Cuts a streamed text before the first of some stop texts, however it is split into pieces. */
export class StopTexts {
  private held = ''
  /** Whether a stop text has appeared. Nothing follows then. */
  isStopped = false

  constructor(private readonly stops: readonly string[]) {}

  /** Takes the next piece; returns what can be passed on now. */
  push(piece: string): string {
    if (this.isStopped) return ''
    const text = this.held + piece
    const found = this.stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0)
    this.isStopped = found.length > 0
    const end = this.isStopped ? Math.min(...found) : text.length - this.begun(text)
    this.held = this.isStopped ? '' : text.slice(end)
    return text.slice(0, end)
  }

  /** Ends the text; returns what was held back. */
  end(): string {
    return this.isStopped ? '' : this.held
  }

  /** The length of the end of a text that could be the beginning of a stop text. */
  private begun(text: string): number {
    const longest = Math.max(0, ...this.stops.map((stop) => stop.length - 1))
    for (let size = Math.min(longest, text.length); size > 0; size--)
      if (this.stops.some((stop) => stop.startsWith(text.slice(-size)))) return size
    return 0
  }
}

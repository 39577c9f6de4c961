/** Ends a text before the first of some texts, however it is cut into pieces. */
export class StopTexts {
  private held = ''
  /** Whether one of them has come. Nothing follows then. */
  isStopped = false

  constructor(private readonly stops: readonly string[]) {}

  /** What can be passed on now. */
  push(piece: string): string {
    if (this.isStopped) return ''
    const text = this.held + piece
    const found = this.stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0)
    this.isStopped = found.length > 0
    const end = this.isStopped ? Math.min(...found) : text.length - this.begun(text)
    this.held = this.isStopped ? '' : text.slice(end)
    return text.slice(0, end)
  }

  /** What was held back, at the end of the text. */
  end(): string {
    return this.isStopped ? '' : this.held
  }

  /** Characters at the end of a text with which one of them may begin. */
  private begun(text: string): number {
    const longest = Math.max(0, ...this.stops.map((stop) => stop.length - 1))
    for (let size = Math.min(longest, text.length); size > 0; size--)
      if (this.stops.some((stop) => stop.startsWith(text.slice(-size)))) return size
    return 0
  }
}

/** The white space between the last prose and the current line, in which lines may have been dropped. */
export class LineGap {
  hasDropped = false
  private text = ''
  /** Line ends since the last dropped text, and the most without dropped text between them. */
  private breaks = { now: 0, most: 0 }

  /** Adds a line end. `blank` is the white space before it. */
  addLine(blank: string): void {
    this.text += `${blank}\n`
    this.breaks.now++
    this.breaks.most = Math.max(this.breaks.most, this.breaks.now)
  }

  /** Something was dropped. `breaks` are the line ends that it ended with. */
  drop(breaks = 0): void {
    this.hasDropped = true
    this.breaks.now = breaks
  }

  /** The white space to show before the next prose; `isFirst` is whether there was no prose before. */
  shown(isFirst: boolean): string {
    if (!this.hasDropped) return this.text
    return isFirst ? '' : '\n'.repeat(Math.min(2, this.breaks.most))
  }
}

/** A line, or one event, longer than this is no model's: 1 Mi characters. */
export const LONGEST_LINE = 1_048_576

/** Cuts bytes into lines that end in LF or CRLF, however they were cut before. Bytes that are no UTF-8 become U+FFFD. */
export class Lines {
  private readonly decoder = new TextDecoder()
  private begun: string[] = []
  private length = 0;

  /** The lines that these bytes complete. Throws RangeError when one is over LONGEST_LINE. */
  *push(bytes: Uint8Array): Generator<string> {
    const [first = '', ...others] = this.decoder.decode(bytes, { stream: true }).split('\n')
    this.keep(first)
    for (const part of others) {
      yield this.take()
      this.keep(part)
    }
  }

  /** What stood behind the last line end. */
  *finish(): Generator<string> {
    this.keep(this.decoder.decode())
    if (this.length > 0) yield this.take()
  }

  private keep(part: string): void {
    this.length += part.length
    if (this.length > LONGEST_LINE)
      throw new RangeError('A line of it did not end. Is the address that of a model server?')
    if (part) this.begun.push(part)
  }

  private take(): string {
    const line = this.begun.join('')
    this.begun = []
    this.length = 0
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
}

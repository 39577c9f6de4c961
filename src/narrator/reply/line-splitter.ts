/** Characters of a line or of a server-sent event. */
export const MAX_LINE = 1_048_576

/** Splits bytes into lines that end in LF, CR or CRLF, as in server-sent events, across chunks. Invalid UTF-8 becomes U+FFFD. */
export class LineSplitter {
  private readonly decoder = new TextDecoder()
  private parts: string[] = []
  private length = 0
  /** A line feed that follows belongs to the same line end. */
  private endsInReturn = false;

  /** The lines that these bytes complete. Throws RangeError when one is over MAX_LINE. */
  *push(bytes: Uint8Array): Generator<string> {
    const text = this.decoder.decode(bytes, { stream: true })
    const [first = '', ...others] = (this.endsInReturn && text.startsWith('\n') ? text.slice(1) : text).split(
      /\r\n|\r|\n/,
    )
    if (text !== '') this.endsInReturn = text.endsWith('\r')
    this.append(first)
    for (const part of others) {
      yield this.flush()
      this.append(part)
    }
  }

  /** The last line, if it has no line end. */
  *finish(): Generator<string> {
    this.append(this.decoder.decode())
    if (this.length > 0) yield this.flush()
  }

  private append(part: string): void {
    this.length += part.length
    if (this.length > MAX_LINE)
      throw new RangeError('One line never ended. Check that the address is that of a model server.')
    if (part) this.parts.push(part)
  }

  private flush(): string {
    const line = this.parts.join('')
    this.parts = []
    this.length = 0
    return line
  }
}

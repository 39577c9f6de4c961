export type SsePart = { kind: 'event'; name: string; data: string } | { kind: 'stray'; line: string }

/**
 * Parser of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). Other lines are
 * passed on: some servers send errors or whole replies without the format.
 */
export class SseParser {
  private name = ''
  private data: string[] = []
  private length = 0

  /** Throws RangeError if an event exceeds MAX_LINE. */
  push(line: string): SsePart | null {
    if (line === '') return this.finish()
    const [, field = '', value = ''] = /^([a-z]*): ?(.*)$/s.exec(line) ?? []
    if (field === 'data') this.append(value)
    else if (field === 'event') this.name = value
    else if (field === 'error') return { kind: 'event', name: 'error', data: value }
    else if (!/^(:|(id|retry)(:|$))/.test(line)) return { kind: 'stray', line }
    return null
  }

  /** The unfinished event, or null. Servers that close early omit the blank line after it. */
  finish(): SsePart | null {
    const { name, data } = this
    this.name = ''
    this.data = []
    this.length = 0
    return data.length === 0 ? null : { kind: 'event', name, data: data.join('\n') }
  }

  private append(value: string): void {
    this.length += value.length
    if (this.length > MAX_LINE)
      throw new RangeError('One event never ended. Check that the address is that of a model server.')
    this.data.push(value)
  }
}

export const MAX_LINE = 1_048_576

/** Splits bytes at LF, CR or CRLF, across chunks. Invalid UTF-8 becomes U+FFFD. */
export class LineSplitter {
  private readonly decoder = new TextDecoder()
  private parts: string[] = []
  private length = 0
  /** A line feed that follows belongs to the same line end. */
  private endsInReturn = false;

  /** Yields completed lines. Throws RangeError above MAX_LINE. */
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

import { LONGEST_LINE } from '../lines.ts'

/** What a line of a body completes: an event, or a line that no event stream has. */
export type Part = { kind: 'event'; name: string; data: string } | { kind: 'stray'; line: string }

/**
 * Reads lines as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), and hands out
 * the lines that are none: some servers report an error, or answer whole, without the frame.
 */
export class Events {
  private name = ''
  private data: string[] = []
  private length = 0

  /** What this line completes, or null. Throws RangeError when an event is over LONGEST_LINE. */
  take(line: string): Part | null {
    if (line === '') return this.finish()
    const [, field = '', value = ''] = /^([a-z]*): ?(.*)$/s.exec(line) ?? []
    if (field === 'data') this.keep(value)
    else if (field === 'event') this.name = value
    else if (field === 'error') return { kind: 'event', name: 'error', data: value }
    else if (!/^(:|(id|retry)(:|$))/.test(line)) return { kind: 'stray', line }
    return null
  }

  /** The event that was begun, or null. Servers that hang up early leave out the blank line after it. */
  finish(): Part | null {
    const { name, data } = this
    this.name = ''
    this.data = []
    this.length = 0
    return data.length === 0 ? null : { kind: 'event', name, data: data.join('\n') }
  }

  private keep(value: string): void {
    this.length += value.length
    if (this.length > LONGEST_LINE)
      throw new RangeError('An event in it did not end. Is the address that of a model server?')
    this.data.push(value)
  }
}

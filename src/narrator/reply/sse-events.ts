import { MAX_LINE } from './line-splitter.ts'

/** What a line completes: an event, or a line that does not belong to an event stream. */
export type SsePart = { kind: 'event'; name: string; data: string } | { kind: 'stray'; line: string }

/**
 * Parses lines as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). Other lines are
 * returned as they are: some servers send an error or a whole reply without the event format.
 */
export class SseParser {
  private name = ''
  private data: string[] = []
  private length = 0

  /** What this line completes, or null. Throws RangeError when an event is over MAX_LINE. */
  push(line: string): SsePart | null {
    if (line === '') return this.finish()
    const [, field = '', value = ''] = /^([a-z]*): ?(.*)$/s.exec(line) ?? []
    if (field === 'data') this.append(value)
    else if (field === 'event') this.name = value
    else if (field === 'error') return { kind: 'event', name: 'error', data: value }
    else if (!/^(:|(id|retry)(:|$))/.test(line)) return { kind: 'stray', line }
    return null
  }

  /** The unfinished event, or null. Servers that close early leave out the blank line after it. */
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

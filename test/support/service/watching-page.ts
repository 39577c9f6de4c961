import { type Document, Window } from 'happy-dom'
import type { TestServer } from './server.ts'

/** A page of a story that watches its stream as htmx does: it swaps what comes, and connects again where it was. */
export class WatchingPage {
  private readonly document: Document
  private last = ''

  private constructor(
    private readonly server: Pick<TestServer, 'ask'>,
    readonly _id: number,
    html: string,
  ) {
    this.document = new Window().document
    this.document.write(html)
  }

  static async open(server: Pick<TestServer, 'ask'>, id: number): Promise<WatchingPage> {
    return new WatchingPage(server, id, await (await server.ask(`/adventures/${id}`)).text())
  }

  /** The passages, and what follows them. */
  get story(): string[] {
    return [...this.document.querySelectorAll('#story > *')].map((one) => one.outerHTML)
  }

  /** Watches until the condition holds or, with a time in milliseconds, the connection breaks. */
  async watch(until: () => boolean, milliseconds?: number): Promise<void> {
    const left = new AbortController()
    const timer = milliseconds === undefined ? undefined : setTimeout(() => left.abort(), milliseconds)
    const from = this.document.querySelector('#events')?.getAttribute('hx-sse:connect') ?? ''
    const headers: Record<string, string> = { Accept: 'text/event-stream' }
    if (this.last !== '') headers['Last-Event-ID'] = this.last
    try {
      const { body } = await this.server.ask(from, { headers, signal: left.signal })
      const decoder = new TextDecoder()
      let pending = ''
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        const whole = (pending + decoder.decode(chunk, { stream: true })).split('\n\n')
        pending = whole.pop() ?? ''
        for (const event of whole.filter((one) => !one.startsWith(':'))) this.take(event)
        if (until()) break
      }
    } catch (error) {
      if (!left.signal.aborted) throw error
    } finally {
      clearTimeout(timer)
      left.abort()
    }
  }

  private take(event: string): void {
    const lines = event.split('\n')
    const of = (name: string) =>
      lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2))
    this.last = of('id')[0] ?? this.last
    if (of('event').length > 0) return
    const holder = this.document.createElement('div')
    holder.innerHTML = of('data').join('\n')
    const swaps = [...holder.children].map((partial) => ({
      target: this.document.querySelector(partial.getAttribute('hx-target') ?? ''),
      swap: partial.getAttribute('hx-swap'),
      nodes: [...partial.childNodes],
    }))
    for (const { target, swap, nodes } of swaps)
      if (swap === 'innerHTML') target?.replaceChildren(...nodes)
      else if (swap === 'beforeend') target?.append(...nodes)
      else if (swap === 'beforebegin') target?.before(...nodes)
      else if (swap === 'outerHTML') target?.replaceWith(...nodes)
      else target?.remove()
  }
}

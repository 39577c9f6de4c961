import type { Exchange } from './exchange.ts'

/** Reads the reply of a model server as it passes by, and notes what it says in the exchange. */
export class ReplyStream {
  private rest = ''
  private readonly decoder = new TextDecoder()

  constructor(
    private readonly exchange: Exchange,
    private readonly now: () => number,
  ) {}

  push(bytes: Uint8Array): void {
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split('\n')
    this.rest = lines.pop() ?? ''
    for (const line of lines) this.read(line)
  }

  end(): void {
    this.read(this.rest)
    this.rest = ''
  }

  private read(line: string): void {
    const text = line.replace(/^data: /, '').trim()
    if (!text.startsWith('{')) return
    try {
      this.note(JSON.parse(text))
    } catch {
      // A line of another format.
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
  private note(event: any): void {
    const { exchange } = this
    const [choice] = event.choices ?? []
    const words = choice?.delta?.content ?? choice?.message?.content ?? choice?.text ?? event.message?.content
    if (typeof words === 'string' && words !== '') {
      exchange.firstWords ??= this.now()
      exchange.reply += words
    }
    if (choice?.finish_reason || event.done === true) exchange.complete = true
    if (event.timings) exchange.timings = event.timings
    const { usage, prompt_progress: progress } = event
    if (usage)
      exchange.usage = {
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens ?? 0,
        cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? null,
      }
    if (progress) exchange.progress = { read: progress.processed - progress.cache, cached: progress.cache }
  }
}

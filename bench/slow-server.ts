/** Characters of a token of this server. */
const PER_TOKEN = 4

interface Speed {
  /** Tokens read and written in a second. */
  read: number
  write: number
}

interface ChatRequest {
  messages: { role: string; content: string }[]
  max_tokens: number
}

/**
 * A llama.cpp server with one slot on a slow machine: reads and writes at given speeds, keeps the prefix of its last prompt,
 * and stops when the client does. `reply` answers the last message.
 */
export function startSlowServer({ read, write }: Speed, reply: (task: string, body: object) => string) {
  let slot = ''
  let busy: Promise<unknown> = Promise.resolve()
  async function* answer(body: ChatRequest, signal: AbortSignal) {
    const prompt = body.messages.map(({ role, content }) => `<${role}>${content}\n`).join('')
    const cached = commonLength(prompt, slot)
    for (let at = cached; at < prompt.length; at += read * PER_TOKEN) {
      slot = prompt.slice(0, at)
      await Bun.sleep((1_000 * Math.min(read, (prompt.length - at) / PER_TOKEN)) / read)
      if (signal.aborted) return
    }
    slot = `${prompt}<assistant>`
    const text = reply(body.messages.at(-1)?.content ?? '', body).slice(0, body.max_tokens * PER_TOKEN)
    for (let at = 0; at < text.length && !signal.aborted; at += PER_TOKEN) {
      await Bun.sleep(1_000 / write)
      slot += text.slice(at, at + PER_TOKEN)
      yield event({ choices: [{ delta: { content: text.slice(at, at + PER_TOKEN) } }] })
    }
    const tokens = (length: number) => Math.ceil(length / PER_TOKEN)
    yield event({
      choices: [{ delta: {}, finish_reason: 'stop' }],
      usage: { prompt_tokens: tokens(prompt.length), completion_tokens: tokens(text.length) },
      timings: {
        prompt_n: tokens(prompt.length - cached),
        cache_n: tokens(cached),
        predicted_n: tokens(text.length),
      },
    })
    yield 'data: [DONE]\n\n'
  }
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/props')
        return Response.json({ default_generation_settings: { n_ctx: 16_384 }, total_slots: 1 })
      if (pathname === '/v1/models') return Response.json({ data: [{ id: 'slow', owned_by: 'llamacpp' }] })
      if (pathname !== '/v1/chat/completions') return new Response(null, { status: 404 })
      const body = (await request.json()) as ChatRequest
      const before = busy
      const { promise, resolve } = Promise.withResolvers<void>()
      busy = promise
      async function* inTurn() {
        try {
          yield ': queued\n\n'
          await before
          if (!request.signal.aborted) yield* answer(body, request.signal)
        } finally {
          resolve()
        }
      }
      return new Response(inTurn() as unknown as BodyInit, {
        headers: { 'Content-Type': 'text/event-stream' },
      })
    },
  })
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function commonLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let at = 0
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

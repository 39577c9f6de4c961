import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { mean } from './allowed-targets.ts'

/** A request as the model server got it. `body` is null when there was none or it was not JSON. */
export interface RecordedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: RecordedBody | null
}

/** The body of a telling, as far as it was sent. */
export interface RecordedBody {
  model?: string
  messages?: { role: string; content: string }[]
  prompt?: string
  temperature?: number
  max_tokens?: number
  stream?: boolean
  /** What vectors are asked for. */
  input?: string[]
}

/** One request at the model server, for a step to answer. */
export interface Exchange {
  request: RecordedRequest
  response: ServerResponse
  /** Resolves when the client has gone or the answer is complete. */
  closed: Promise<void>
}

/** How one request is answered. Make one with `say`, `loading`, `held` and their like, or write it out. */
export type Step = (exchange: Exchange) => void | Promise<void>

/** A model server that answers as a test tells it to. */
export interface ScriptedEndpoint extends AsyncDisposable {
  /** The base address, as it stands in the settings: it ends in `/v1`. */
  readonly url: string
  /** Every request for a reply, oldest first. Requests for the model list are in `listRequests`. */
  readonly requests: RecordedRequest[]
  readonly listRequests: RecordedRequest[]
  /** Answers the coming requests with these steps, one each, after those that wait already. */
  next(...steps: (Step | Step[])[]): void
  /** Answers every request for which no step waits. At first: `say('The fire crackles. You wait.')`. */
  byDefault(step: Step): void
  /** Answers every request for the model list. At first: one model, `test-model`, of 8192 tokens. */
  listWith(step: Step): void
  /** What the server tells of itself, by path: JSON, or 404 for what is not there. */
  readonly pages: Map<string, unknown>
  /** What it does at other routes, by path; requests there are in no list. */
  readonly routes: Map<string, Step>
  /** Every request for vectors, oldest first. */
  readonly embedRequests: RecordedRequest[]
  /** Answers every request for vectors. At first: 404. */
  embedWith(step: Step): void
  /** Every request to end a reply, oldest first: those to a path that ends in `/abort`. */
  readonly aborts: RecordedRequest[]
  /** Answers every request to end a reply. At first: it is done. */
  abortWith(step: Step): void
  /** The oldest request for a reply that this has not given yet; waits until it comes. */
  requestArrived(): Promise<RecordedRequest>
  /** Resolves as soon as so many requests were left by the client before their answer was complete. */
  hungUp(times?: number): Promise<void>
  /** Cuts every connection and stops listening. */
  close(): Promise<void>
}

/** Where a scripted endpoint listens. `port` 0, the default, is any free one. */
export interface EndpointOptions {
  host?: '127.0.0.1' | '::1'
  port?: number
  /** Certificate and key in PEM form: the endpoint speaks TLS. */
  tls?: { cert: string; key: string }
}

/** Starts a scripted model server on a loopback address. */
export async function startEndpoint({
  host = '127.0.0.1',
  port = 0,
  tls,
}: EndpointOptions = {}): Promise<ScriptedEndpoint> {
  const script = new Script()
  const answer = (request: IncomingMessage, response: ServerResponse) => void script.answer(request, response)
  const server = tls ? createTlsServer(tls, answer) : createServer(answer)
  await new Promise<void>((listening, failed) =>
    server.once('error', failed).listen(port, host, () => listening()),
  )
  const at = server.address() as AddressInfo
  const close = async () => {
    const closed = new Promise<void>((done) => server.close(() => done()))
    server.closeAllConnections()
    await closed
  }
  const url = `${tls ? 'https' : 'http'}://${host === '::1' ? '[::1]' : host}:${at.port}/v1`
  mean(url)
  return {
    url,
    requests: script.requests,
    listRequests: script.listRequests,
    next: (...steps) => void script.steps.push(...steps.flat()),
    byDefault: (step) => {
      script.otherwise = step
    },
    listWith: (step) => {
      script.list = step
    },
    pages: script.pages,
    routes: script.routes,
    embedRequests: script.embedRequests,
    embedWith: (step) => {
      script.embedding = step
    },
    aborts: script.aborts,
    abortWith: (step) => {
      script.aborting = step
    },
    requestArrived: () => script.arrivals.next(),
    hungUp: (times = 1) => script.hungUp(times),
    close,
    [Symbol.asyncDispose]: close,
  }
}

class Script {
  readonly requests: RecordedRequest[] = []
  readonly listRequests: RecordedRequest[] = []
  readonly arrivals = new Arrivals<RecordedRequest>()
  readonly steps: Step[] = []
  otherwise: Step = say('The fire crackles. You wait.')
  list: Step = json(200, {
    object: 'list',
    data: [{ id: 'test-model', object: 'model', meta: { n_ctx: 8192 } }],
  })
  readonly pages = new Map<string, unknown>()
  readonly routes = new Map<string, Step>()
  readonly embedRequests: RecordedRequest[] = []
  embedding: Step = json(404, { error: 'no embeddings here' })
  readonly aborts: RecordedRequest[] = []
  aborting: Step = json(200, { success: true })
  private hangUps = 0
  private watchers: (() => void)[] = []

  async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await record(incoming).catch(() => null)
    if (request === null) return
    const closed = new Promise<void>((done) => response.once('close', done))
    response.once('close', () => this.notice(response))
    response.on('error', () => {})
    const route = this.routes.get(request.path)
    if (route) return await route({ request, response, closed })
    const page = this.pages.get(request.path)
    if (request.method === 'GET' && (page !== undefined || request.path !== '/v1/models')) {
      await json(page === undefined ? 404 : 200, page ?? {})({ request, response, closed })
      return
    }
    if (request.path.endsWith('/embeddings')) {
      this.embedRequests.push(request)
      await this.embedding({ request, response, closed })
      return
    }
    if (request.path.endsWith('/abort')) {
      this.aborts.push(request)
      await this.aborting({ request, response, closed })
      return
    }
    const isList = request.path.endsWith('/models')
    if (!isList && !/\/(completions|api\/chat)$/.test(request.path)) {
      await json(404, { error: 'no such route' })({ request, response, closed })
      return
    }
    if (isList) this.listRequests.push(request)
    else this.requests.push(request)
    const step = isList ? this.list : (this.steps.shift() ?? this.otherwise)
    if (!isList) this.arrivals.add(request)
    await step({ request, response, closed })
  }

  async hungUp(times: number): Promise<void> {
    while (this.hangUps < times) await new Promise<void>((noticed) => this.watchers.push(noticed))
  }

  private notice(response: ServerResponse): void {
    if (response.writableEnded) return
    this.hangUps += 1
    for (const noticed of this.watchers.splice(0)) noticed()
  }
}

class Arrivals<T> {
  private readonly arrived: T[] = []
  private readonly awaited: ((item: T) => void)[] = []

  add(item: T): void {
    const first = this.awaited.shift()
    if (first) first(item)
    else this.arrived.push(item)
  }

  async next(): Promise<T> {
    const first = this.arrived.shift()
    return first ?? new Promise<T>((arrives) => this.awaited.push(arrives))
  }
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: recordedBody(text),
  }
}

function recordedBody(text: string): RecordedBody | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

// ---- Gates ----

/** A promise that a test opens: what waits at it goes on then. */
export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

/** A closed gate. */
export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** Does nothing, not even headers, before the gate is open. */
export function held({ opened }: Gate, step: Step): Step {
  return async (exchange) => {
    await Promise.race([opened, exchange.closed])
    await step(exchange)
  }
}

// ---- Replies ----

/** How a reply is streamed. */
export interface Saying {
  /** In how many pieces the text comes; 3 if not said. */
  pieces?: number
  finish?: string
  usage?: { prompt_tokens: number; completion_tokens: number }
  /** False leaves out `data: [DONE]`. */
  done?: boolean
  /** What ends a line. */
  lineEnd?: '\n' | '\r\n'
}

/** A streamed reply, in the shape of a chat or a completion as it was asked. */
export function say(text: string, saying: Saying = {}): Step {
  return streamed(
    (request) => [...spoken(request, text, saying), ...closing(request, saying)],
    saying.lineEnd,
  )
}

/** Thinking in a field of its own, then a reply. */
export function thinkThenSay(thinking: string, text: string, saying: Saying & { field?: string } = {}): Step {
  const thought = frame({
    choices: [{ index: 0, delta: { [saying.field ?? 'reasoning_content']: thinking } }],
  })
  return streamed((request) => [thought, ...spoken(request, text, saying), ...closing(request, saying)])
}

/** Thinking and no reply. */
export function onlyThink(thinking: string, saying: Saying = {}): Step {
  return thinkThenSay(thinking, '', saying)
}

/** A proper stream without any text. */
export function sayNothing(saying: Saying = {}): Step {
  return say('', saying)
}

/** The same, with a rest of so many milliseconds behind each piece. */
export function sayInTime(text: string, milliseconds: number, saying: Saying = {}): Step {
  return async ({ request, response, closed }) => {
    openStream(response)
    for (const item of [...spoken(request, text, saying), ...closing(request, saying)]) {
      response.write(item)
      await Promise.race([closed, Bun.sleep(milliseconds)])
    }
    response.end()
  }
}

/** Sends headers and says `first`, if that is anything; waits at the gate; says `rest` and ends. */
export function sayAround(first: string, { opened }: Gate, rest: string, saying: Saying = {}): Step {
  return async ({ request, response, closed }) => {
    openStream(response)
    for (const item of spoken(request, first, saying)) response.write(item)
    await Promise.race([opened, closed])
    if (response.destroyed) return
    for (const item of [...spoken(request, rest, saying), ...closing(request, saying)]) response.write(item)
    response.end()
  }
}

/** A reply in Ollama's own words, one JSON value a line. */
export function sayAsOllama(
  text: string,
  {
    thinking = '',
    finish = 'stop',
    counts = {},
  }: { thinking?: string; finish?: string; counts?: object } = {},
): Step {
  const head = { model: 'test-model', created_at: '2026-01-01T00:00:00Z' }
  const lines = [
    ...(thinking ? [{ ...head, message: { role: 'assistant', content: '', thinking }, done: false }] : []),
    ...[...text].map((letter) => ({ ...head, message: { role: 'assistant', content: letter }, done: false })),
    { ...head, message: { role: 'assistant', content: '' }, done: true, done_reason: finish, ...counts },
  ]
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return raw(200, body, { 'content-type': 'application/x-ndjson' })
}

/** The whole reply as one JSON body. */
export function sayWhole(text: string, { finish = 'stop', usage }: Saying = {}): Step {
  return async (exchange) => {
    const choice = isChat(exchange.request) ? { message: { role: 'assistant', content: text } } : { text }
    await json(200, { choices: [{ index: 0, ...choice, finish_reason: finish }], usage })(exchange)
  }
}

/** A reply cut into single bytes, so that letters and events fall apart on the way. */
export function sayByteByByte(text: string, saying: Saying = {}): Step {
  return async ({ request, response }) => {
    openStream(response)
    const items = [...spoken(request, text, saying), ...closing(request, saying)]
    for (const byte of Buffer.from(items.join('')))
      await new Promise<void>((sent) => response.write(Uint8Array.of(byte), () => sent()))
    response.end()
  }
}

// ---- Faults ----

/** Two shapes in which servers say that they load, or are busy. */
const LOADING = {
  'llama.cpp': { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
  KoboldCpp: { detail: { msg: 'Server is busy; please try again later.', type: 'service_unavailable' } },
}

/** `times` answers of status 503. */
export function loading(times = 1, server: keyof typeof LOADING = 'llama.cpp'): Step[] {
  return Array.from({ length: times }, () => json(503, LOADING[server]))
}

/** Takes the request and never answers. */
export const silent: Step = ({ closed }) => closed

/** Sends headers, and `text` if there is any, then nothing more. */
export function fallSilent(text = ''): Step {
  return async ({ request, response, closed }) => {
    openStream(response)
    for (const item of spoken(request, text, {})) response.write(item)
    await closed
  }
}

/** Breaks the connection, behind `text` if there is any, as soon as the gate is open if there is one. */
export function breakOff(text = '', until?: Gate): Step {
  return async ({ request, response }) => {
    openStream(response)
    for (const item of spoken(request, text, {}))
      await new Promise<void>((sent) => response.write(item, () => sent()))
    await until?.opened
    response.socket?.destroy()
  }
}

/** An error object in place of the next chunk, behind `text` if there is any. */
export function failInStream(error: unknown, text = ''): Step {
  return streamed((request) => [...spoken(request, text, {}), frame({ error })])
}

/** A status with a message in the shape of OpenAI's errors. */
export function status(code: number, message = 'No.', headers: Record<string, string> = {}): Step {
  return json(code, { error: { message, type: 'error', code } }, headers)
}

/** A status with any JSON body. */
export function json(code: number, body: unknown, headers: Record<string, string> = {}): Step {
  return raw(code, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
}

/** A web page where a reply should be. */
export function webPage(title = 'It works!', code = 200): Step {
  const page = `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`
  return raw(code, page, { 'content-type': 'text/html' })
}

/** Sends the client elsewhere. */
export function redirect(to: string, code = 302): Step {
  return raw(code, '', { location: to })
}

/** Any status, body and headers, in one piece. */
export function raw(
  code: number,
  body: string | Uint8Array,
  headers: Record<string, string> = { 'content-type': 'text/event-stream' },
): Step {
  return ({ response }) => {
    response.writeHead(code, headers)
    response.end(body)
  }
}

/** The same bytes over and over until the client goes. At first: events with a word of text. */
export function endless(bytes = frame({ choices: [{ delta: { content: 'and on ' } }] }).repeat(500)): Step {
  return async ({ response, closed }) => {
    openStream(response)
    const isClosed = closed.then(() => true)
    const isSent = () => new Promise<boolean>((sent) => response.write(bytes, () => sent(false)))
    while (!(await Promise.race([isClosed, isSent()])));
  }
}

// ---- Frames ----

/** One event of a stream. */
export function frame(payload: unknown): string {
  return `data: ${JSON.stringify(payload)}\n\n`
}

function streamed(items: (request: RecordedRequest) => string[], lineEnd = '\n'): Step {
  return ({ request, response }) => {
    openStream(response)
    for (const item of items(request)) response.write(item.replaceAll('\n', lineEnd))
    response.end()
  }
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
}

function spoken(request: RecordedRequest, text: string, { pieces = 3 }: Saying): string[] {
  const letters = [...text]
  const size = Math.max(1, Math.ceil(letters.length / pieces))
  const parts = Array.from({ length: Math.ceil(letters.length / size) }, (_, at) =>
    letters.slice(at * size, (at + 1) * size).join(''),
  )
  return parts.map((part) =>
    frame({ choices: [{ index: 0, ...spokenAs(request, part), finish_reason: null }] }),
  )
}

function closing(request: RecordedRequest, { finish = 'stop', usage, done = true }: Saying): string[] {
  const last = frame({ choices: [{ index: 0, ...spokenAs(request, ''), finish_reason: finish }] })
  return [last, ...(usage ? [frame({ choices: [], usage })] : []), ...(done ? ['data: [DONE]\n\n'] : [])]
}

function spokenAs(request: RecordedRequest, text: string): object {
  return isChat(request) ? { delta: { content: text } } : { text }
}

function isChat({ path }: RecordedRequest): boolean {
  return path.endsWith('/chat/completions')
}

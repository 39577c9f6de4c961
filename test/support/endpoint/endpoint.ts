import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { allowTarget } from './allowed-targets.ts'

/** A request as received. `body` is null when there was none or it was not JSON. */
export interface RecordedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: RecordedBody | null
}

/** The fields of a request for a reply. */
export interface RecordedBody {
  model?: string
  messages?: { role: string; content: string }[]
  prompt?: string
  temperature?: number
  max_tokens?: number
  stream?: boolean
  /** Texts to embed. */
  input?: string[]
}

/** One request and its response. */
export interface Exchange {
  request: RecordedRequest
  response: ServerResponse
  /** Resolves when the client has disconnected or the response is complete. */
  closed: Promise<void>
  /** Sets how a question to the recorder about this reply is answered. */
  record: (step: Step) => void
}

/** How one request is answered. Made with `say`, `loading`, `held` and others, or written by hand. */
export type Step = (exchange: Exchange) => void | Promise<void>

/** A model server whose responses are scripted by a test. */
export interface ScriptedEndpoint extends AsyncDisposable {
  /** The base address for the settings; it ends in `/v1`. */
  readonly url: string
  /** Every request for a reply, oldest first. Requests for the model list are in `listRequests`. */
  readonly requests: RecordedRequest[]
  readonly listRequests: RecordedRequest[]
  /** Queues steps for the next requests, one each. */
  next(...steps: (Step | Step[])[]): void
  /** Answers requests when the queue is empty. Default: `say('The fire crackles. You wait.')`. */
  byDefault(step: Step): void
  /** Every question to the recorder, oldest first; `requests` has none of them. */
  readonly recorderRequests: RecordedRequest[]
  /** Queues steps for the next questions to the recorder, one each. */
  record(...steps: Step[]): void
  /** Answers the others. Default: what the last reply told, by `sayAndRecord`; otherwise that nothing changed. */
  recordWith(step: Step | null): void
  /** Every question to the recorder about the changes that it has named, oldest first. */
  readonly confirmingRequests: RecordedRequest[]
  /** Answers these questions. Default: nothing is denied. */
  confirmWith(step: Step): void
  /** The recorder finds no change, until another reply says what it answers. */
  recordNothing(): void
  /** Answers requests for the model list. Default: one model, `test-model`, of 8192 tokens. */
  listWith(step: Step): void
  /** JSON pages about the server, by path; others are 404. */
  readonly pages: Map<string, unknown>
  /** Steps of other routes, by path; requests to them are not recorded. */
  readonly routes: Map<string, Step>
  /** Every request for embeddings, oldest first. */
  readonly embedRequests: RecordedRequest[]
  /** Answers requests for embeddings. Default: 404. */
  embedWith(step: Step): void
  /** Every request to a path that ends in `/abort`, oldest first. */
  readonly aborts: RecordedRequest[]
  /** Answers requests to abort a reply. Default: success. */
  abortWith(step: Step): void
  /** The next request for a reply that this has not returned yet; waits for it. */
  requestArrived(): Promise<RecordedRequest>
  /** Resolves once the client has disconnected from this many incomplete responses. */
  hungUp(times?: number): Promise<void>
  /** Cuts every connection and stops listening. */
  close(): Promise<void>
}

/** `port` 0, the default, is any free port. */
export interface EndpointOptions {
  host?: '127.0.0.1' | '::1'
  port?: number
  /** Certificate and key in PEM form, for TLS. */
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
  const address = server.address() as AddressInfo
  const close = async () => {
    const closed = new Promise<void>((done) => server.close(() => done()))
    server.closeAllConnections()
    await closed
  }
  const url = `${tls ? 'https' : 'http'}://${host === '::1' ? '[::1]' : host}:${address.port}/v1`
  allowTarget(url)
  return {
    url,
    requests: script.requests,
    listRequests: script.listRequests,
    next: (...steps) => void script.steps.push(...steps.flat()),
    byDefault: (step) => {
      script.otherwise = step
    },
    recorderRequests: script.recorderRequests,
    record: (...steps) => void script.recordings.push(...steps),
    recordWith: (step) => {
      script.recorder = step
    },
    confirmingRequests: script.confirmingRequests,
    confirmWith: (step) => {
      script.confirming = step
    },
    recordNothing: () => {
      script.told = NOTHING_CHANGED
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
  readonly recorderRequests: RecordedRequest[] = []
  readonly recordings: Step[] = []
  readonly confirmingRequests: RecordedRequest[] = []
  confirming: Step = say('{}')
  recorder: Step | null = null
  /** The recorder's answer about the last reply. */
  told: Step = NOTHING_CHANGED
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
    const setRecorder = (step: Step) => {
      this.told = step
    }
    await this.stepFor(request)({ request, response, closed, record: setRecorder })
  }

  private stepFor(request: RecordedRequest): Step {
    const { method, path } = request
    const route = this.routes.get(path)
    if (route) return route
    const page = this.pages.get(path)
    if (method === 'GET' && (page !== undefined || path !== '/v1/models'))
      return json(page === undefined ? 404 : 200, page ?? {})
    if (path.endsWith('/embeddings')) {
      this.embedRequests.push(request)
      return this.embedding
    }
    if (path.endsWith('/abort')) {
      this.aborts.push(request)
      return this.aborting
    }
    if (path.endsWith('/models')) {
      this.listRequests.push(request)
      return this.list
    }
    if (!/\/(completions|api\/chat)$/.test(path)) return json(404, { error: 'no such route' })
    if (isConfirmingRequest(request)) {
      this.confirmingRequests.push(request)
      return this.confirming
    }
    if (isRecorderRequest(request)) {
      this.recorderRequests.push(request)
      return this.recordings.shift() ?? this.recorder ?? this.told
    }
    this.requests.push(request)
    this.arrivals.add(request)
    this.told = NOTHING_CHANGED
    return this.steps.shift() ?? this.otherwise
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

/** Something to wait for until the test opens it. */
export interface Gate {
  readonly opened: Promise<void>
  open(): void
}

export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

/** Sends nothing, not even headers, until the gate is open. */
export function afterGate({ opened }: Gate, step: Step): Step {
  return async (exchange) => {
    await Promise.race([opened, exchange.closed])
    await step(exchange)
  }
}

// ---- Replies ----

/** How a reply is streamed. */
export interface ReplyOptions {
  /** Number of chunks; 3 by default. */
  pieces?: number
  finish?: string
  usage?: { prompt_tokens: number; completion_tokens: number }
  /** False leaves out `data: [DONE]`. */
  done?: boolean
  lineEnd?: '\n' | '\r\n'
}

/** A streamed reply, as a chat or a completion depending on the request. */
export function say(text: string, saying: ReplyOptions = {}): Step {
  return streamed(
    (request) => [...spoken(request, text, saying), ...closing(request, saying)],
    saying.lineEnd,
  )
}

const NOTHING_CHANGED = say('{"edits": []}')

/** A reply, and the changes that the recorder names when it is asked about it. */
export function sayAndRecord(
  prose: string,
  changes: Record<string, unknown>,
  saying: ReplyOptions = {},
): Step {
  return recorded(say(prose, saying), say(editsAbout(prose, changes)))
}

/** A reply, and how the recorder answers when it is asked about it. */
export function recorded(reply: Step, answer: Step): Step {
  return (exchange) => {
    exchange.record(answer)
    return reply(exchange)
  }
}

/** An answer of the recorder: `by` for numbers, `to` for everything else, each told by the beginning of the prose. */
export function editsAbout(prose: string, changes: Record<string, unknown>): string {
  const listed = Object.entries(changes).map(([path, value]) =>
    typeof value === 'number' ? { path, by: value } : { path, to: value },
  )
  const because = prose.trim().slice(0, 60)
  return JSON.stringify({ edits: listed.length === 0 ? [] : [{ because, changes: listed }] })
}

/** Whether a request asks the recorder for the stat changes of a passage. */
function isRecorderRequest(request: RecordedRequest): boolean {
  return taskOf(request).includes('[Before the story goes on')
}

/** Whether a request asks the recorder about the changes that it has named. */
function isConfirmingRequest(request: RecordedRequest): boolean {
  return taskOf(request).includes('[Before the story goes on: which of these')
}

function taskOf({ body }: RecordedRequest): string {
  return body?.messages?.at(-1)?.content ?? body?.prompt ?? ''
}

/** Reasoning in a separate field, then a reply. */
export function thinkThenSay(
  thinking: string,
  text: string,
  saying: ReplyOptions & { field?: string } = {},
): Step {
  const thought = frame({
    choices: [{ index: 0, delta: { [saying.field ?? 'reasoning_content']: thinking } }],
  })
  return streamed((request) => [thought, ...spoken(request, text, saying), ...closing(request, saying)])
}

/** Reasoning without a reply. */
export function onlyThink(thinking: string, saying: ReplyOptions = {}): Step {
  return thinkThenSay(thinking, '', saying)
}

/** A valid stream without any text. */
export function sayNothing(saying: ReplyOptions = {}): Step {
  return say('', saying)
}

/** A streamed reply with a pause of this many milliseconds after each chunk. */
export function sayInTime(text: string, milliseconds: number, saying: ReplyOptions = {}): Step {
  return async ({ request, response, closed }) => {
    openStream(response)
    for (const item of [...spoken(request, text, saying), ...closing(request, saying)]) {
      response.write(item)
      await Promise.race([closed, Bun.sleep(milliseconds)])
    }
    response.end()
  }
}

/** Sends headers and `first`, if it is not empty; waits for the gate; sends `rest` and ends. */
export function sayAround(first: string, { opened }: Gate, rest: string, saying: ReplyOptions = {}): Step {
  return async ({ request, response, closed }) => {
    openStream(response)
    for (const item of spoken(request, first, saying)) response.write(item)
    await Promise.race([opened, closed])
    if (response.destroyed) return
    for (const item of [...spoken(request, rest, saying), ...closing(request, saying)]) response.write(item)
    response.end()
  }
}

/** A reply of Ollama's native API, one JSON value per line. */
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
export function sayWhole(text: string, { finish = 'stop', usage }: ReplyOptions = {}): Step {
  return async (exchange) => {
    const choice = isChat(exchange.request) ? { message: { role: 'assistant', content: text } } : { text }
    await json(200, { choices: [{ index: 0, ...choice, finish_reason: finish }], usage })(exchange)
  }
}

/** A reply sent byte by byte, which splits characters and events. */
export function sayByteByByte(text: string, saying: ReplyOptions = {}): Step {
  return async ({ request, response }) => {
    openStream(response)
    const items = [...spoken(request, text, saying), ...closing(request, saying)]
    for (const byte of Buffer.from(items.join('')))
      await new Promise<void>((sent) => response.write(Uint8Array.of(byte), () => sent()))
    response.end()
  }
}

// ---- Faults ----

/** Two formats in which servers report that they are loading or busy. */
const LOADING = {
  'llama.cpp': { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
  KoboldCpp: { detail: { msg: 'Server is busy; please try again later.', type: 'service_unavailable' } },
}

/** This many responses with status 503. */
export function loading(times = 1, server: keyof typeof LOADING = 'llama.cpp'): Step[] {
  return Array.from({ length: times }, () => json(503, LOADING[server]))
}

/** Accepts the request and never responds. */
export const silent: Step = ({ closed }) => closed

/** Sends headers, and `text` if it is not empty, then nothing more. */
export function fallSilent(text = ''): Step {
  return async ({ request, response, closed }) => {
    openStream(response)
    for (const item of spoken(request, text, {})) response.write(item)
    await closed
  }
}

/** Breaks the connection after `text`, once the gate, if any, is open. */
export function breakOff(text = '', until?: Gate): Step {
  return async ({ request, response }) => {
    openStream(response)
    for (const item of spoken(request, text, {}))
      await new Promise<void>((sent) => response.write(item, () => sent()))
    await until?.opened
    response.socket?.destroy()
  }
}

/** An error object in place of the next chunk, after `text`. */
export function failInStream(error: unknown, text = ''): Step {
  return streamed((request) => [...spoken(request, text, {}), frame({ error })])
}

/** A status with a message in OpenAI's error format. */
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

export function redirect(to: string, code = 302): Step {
  return raw(code, '', { location: to })
}

/** Any status, body and headers. */
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

/** Repeats the same bytes until the client disconnects. Default: events with text. */
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

function spoken(request: RecordedRequest, text: string, { pieces = 3 }: ReplyOptions): string[] {
  const letters = [...text]
  const size = Math.max(1, Math.ceil(letters.length / pieces))
  const parts = Array.from({ length: Math.ceil(letters.length / size) }, (_, at) =>
    letters.slice(at * size, (at + 1) * size).join(''),
  )
  return parts.map((part) =>
    frame({ choices: [{ index: 0, ...spokenAs(request, part), finish_reason: null }] }),
  )
}

function closing(request: RecordedRequest, { finish = 'stop', usage, done = true }: ReplyOptions): string[] {
  const last = frame({ choices: [{ index: 0, ...spokenAs(request, ''), finish_reason: finish }] })
  return [last, ...(usage ? [frame({ choices: [], usage })] : []), ...(done ? ['data: [DONE]\n\n'] : [])]
}

function spokenAs(request: RecordedRequest, text: string): object {
  return isChat(request) ? { delta: { content: text } } : { text }
}

function isChat({ path }: RecordedRequest): boolean {
  return path.endsWith('/chat/completions')
}

import { Type } from '@sinclair/typebox'
import type { App } from '../app/app.ts'
import { engineModel } from '../app/model/engine.ts'
import { StoryError } from '../domain/errors.ts'
import { EngineLoading, type EngineModel } from '../engine/engine.ts'
import { EngineError } from '../engine/engine-process.ts'
import type { EngineAnswer, EngineRequest } from '../engine/protocol.ts'
import { jsonBody, jsonRoutes } from '../http/body.ts'
import { formatEvent, streamResponse } from '../http/stream.ts'
import { oneOf } from '../lib/typebox.ts'
import { content, ERRORS, EVENTS, ok } from './responses.ts'

const number = () => Type.Optional(Type.Number())

const messages = () =>
  Type.Array(Type.Object({ role: oneOf(['system', 'user', 'assistant']), content: Type.String() }))

const modelOptions = {
  stream: Type.Optional(Type.Boolean()),
  max_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  temperature: Type.Optional(Type.Number({ minimum: 0 })),
  stop: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { maxItems: 100 })),
  top_p: number(),
  min_p: number(),
  repeat_penalty: number(),
  repeat_last_n: number(),
  dry_multiplier: number(),
  dry_base: number(),
  dry_allowed_length: number(),
  dry_penalty_last_n: number(),
  xtc_probability: number(),
  xtc_threshold: number(),
  response_format: Type.Optional(
    Type.Object(
      {
        json_schema: Type.Optional(
          Type.Object(
            { schema: Type.Object({}, { additionalProperties: true }) },
            { additionalProperties: true },
          ),
        ),
      },
      { additionalProperties: true },
    ),
  ),
  chat_template_kwargs: Type.Optional(Type.Object({}, { additionalProperties: true })),
}

// Clients send more fields than are read here.
const OPEN_OBJECT = { additionalProperties: true }
const EXAMPLE_MESSAGES = [{ role: 'user', content: '> You open the door.' }]

const chat = () =>
  Type.Object(
    { messages: messages(), ...modelOptions },
    { ...OPEN_OBJECT, examples: [{ messages: EXAMPLE_MESSAGES, max_tokens: 100 }] },
  )

const completion = () =>
  Type.Object(
    { prompt: Type.String(), ...modelOptions },
    { ...OPEN_OBJECT, examples: [{ prompt: 'The door opens.', max_tokens: 100 }] },
  )

const counted = () =>
  Type.Object({ messages: messages() }, { ...OPEN_OBJECT, examples: [{ messages: EXAMPLE_MESSAGES }] })

const Models = Type.Object({
  object: Type.String(),
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      object: Type.String(),
      owned_by: Type.String(),
      meta: Type.Object({ n_ctx: Type.Integer({ description: 'Tokens of context' }) }),
    }),
  ),
})

const ENGINE_ERRORS = ['not_found', 'engine_loading', 'engine_failed', ...ERRORS.body] as const

const completions = content(
  'A completion, or with `stream` its chunks as server-sent events',
  { 'application/json': { type: 'object' }, ...EVENTS },
  ...ENGINE_ERRORS,
)

/**
 * The engine as an OpenAI-compatible endpoint (https://platform.openai.com/docs/api-reference/chat) with the additions of
 * llama.cpp's own server, so that a model file is one more model server.
 */
export const engineApi = (app: App) =>
  jsonRoutes('/api/engine/v1', 'Engine')
    .get('/models', async () => ({ object: 'list' as const, data: await modelsOf(app) }), {
      response: ok(Models),
      detail: { summary: 'List the model file that is chosen, if there is one' },
    })
    .post('/chat/completions', ({ body, request }) => reply(app, request, body.messages, body), {
      ...jsonBody(chat()),
      detail: { summary: 'Generate a reply with the model file', responses: completions },
    })
    .post('/completions', ({ body, request }) => reply(app, request, body.prompt, body), {
      ...jsonBody(completion()),
      detail: { summary: 'Continue a text, without the model’s chat template', responses: completions },
    })
    .post(
      '/chat/completions/input_tokens',
      async ({ body, request }) => ({
        input_tokens: await withApiErrors(() =>
          app.engine.count(chosenModel(app), { prompt: body.messages }, request.signal),
        ),
      }),
      {
        ...jsonBody(counted()),
        response: ok(Type.Object({ input_tokens: Type.Integer() }), ...ENGINE_ERRORS),
        detail: { summary: 'Count the tokens of a prompt' },
      },
    )

async function modelsOf(app: App) {
  const report = await app.engineReport()
  if (report.model === null || 'refused' in report.model) return []
  const { file, plan } = report.model
  const n_ctx = report.state.kind === 'ready' ? report.state.model.window : plan.window
  return [{ id: file.name, object: 'model', owned_by: 'inglenook-engine', meta: { n_ctx } }]
}

function chosenModel({ reader }: App): EngineModel {
  const model = engineModel(reader)
  if (model === null) throw new StoryError('not_found', 'No model file is chosen.')
  return model
}

type ModelOptions = Partial<ReturnType<typeof chat>['static']>

async function reply(app: App, request: Request, prompt: EngineRequest['prompt'], body: ModelOptions) {
  const model = chosenModel(app)
  const engineRequest = requestFrom(prompt, body)
  const disconnect = new AbortController()
  const signal = AbortSignal.any([request.signal, disconnect.signal])
  const answers = app.engine.generate(model, engineRequest, signal)
  // Before the first part of a reply, an error can still set the status.
  const first = await withApiErrors(() => answers.next())
  if (!body.stream) return wholeReply(first, answers)
  return streamResponse(request, (disconnected) => {
    disconnected.addEventListener('abort', () => disconnect.abort())
    return chunks(first, answers)
  })
}

function requestFrom(prompt: EngineRequest['prompt'], body: ModelOptions): EngineRequest {
  const { max_tokens = 16, temperature = 0.8, stop = [], response_format, chat_template_kwargs } = body
  const schema = response_format?.json_schema?.schema
  return {
    ...body,
    prompt,
    max_tokens,
    temperature,
    stop,
    ...(schema ? { schema } : {}),
    ...(chat_template_kwargs ? { template: chat_template_kwargs } : {}),
  }
}

async function withApiErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storyErrorOf(error)
  }
}

function storyErrorOf(error: unknown): unknown {
  if (error instanceof DOMException && error.name === 'AbortError')
    return new StoryError('disconnected', 'The client has left.')
  if (error instanceof EngineLoading) return new StoryError('engine_loading', `${error.message}.`)
  if (error instanceof EngineError)
    return new StoryError(error.isRequest ? 'invalid' : 'engine_failed', error.message)
  return error
}

type Answers = AsyncGenerator<EngineAnswer>

async function* chunks(first: IteratorResult<EngineAnswer>, rest: Answers): AsyncGenerator<object | string> {
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      const chunk = chunkOf(next.value)
      if (chunk !== null) yield chunk
    }
    yield formatEvent('[DONE]')
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    yield { error: { message: error.message } }
  } finally {
    await rest.return(undefined)
  }
}

function chunkOf(answer: EngineAnswer): object | null {
  switch (answer.kind) {
    case 'reading': {
      const { read, cached, total } = answer
      return chunk({}, null, { prompt_progress: { processed: read, total, cache: cached } })
    }
    case 'text':
      return chunk({ content: answer.text }, null)
    case 'end':
      return chunk({}, reasonOf(answer), usageOf(answer))
    default:
      return null
  }
}

function chunk(delta: object, finish_reason: string | null, more: object = {}): object {
  const choices = [{ index: 0, delta, finish_reason }]
  return { id: 'engine', object: 'chat.completion.chunk', choices, ...more }
}

async function wholeReply(first: IteratorResult<EngineAnswer>, rest: Answers): Promise<object> {
  let text = ''
  for (let next = first; !next.done; next = await withApiErrors(() => rest.next())) {
    if (next.value.kind === 'text') text += next.value.text
    if (next.value.kind !== 'end') continue
    const message = { role: 'assistant', content: text }
    const choice = { index: 0, message, text, finish_reason: reasonOf(next.value) }
    return { id: 'engine', object: 'chat.completion', choices: [choice], ...usageOf(next.value) }
  }
  throw new StoryError('engine_failed', 'The engine gave no reply.')
}

type End = Extract<EngineAnswer, { kind: 'end' }>

function reasonOf({ cut }: End): string {
  return cut ? 'length' : 'stop'
}

function usageOf({ usage: { prompt, cached, written, reading, writing } }: End): object {
  return {
    usage: {
      prompt_tokens: prompt,
      completion_tokens: written,
      total_tokens: prompt + written,
      prompt_tokens_details: { cached_tokens: cached },
    },
    timings: {
      cache_n: cached,
      prompt_n: prompt - cached,
      prompt_ms: reading,
      predicted_n: written,
      predicted_ms: writing,
    },
  }
}

import { Type } from '@sinclair/typebox'
import type { App } from '../app/app.ts'
import type { Message } from '../domain/model/model-request.ts'
import { jsonBody, jsonRoutes } from '../http/body.ts'
import { formatEvent, streamResponse } from '../http/stream.ts'
import { oneOf } from '../lib/typebox.ts'
import { practiceChunks, practiceReply } from '../practice/reply.ts'
import { content, ERRORS, EVENTS, ok } from './responses.ts'

const MODEL = 'practice-narrator'

const chat = () =>
  Type.Object(
    {
      messages: Type.Array(
        Type.Object({ role: oneOf(['system', 'user', 'assistant']), content: Type.String() }),
      ),
      stream: Type.Optional(Type.Boolean()),
      response_format: Type.Optional(
        Type.Object({
          json_schema: Type.Optional(Type.Object({ schema: Type.Optional(Type.Unknown()) })),
        }),
      ),
    },
    {
      examples: [{ messages: [{ role: 'user', content: '> You open the door.' }] }],
      // Clients send more fields than are read here.
      additionalProperties: true,
    },
  )

const Models = Type.Object({
  object: Type.String(),
  data: Type.Array(Type.Object({ id: Type.String(), object: Type.String(), owned_by: Type.String() })),
})

const completions = content(
  'A chat completion, or with `stream` its chunks as server-sent events',
  { 'application/json': { type: 'object' }, ...EVENTS },
  ...ERRORS.body,
)

/**
 * The practice narrator as an OpenAI-compatible endpoint (https://platform.openai.com/docs/api-reference/chat), so
 * that stories without a model run through the same code as stories with one.
 */
export const practiceApi = ({ practicePace }: Pick<App, 'practicePace'>) =>
  jsonRoutes('/api/practice/v1', 'Practice narrator')
    .get(
      '/models',
      () => ({ object: 'list', data: [{ id: MODEL, object: 'model', owned_by: 'inglenook' }] }),
      { response: ok(Models), detail: { summary: 'List the one model of the practice narrator' } },
    )
    .post(
      '/chat/completions',
      ({ body, request }) => {
        const messages: Message[] = body.messages.map(({ role, content }) => ({ role, text: content }))
        const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
        const reply = practiceReply(messages, seed, body.response_format?.json_schema?.schema)
        if (!body.stream)
          return completion({ message: { role: 'assistant', content: reply }, finish_reason: 'stop' })
        return streamResponse(request, (disconnected) =>
          paced(practiceChunks(reply), practicePace, disconnected),
        )
      },
      {
        ...jsonBody(chat()),
        detail: {
          summary: 'Generate a passage by rules instead of a language model',
          responses: completions,
        },
      },
    )

function completion(choice: object): object {
  return { id: 'practice', object: 'chat.completion', model: MODEL, choices: [{ index: 0, ...choice }] }
}

function chunk(delta: object, finish_reason: string | null = null): object {
  return { ...completion({ delta, finish_reason }), object: 'chat.completion.chunk' }
}

async function* paced(
  texts: string[],
  pace: number,
  disconnected: AbortSignal,
): AsyncGenerator<object | string> {
  for (const content of texts) {
    if (disconnected.aborted) return
    yield chunk({ content })
    await Bun.sleep(pace)
  }
  yield chunk({}, 'stop')
  yield formatEvent('[DONE]')
}

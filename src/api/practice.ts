import { Type } from '@sinclair/typebox'
import { practicePieces, practiceReply } from '../domain/practice.ts'
import type { Message } from '../domain/model/model-request.ts'
import { jsonRoutes, sent } from '../http/body.ts'
import { frame, streamAnswer } from '../http/stream.ts'

/** Milliseconds between two words: about as fast as a person reads. */
const PACE = 30

const MODEL = 'practice-narrator'

const FORM = {
  contentType: 'text/event-stream; charset=utf-8',
  head: ': open\n\n',
  beat: ': beat\n\n',
  tail: () => frame('[DONE]'),
}

const body = () =>
  Type.Object(
    {
      messages: Type.Array(
        Type.Object({
          role: Type.Union((['system', 'user', 'assistant'] as const).map((role) => Type.Literal(role))),
          content: Type.String(),
        }),
      ),
      stream: Type.Optional(Type.Boolean()),
    },
    { examples: [{ messages: [{ role: 'user', content: '> You open the door.' }] }] },
  )

/**
 * The practice narrator as an OpenAI-compatible endpoint (https://platform.openai.com/docs/api-reference/chat), so
 * that a story without a model takes the same road as one with a model.
 */
export const practiceApi = () =>
  jsonRoutes('/api/practice/v1', 'Practice narrator')
    .get(
      '/models',
      () => ({ object: 'list', data: [{ id: MODEL, object: 'model', owned_by: 'inglenook' }] }),
      {
        detail: { summary: 'The one model of the practice narrator' },
      },
    )
    .post(
      '/chat/completions',
      ({ body, request }) => {
        const messages: Message[] = body.messages.map(({ role, content }) => ({ role, text: content }))
        const reply = practiceReply(messages, crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
        if (!body.stream)
          return completion({ message: { role: 'assistant', content: reply }, finish_reason: 'stop' })
        return streamAnswer(
          request,
          FORM,
          (hangUp) => paced(practicePieces(reply), hangUp),
          (choice) => frame(JSON.stringify({ ...completion(choice), object: 'chat.completion.chunk' })),
        )
      },
      { ...sent(body()), detail: { summary: 'A passage told by rules, not by a language model' } },
    )

function completion(choice: object): object {
  return { id: 'practice', object: 'chat.completion', model: MODEL, choices: [{ index: 0, ...choice }] }
}

async function* paced(pieces: string[], hangUp: AbortSignal): AsyncGenerator<object> {
  for (const content of pieces) {
    if (hangUp.aborted) return
    yield { delta: { content }, finish_reason: null }
    await Bun.sleep(PACE)
  }
  yield { delta: {}, finish_reason: 'stop' }
}

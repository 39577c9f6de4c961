import { Type } from '@sinclair/typebox'
import type { Deps } from '../app/deps.ts'
import { playTurn, retryTurn, stopTurn } from '../app/play-turn.ts'
import type { TurnEvent } from '../app/turn-events.ts'
import { undoTurn } from '../app/undo-turn.ts'
import { LIMITS } from '../domain/limits.ts'
import { Text } from '../lib/text.ts'
import { jsonRoutes, sent } from '../http/body.ts'
import { EVENTS, frame, streamAnswer } from '../http/stream.ts'
import { idParams, undone } from './shapes.ts'

const asJson = (event: TurnEvent) => frame(JSON.stringify(event))

const streamed = (summary: string) => ({
  summary,
  description:
    'Answers 200 with server-sent events, one JSON object in each `data:` line, its kind in `type`: `player`, `status`, `reasoning`, `chunk`, `recast`, and at the end `done` or `error`.',
})

/** Turns: what a player does, and what the narrator answers. */
export const turnsApi = (deps: Deps) =>
  jsonRoutes('/api/adventures/:id', 'Turns')
    .post(
      '/actions',
      ({ params, body, request }) => {
        const input = { type: body.type, text: body.text ?? '' }
        return streamAnswer(request, EVENTS, (hangUp) => playTurn(deps, params.id, input, hangUp), asJson)
      },
      {
        params: idParams(),
        ...sent(
          Type.Object(
            {
              type: Type.Union(
                (['do', 'say', 'story', 'continue'] as const).map((type) => Type.Literal(type)),
              ),
              text: Type.Optional(Text(LIMITS.line)),
            },
            { examples: [{ type: 'do', text: 'open the door' }] },
          ),
        ),
        detail: streamed('Play a turn'),
      },
    )
    .post(
      '/retry',
      ({ params, request }) =>
        streamAnswer(request, EVENTS, (hangUp) => retryTurn(deps, params.id, hangUp), asJson),
      {
        params: idParams(),
        detail: streamed('Tell the newest narration anew, or answer a waiting line'),
      },
    )
    .post('/stop', ({ params }) => ({ stopped: stopTurn(deps, params.id) }), {
      params: idParams(),
      response: Type.Object({ stopped: Type.Boolean() }),
      detail: { summary: 'End the running turn and keep what was told' },
    })
    .post('/undo', ({ params }) => undoTurn(deps, params.id), {
      params: idParams(),
      response: undone(),
      detail: { summary: 'Remove the last turn for good' },
    })

import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { UndoneTurn } from '../../app/turn/undo-turn.ts'
import { findNewest } from '../../db/tables/actions/list.ts'
import { ActionView } from '../../domain/action.ts'
import { type ErrorCode, StoryError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { findParts } from '../../domain/model/rewrite.ts'
import { Suggestion } from '../../domain/model/suggestions.ts'
import type { Span } from '../../domain/text/sentence-spans.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { streamResponse } from '../../http/stream.ts'
import { hashOf } from '../../lib/hash.ts'
import { Text } from '../../lib/text.ts'
import { oneOf } from '../../lib/typebox.ts'
import { idParams } from '../request-params.ts'
import { content, ERRORS, EVENTS, noContent, ok } from '../responses.ts'

/** Few passages have more sentences than this. */
const MAX_PARTS = 40

const steering = (description: string) => Type.Optional({ ...Text(LIMITS.steering), description })

const input = () =>
  Type.Object(
    {
      type: oneOf(['do', 'say', 'story', 'try', 'continue']),
      text: Type.Optional(Text(LIMITS.line)),
      keep: Type.Optional(
        Type.Boolean({
          description:
            'Whether an interrupted reply is made part of the story first; otherwise it is discarded',
        }),
      ),
      check: Type.Optional(
        Type.String({ description: 'With “try”: the name of one of the checks of the story' }),
      ),
      steering: steering(
        'A note to the narrator about the next passage only, kept until a reply to it is stored',
      ),
      difficulty: Type.Optional(
        Type.String({ description: 'The name of one of its difficulties, where the player picks it' }),
      ),
    },
    { examples: [{ type: 'do', text: 'open the door' }] },
  )

const rewriting = () =>
  Type.Object(
    {
      parts: Type.Array(Text(LIMITS.line, { minLength: 1 }), {
        minItems: 1,
        maxItems: MAX_PARTS,
        description: 'The parts, each word for word as it stands there, and only once',
      }),
      how: { ...Text(LIMITS.steering, { minLength: 1 }), description: 'How they are to be rewritten' },
    },
    { examples: [{ parts: ['The door is locked.'], how: 'It stands open.' }] },
  )

/** Positions of the parts in the newest passage; none if it cannot be rewritten. Throws invalid. */
function findSpans(app: App, id: number, parts: readonly string[]): { spans: Span[]; hash: string } {
  const newest = findNewest(app.reader, id)
  if (newest?.type !== 'ai') return { spans: [], hash: '' }
  const { text } = newest
  const spans = findParts(text, parts)
  if (spans) return { spans, hash: hashOf(text) }
  throw new StoryError(
    'invalid',
    'Each part must stand in the newest passage word for word, only once, and apart from the others.',
  )
}

/** Saves the player's note before the turn, so that a failed turn keeps it. */
async function saveSteering(app: App, id: number, steering: string | undefined): Promise<void> {
  if (steering !== undefined) await app.saveDraft(id, { steering })
}

const streamed = (summary: string, ...codes: ErrorCode[]) => ({
  summary,
  description:
    'Responds with 200 and server-sent events, one JSON object in each `data:` line, its kind in `type`: `kept` if an interrupted reply became part of the story first, `player`, `status`, `reasoning`, `chunk`, `recast`, `discarded` if the reply so far only repeated itself and is asked for again, `told` if the text is stored and its stat changes are still being recorded, and at the end `done` or `error`. If the connection is closed earlier, the turn ends without a reply, and what it had told is the `interrupted` of the adventure.',
  responses: content('A stream of events', EVENTS, 'turn_in_progress', ...ERRORS.find, ...codes),
})

export const turnsApi = (app: App) =>
  jsonRoutes('/api/adventures/:id', 'Turns')
    .post(
      '/actions',
      async ({ params: { id }, body: { text = '', steering, ...body }, request }) => {
        await saveSteering(app, id, steering)
        return streamResponse(request, (disconnected) => app.playTurn(id, { ...body, text }, disconnected))
      },
      { params: idParams(), ...jsonBody(input()), detail: streamed('Play a turn', ...ERRORS.body) },
    )
    .post(
      '/retry',
      async ({ params: { id }, body: { steering }, request }) => {
        await saveSteering(app, id, steering)
        return streamResponse(request, (disconnected) =>
          app.retryTurn(id, { repeatsSteering: steering === undefined }, disconnected),
        )
      },
      {
        params: idParams(),
        ...jsonBody(
          Type.Object(
            {
              steering: steering(
                'A note to the narrator about this version only; without it, that of the last version is repeated',
              ),
            },
            { examples: [{ steering: 'Keep it short.' }] },
          ),
        ),
        detail: streamed('Retry the newest narration, or reply to the player’s waiting line', ...ERRORS.body),
      },
    )
    .post(
      '/reroll',
      ({ params, request }) =>
        streamResponse(request, (disconnected) => app.rerollTurn(params.id, disconnected)),
      {
        params: idParams(),
        detail: streamed('Throw the dice of the newest turn again, at its price, and retry', 'no_roll'),
      },
    )
    .post(
      '/rewrite',
      ({ params: { id }, body: { parts, how }, request }) =>
        streamResponse(request, (disconnected) =>
          app.rewriteParts(id, { ...findSpans(app, id, parts), how }, disconnected),
        ),
      {
        params: idParams(),
        ...jsonBody(rewriting()),
        detail: streamed(
          'Rewrite parts of the newest narration as a new version; all else stays as it is',
          'not_last',
          ...ERRORS.body,
        ),
      },
    )
    .post('/record', ({ params, request }) => streamResponse(request, () => app.recordAgain(params.id)), {
      params: idParams(),
      detail: streamed('Record the stat changes of the newest narration again', 'no_world_state', 'not_last'),
    })
    .post('/suggestions', ({ params, request }) => app.suggest(params.id, request.signal), {
      params: idParams(),
      response: ok(
        Type.Array(Suggestion),
        'turn_in_progress',
        'line_waiting',
        'provider_error',
        'timeout',
        'empty_reply',
        'prompt_too_large',
        ...ERRORS.change,
      ),
      detail: {
        summary: 'Suggest what the player might do next; the same until the story changes',
        description: 'Any turn of the story goes first, and ends the request with `turn_in_progress`.',
      },
    })
    .post('/stop', ({ params }) => ({ stopped: app.stopTurn(params.id) }), {
      params: idParams(),
      response: ok(Type.Object({ stopped: Type.Boolean() }), ...ERRORS.find),
      detail: { summary: 'Stop the running turn and keep the text so far' },
    })
    .post('/interrupted/keep', ({ params }) => app.keepInterrupted(params.id), {
      params: idParams(),
      response: ok(ActionView, 'turn_in_progress', ...ERRORS.change),
      detail: { summary: 'Keep the interrupted reply of a turn' },
    })
    .delete('/interrupted', ({ params }) => app.discardInterrupted(params.id), {
      params: idParams(),
      ...noContent('Discard the interrupted reply of a turn', 'turn_in_progress', ...ERRORS.change),
    })
    .post('/undo', ({ params }) => app.undoTurn(params.id), {
      params: idParams(),
      response: ok(UndoneTurn, 'nothing_to_undo', 'turn_in_progress', ...ERRORS.change),
      detail: { summary: 'Remove the last turn permanently' },
    })

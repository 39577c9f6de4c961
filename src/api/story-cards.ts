import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import type { Deps } from '../app/deps.ts'
import { cardsOf, changeCard, createCard, moveCard, removeCard, tryCards } from '../app/scenario/story-cards.ts'
import { seenFrom } from '../domain/changed-elsewhere.ts'
import { LIMITS } from '../domain/limits.ts'
import { cardFields } from '../domain/story-card.ts'
import { Text } from '../lib/text.ts'
import { jsonRoutes, sent } from '../http/body.ts'
import { cardOut, idParams, wasFields } from './shapes.ts'

/** Story cards of scenarios and of adventures. */
export const storyCardsApi = (deps: Deps) =>
  jsonRoutes('/api/story-cards', 'Story cards')
    .get('', ({ query }) => cardsOf(deps, query), {
      query: Type.Object({
        scenario_id: Type.Optional(t.Integer()),
        adventure_id: Type.Optional(t.Integer()),
      }),
      response: Type.Array(cardOut()),
      detail: { summary: 'The cards of one scenario or adventure' },
    })
    .post(
      '',
      ({ body, set }) => {
        set.status = 201
        return createCard(deps, body)
      },
      {
        ...sent(
          Type.Composite(
            [
              Type.Partial(cardFields()),
              Type.Object({
                scenario_id: Type.Optional(Type.Integer()),
                adventure_id: Type.Optional(Type.Integer()),
              }),
            ],
            {
              examples: [
                {
                  scenario_id: 1,
                  name: 'The lamp',
                  keys: 'lamp, light',
                  entry: 'It burns only for the honest.',
                },
              ],
            },
          ),
        ),
        response: { 201: cardOut() },
        detail: { summary: 'Make a card; name exactly one owner' },
      },
    )
    .post('/try', ({ body: { text, ...owner } }) => ({ cards: tryCards(deps, owner, text) }), {
      ...sent(
        Type.Object(
          {
            scenario_id: Type.Optional(Type.Integer()),
            adventure_id: Type.Optional(Type.Integer()),
            text: Text(LIMITS.prose),
          },
          { examples: [{ scenario_id: 1, text: 'The bell tower is silent.' }] },
        ),
      ),
      response: Type.Object({ cards: Type.Array(Type.Unknown()) }),
      detail: { summary: 'Which cards a text would call up, by which key and at what cost' },
    })
    .patch(
      '/:id',
      ({ params, body: { was, ...changed } }) => changeCard(deps, params.id, changed, seenFrom(was)),
      {
        params: idParams(),
        ...sent(
          Type.Composite([Type.Partial(cardFields()), wasFields()], {
            examples: [{ keys: 'lamp, lantern' }],
          }),
        ),
        response: cardOut(),
        detail: { summary: 'Change the given fields of a card' },
      },
    )
    .post('/:id/move', ({ params, body }) => moveCard(deps, params.id, body.where), {
      params: idParams(),
      ...sent(
        Type.Object(
          { where: Type.Union([Type.Literal('earlier'), Type.Literal('later')]) },
          { examples: [{ where: 'later' }] },
        ),
      ),
      response: cardOut(),
      detail: { summary: 'Move a card by one place among those of its owner' },
    })
    .delete(
      '/:id',
      ({ params, set }) => {
        removeCard(deps, params.id)
        set.status = 204
      },
      { params: idParams(), detail: { summary: 'Delete a card' } },
    )

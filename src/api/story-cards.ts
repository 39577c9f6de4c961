import { Type } from '@sinclair/typebox'
import type { App } from '../app/app.ts'
import { proposalsOf } from '../app/memory/card-proposals.ts'
import { cardTrial } from '../app/scenario/try-cards.ts'
import { CardProposal } from '../domain/cards/proposals.ts'
import { fieldsUnchanged } from '../domain/edit-conflict.ts'
import { TriggeredCard } from '../domain/prompt/lore-notes.ts'
import { cardFields, StoryCard } from '../domain/story-card.ts'
import { jsonBody, jsonRoutes } from '../http/body.ts'
import { oneOf } from '../lib/typebox.ts'
import { idParams, owner, ownerQuery, proposalParams, wasFields } from './request-params.ts'
import { created, ERRORS, noContent, ok } from './responses.ts'

const lamp = { scenario_id: 1, name: 'The lamp', keys: 'lamp, light', entry: 'It burns only for the honest.' }

const newCard = () => Type.Composite([Type.Partial(cardFields()), owner()], { examples: [lamp] })

const changes = () =>
  Type.Composite([Type.Partial(cardFields()), wasFields(StoryCard)], {
    examples: [{ keys: 'lamp, lantern' }],
  })

const trial = () =>
  Type.Composite([owner(), cardTrial()], {
    examples: [{ scenario_id: 1, text: 'The bell tower is silent.' }],
  })

const direction = () =>
  Type.Object({ where: oneOf(['earlier', 'later']) }, { examples: [{ where: 'later' }] })

export const storyCardsApi = (app: App) =>
  jsonRoutes('/api/story-cards', 'Story cards')
    .get('', ({ query }) => app.cardsOf(query), {
      query: ownerQuery(),
      response: ok(Type.Array(StoryCard), ...ERRORS.find),
      detail: { summary: 'List the cards of one scenario or adventure' },
    })
    .post('', ({ body }) => app.createCard(body), {
      ...jsonBody(newCard()),
      ...created(StoryCard, 'not_found', ...ERRORS.body, ...ERRORS.save),
      detail: { summary: 'Create a card; name exactly one owner' },
    })
    .post('/try', ({ body }) => ({ cards: app.tryCards(body) }), {
      ...jsonBody(trial()),
      response: ok(Type.Object({ cards: Type.Array(TriggeredCard) }), 'not_found', ...ERRORS.body),
      detail: {
        summary: 'Test which cards a text triggers, by which key and at what cost, with any stats',
      },
    })
    .patch(
      '/:id',
      ({ params, body: { was, ...changed } }) => app.changeCard(params.id, changed, fieldsUnchanged(was)),
      {
        params: idParams(),
        ...jsonBody(changes()),
        response: ok(StoryCard, 'changed_elsewhere', ...ERRORS.edit),
        detail: { summary: 'Change some fields of a card' },
      },
    )
    .post('/:id/move', ({ params, body }) => app.moveCard(params.id, body.where), {
      params: idParams(),
      ...jsonBody(direction()),
      response: ok(StoryCard, ...ERRORS.edit),
      detail: { summary: 'Move a card one position earlier or later in its list' },
    })
    .delete('/:id', ({ params }) => app.removeCard(params.id), {
      params: idParams(),
      ...noContent('Delete a card', ...ERRORS.change),
    })

const edited = () =>
  Type.Partial(Type.Pick(cardFields(), ['name', 'keys', 'entry']), {
    examples: [{ entry: 'She keeps the ferry.' }],
  })

export const cardProposalsApi = (app: App) =>
  jsonRoutes('/api/adventures/:id/card-proposals', 'Story cards')
    .get('', ({ params }) => proposalsOf(app.reader, params.id), {
      params: idParams(),
      response: ok(Type.Array(CardProposal), ...ERRORS.find),
      detail: { summary: 'List the story cards that the model proposes, in the order of the story' },
    })
    .post('/:proposal/accept', ({ params, body }) => app.acceptProposal(params.id, params.proposal, body), {
      params: proposalParams(),
      ...jsonBody(edited()),
      response: ok(StoryCard, ...ERRORS.edit),
      detail: {
        summary: 'Accept a proposed card, or an addition to one, as it is or in other words; get the card',
      },
    })
    .post('/:proposal/decline', ({ params }) => app.declineProposal(params.id, params.proposal), {
      params: proposalParams(),
      ...noContent('Decline a proposed card, for good', ...ERRORS.change),
    })

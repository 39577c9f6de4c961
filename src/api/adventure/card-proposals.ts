import { Type } from '@sinclair/typebox'
import type { App } from '../../app/app.ts'
import { proposalsOf } from '../../app/memory/card-proposals.ts'
import { CardProposal } from '../../domain/cards/proposals.ts'
import { cardFields, StoryCard } from '../../domain/story-card.ts'
import { jsonBody, jsonRoutes } from '../../http/body.ts'
import { idParams, proposalParams } from '../request-params.ts'
import { ERRORS, noContent, ok } from '../responses.ts'

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

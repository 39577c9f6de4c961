import type { CardProposal } from '../../domain/cards/proposals.ts'
import { LIMITS } from '../../domain/limits.ts'
import { panelForm } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { Field } from '../ui/field.tsx'
import { passageUrl, storyUrl } from '../urls.ts'

interface CardProposalsProps {
  adventureId: number
  proposals: readonly CardProposal[]
}

export function CardProposals({ adventureId, proposals }: CardProposalsProps): Markup {
  return (
    <>
      <h3>Proposed story cards</h3>
      <ul class="memories">
        {proposals.map((proposal) => (
          <Proposal adventureId={adventureId} proposal={proposal} />
        ))}
      </ul>
    </>
  )
}

function Proposal({ adventureId, proposal }: { adventureId: number; proposal: CardProposal }): Markup {
  const { id, name, keys, entry, quote, passage, action_id, card_id } = proposal
  const scope = `proposal-${id}-`
  return (
    <li>
      <form
        {...panelForm(`${storyUrl(adventureId)}/card-proposals/${id}`)}
        aria-label={`Proposed card ${name}`}
      >
        <p>
          {card_id === null ? 'New card' : 'Addition to the card'} <strong dir="auto">{name}</strong>
        </p>
        <p dir="auto">{entry}</p>
        <p class="about">
          From <a href={passageUrl({ id: action_id, adventure_id: adventureId })}>passage {passage}</a>:{' '}
          <q dir="auto">{quote}</q>
        </p>
        <details>
          <summary>Edit</summary>
          {card_id === null ? (
            <Field label="Name" name="name" value={name} limit={LIMITS.name} scope={scope} />
          ) : null}
          <Field
            label="Triggers, separated by commas"
            name="keys"
            value={keys}
            limit={LIMITS.prose}
            scope={scope}
          />
          <Field
            label={card_id === null ? 'Entry' : 'What is added to the entry'}
            name="entry"
            value={entry}
            rows={3}
            limit={LIMITS.prose}
            scope={scope}
          />
        </details>
        <p class="row">
          <button type="submit" name="do" value="accept">
            Accept
          </button>
          <button type="submit" name="do" value="decline">
            Decline
          </button>
        </p>
      </form>
    </li>
  )
}

import { type CardFields, EMPTY_CARD, type StoryCard } from '../domain/story-card.ts'
import { Field } from './field.tsx'
import type { Markup } from './jsx/jsx-runtime.ts'

type Owner = { scenario_id: number } | { adventure_id: number }

/** The cards of a scenario or story, each open to its author, and a blank one at the end. */
export function CardEditors({ cards, owner }: { cards: StoryCard[]; owner: Owner }): Markup {
  return (
    <div class="card-editors">
      {cards.map((card) => (
        <details>
          <summary>
            {card.name || 'A card without a name'} <span class="about">{card.keys}</span>
          </summary>
          <CardForm action={`/story-cards/${card.id}`} card={card} deed="Save the card" owner={owner} />
          <form method="post" action={`/story-cards/${card.id}/delete`}>
            <button type="submit" class="danger">
              Delete “{card.name || 'this card'}”
            </button>
          </form>
        </details>
      ))}
      <details>
        <summary>Add a card</summary>
        <CardForm action="/story-cards" card={EMPTY_CARD} deed="Add the card" owner={owner} />
      </details>
    </div>
  )
}

function CardForm({
  action,
  card,
  deed,
  owner,
}: {
  action: string
  card: CardFields
  deed: string
  owner: Owner
}): Markup {
  const [ownerName = '', ownerId = 0] = Object.entries(owner)[0] ?? []
  return (
    <form method="post" action={action}>
      <input type="hidden" name={ownerName} value={String(ownerId)} />
      <Field label="Name" name="name" value={card.name} />
      <Field
        label="Kind"
        name="type"
        value={card.type}
        hint="For example character, place or custom. For yourself only."
      />
      <Field
        label="Triggers"
        name="keys"
        value={card.keys}
        hint="Words that call the card up, separated by commas."
      />
      <Field label="Entry" name="entry" value={card.entry} rows={3} hint="What the model is told then." />
      <Field label="Notes" name="notes" value={card.notes} rows={2} hint="For yourself only." />
      <button type="submit">{deed}</button>
    </form>
  )
}

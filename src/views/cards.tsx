import type { CalledCard } from '../domain/prompt/called.ts'
import { type CardFields, EMPTY_CARD, type StoryCard } from '../domain/story-card.ts'
import { Field } from './field.tsx'
import type { Markup } from './jsx/jsx-runtime.ts'

type Owner = { scenario_id: number } | { adventure_id: number }

/** A text that was tried on the cards, and what it called up. */
export interface TriedText {
  text: string
  cards: CalledCard[]
}

const REASONS: Record<CalledCard['reason'], string> = {
  shown: 'would be told',
  'already shown': 'stands there already',
  'no room': 'left out: no room',
  forbidden: 'kept away',
}

/** What a text calls up: by which word, at what cost, and what is squeezed out. */
export function Tried({ tried }: { tried: TriedText | undefined }): Markup {
  if (!tried) return <div id="tried" role="status" />
  return (
    <div id="tried" role="status">
      {tried.cards.length === 0 ? <p>It calls up nothing.</p> : null}
      <ul>
        {tried.cards.map((card) => (
          <li>
            {card.name || 'A card without a name'}, by “{card.keyword}”: {REASONS[card.reason]}
            {card.blocked ? ` by “${card.blocked}”` : null}
            {card.tokens > 0 ? `, about ${card.tokens} tokens` : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The cards of a scenario or story, each open to its author, and a blank one at the end. */
export function CardEditors({
  cards,
  owner,
  tried,
}: {
  cards: StoryCard[]
  owner: Owner
  tried?: TriedText | undefined
}): Markup {
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
      <details open={tried !== undefined}>
        <summary>Try the triggers</summary>
        <form
          method="post"
          action="/story-cards/try"
          hx-post="/story-cards/try"
          hx-target="#tried"
          hx-swap="outerHTML"
        >
          {Object.entries(owner).map(([name, id]) => (
            <input type="hidden" name={name} value={String(id)} />
          ))}
          <Field label="Paste some of the story" name="text" value={tried?.text ?? ''} rows={3} />
          <button type="submit">See what it calls up</button>
        </form>
        <Tried tried={tried} />
      </details>
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
        hint="Words that call the card up, separated by commas: boat also finds boats. =boat finds the whole word alone, *boat finds it inside others, -boat keeps the card away, /b(o|u)y/ is a pattern."
      />
      <Field label="Entry" name="entry" value={card.entry} rows={3} hint="What the model is told then." />
      <Field label="Notes" name="notes" value={card.notes} rows={2} hint="For yourself only." />
      <button type="submit">{deed}</button>
    </form>
  )
}

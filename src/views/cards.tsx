import { duplicatesIn } from '../domain/cards/duplicates.ts'
import { type CardView, cardsInView, kindsOf } from './cards/card-filter.ts'
import type { StoryError } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import type { CalledCard } from '../domain/prompt/called.ts'
import { estimateTokens } from '../domain/prompt/tokens.ts'
import type { CardFields, StoryCard } from '../domain/story-card.ts'
import { amount } from './ui/format-number.ts'
import type { Fields } from './respond.tsx'
import { Field } from './ui/field.tsx'
import type { Markup } from './jsx/jsx-runtime.ts'
import { KeptField, type KeptText } from './kept-field.tsx'

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
            {card.tokens > 0 ? `, about ${amount(card.tokens)} tokens` : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The texts of a card, in the order of its form. */
export const CARD_TEXTS: (KeptText & { name: keyof CardFields })[] = [
  { name: 'name', label: 'Name', limit: LIMITS.name },
  {
    name: 'type',
    label: 'Kind',
    hint: 'For example character, place or custom. For yourself only.',
    limit: LIMITS.cardType,
  },
  {
    name: 'keys',
    label: 'Triggers',
    hint: 'Words that call the card up, separated by commas: boat also finds boats. =boat finds the whole word alone, *boat finds it inside others, -boat keeps the card away, /b(o|u)y/ is a pattern.',
  },
  { name: 'entry', label: 'Entry', rows: 3, hint: 'What the model is told then.', isTold: true },
  { name: 'notes', label: 'Notes', rows: 2, hint: 'For yourself only.' },
]

/** What tells the fields of one card from those of another. */
export const cardScope = (id: number) => `card-${id}-`

interface CardsProps {
  cards: StoryCard[]
  owner: Owner
  /** How they are looked at; without it all are shown, and nothing is asked. */
  view?: CardView | undefined
  /** What was typed and not taken, and why; `card` is the id of the card that it was meant for. */
  typed?: Fields | undefined
  fault?: StoryError | undefined
}

/** The cards of a scenario or story, each open to its author, and a blank one at the end. */
export function CardEditors({ tried, ...props }: CardsProps & { tried?: TriedText | undefined }): Markup {
  const { cards, owner, view, typed } = props
  return (
    <div class="card-editors">
      {cards.length === 0 ? (
        <p class="about">
          A card tells the model about a person, a place or a thing when the story comes to it. There is none
          yet.
        </p>
      ) : null}
      {view && cards.length > 1 ? <ViewForm cards={cards} owner={owner} view={view} /> : null}
      <CardList {...props} />
      <details open={tried !== undefined}>
        <summary>Try the triggers</summary>
        <form
          method="post"
          action="/story-cards/try#tried"
          hx-post="/story-cards/try"
          hx-target="#tried"
          hx-swap="outerHTML"
        >
          <OwnerField owner={owner} />
          <Field label="Paste some of the story" name="text" value={tried?.text ?? ''} rows={3} />
          <button type="submit">See what it calls up</button>
        </form>
        <Tried tried={tried} />
      </details>
      <details open={typed !== undefined && typed.card === undefined}>
        <summary>Add a card</summary>
        <form method="post" action="/story-cards">
          <OwnerField owner={owner} />
          {CARD_TEXTS.map(({ isTold: _, ...text }) => (
            <Field
              {...text}
              scope="card-new-"
              value={typed?.card === undefined ? (typed?.[text.name] ?? '') : ''}
            />
          ))}
          <button type="submit">Add the card</button>
        </form>
      </details>
    </div>
  )
}

/** What is looked for among many cards. A script asks with every pause; without one there is a button. */
function ViewForm({ cards, owner, view }: { cards: StoryCard[]; owner: Owner; view: CardView }): Markup {
  const path =
    'scenario_id' in owner ? `/scenarios/${owner.scenario_id}` : `/adventures/${owner.adventure_id}`
  const option = (value: string, words: string, chosen: string) => (
    <option value={value} selected={value === chosen}>
      {words}
    </option>
  )
  return (
    <form
      class="row view"
      method="get"
      action={`${path}#part-cards`}
      hx-get={path}
      hx-select="#card-list"
      hx-target="#card-list"
      hx-swap="outerHTML"
      hx-trigger="input delay:300ms, submit"
    >
      <input
        type="hidden"
        name={'scenario_id' in owner ? 'open' : 'panel'}
        value={'scenario_id' in owner ? 'cards' : 'plot'}
      />
      <label>
        Find
        <input type="search" name="find" value={view.find} />
      </label>
      <label>
        Kind
        <select name="kind">
          {option('', 'All', view.kind)}
          {kindsOf(cards).map((kind) => option(kind, kind, view.kind))}
        </select>
      </label>
      <label>
        Order
        <select name="order">
          {option('own', 'As you put them', view.order)}
          {option('name', 'By name', view.order)}
          {option('kind', 'By kind', view.order)}
        </select>
      </label>
      <button type="submit">Show</button>
    </form>
  )
}

function CardList({ cards, view, typed, fault }: CardsProps): Markup {
  const shown = view ? cardsInView(cards, view) : cards
  const remarks = duplicatesIn(cards)
  // Where only some are shown, the one before is not the one that is seen.
  const canMove =
    shown.length > 1 && shown.every((card, i) => card === cards[i]) && shown.length === cards.length
  return (
    <div id="card-list">
      {shown.length < cards.length ? (
        <p class="about" role="status">
          {shown.length} of {cards.length} cards
        </p>
      ) : null}
      {shown.map((card, i) => (
        <CardEditor
          card={card}
          remarks={remarks.get(card.id) ?? []}
          moves={canMove ? [...(i > 0 ? EARLIER : []), ...(i < shown.length - 1 ? LATER : [])] : []}
          typed={typed?.card === String(card.id) ? typed : undefined}
          fault={fault}
        />
      ))}
    </div>
  )
}

const EARLIER = [['earlier', 'Move up']] as const
const LATER = [['later', 'Move down']] as const

function CardEditor({
  card,
  remarks,
  moves,
  typed,
  fault,
}: {
  card: StoryCard
  remarks: string[]
  moves: (readonly [where: string, words: string])[]
  typed: Fields | undefined
  fault: StoryError | undefined
}): Markup {
  const action = `/story-cards/${card.id}`
  const name = card.name || 'A card without a name'
  const tokens = estimateTokens(card.entry)
  return (
    <details id={`card-${card.id}`} open={typed !== undefined}>
      <summary>
        {name}{' '}
        <span class="about">
          {[card.type, card.keys, tokens > 0 ? `about ${amount(tokens)} tokens` : '']
            .filter(Boolean)
            .join(' · ')}
        </span>
        {remarks.length > 0 ? <span class="twin"> · shares a name or trigger</span> : null}
      </summary>
      {remarks.map((remark) => (
        <p class="twin">{remark}</p>
      ))}
      <form method="post" action={action} x-data="kept" x-on:input="typing">
        {CARD_TEXTS.map((text) => (
          <KeptField
            text={text}
            action={action}
            scope={cardScope(card.id)}
            stored={card[text.name]}
            typed={typed}
            fault={fault}
          />
        ))}
        <button type="submit">Save the card</button>
      </form>
      <div class="row">
        {moves.map(([where, words]) => (
          <form method="post" action={`${action}/move`}>
            <button type="submit" name="where" value={where} aria-label={`${words}: ${name}`}>
              {words}
            </button>
          </form>
        ))}
        <form method="post" action={`${action}/delete`}>
          <button type="submit" class="danger">
            Delete “{card.name || 'this card'}”
          </button>
        </form>
      </div>
    </details>
  )
}

function OwnerField({ owner }: { owner: Owner }): Markup {
  const [name = '', id = 0] = Object.entries(owner)[0] ?? []
  return <input type="hidden" name={name} value={String(id)} />
}

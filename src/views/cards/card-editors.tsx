import type { TrialStart } from '../../app/scenario/try-cards.ts'
import type { CardOwner } from '../../db/tables/story-cards.ts'
import { duplicatesIn } from '../../domain/cards/duplicates.ts'
import { isDisabled, NEVER, splitKeys } from '../../domain/cards/keys.ts'
import { type Check, readChecks } from '../../domain/checks/check.ts'
import { LIMITS } from '../../domain/limits.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'
import { isBlankCard, type StoryCard, UNUSED_TURNS } from '../../domain/story-card.ts'
import { timingLinter } from '../../domain/timing/timing-lint.ts'
import { readRules } from '../../domain/world/rules.ts'
import type { StatSchema } from '../../domain/world/state.ts'
import { panelForm, regionFrom } from '../form-attributes.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import {
  type AutosavedForm,
  AutosaveField,
  AutosaveForm,
  type AutosaveText,
  type Refused,
} from '../ui/autosave-form.tsx'
import { Select } from '../ui/field.tsx'
import { formatNumber } from '../ui/format-number.ts'
import { cardUrl, editorUrl } from '../urls.ts'
import { type CardFilter, filterCards, kindsOf } from './card-filter.ts'
import { cardScope, TIMING, TimingFields, TimingMark, TimingSubjects } from './timing-form.tsx'
import { UNNAMED } from './triggered-cards.tsx'
import { type CardTest, OwnerField, TryCards } from './try-cards.tsx'

const CARD_TEXTS: AutosaveText[] = [
  { name: 'name', label: 'Name', limit: LIMITS.name },
  {
    name: 'type',
    label: 'Type',
    hint: 'For example character, location or item. Never sent to the model.',
    limit: LIMITS.cardType,
  },
  {
    name: 'keys',
    label: 'Triggers',
    hint: 'Words that trigger the card, separated by commas; a comma inside one is written “\\,”. “boat” also matches “boats”, “=boat” only that word, and “*boat” also parts of words. “-boat” blocks the card. Of the words with “+”, such as “+pier”, one must occur as well; those with “++” all must, and those with “--” block the card only together. /b(o|u)y/ is a regular expression. “*” alone always includes the card.',
  },
  { name: 'entry', label: 'Entry', rows: 3, hint: 'Text added to the prompt when triggered.', isSent: true },
  { name: 'notes', label: 'Private notes', rows: 2, hint: 'Never sent to the model.' },
]

/** `card` in a refused form is the id of its card. */
interface CardsProps extends Refused {
  cards: StoryCard[]
  /** The ids of those that no prompt was given in the last turns. */
  unused: ReadonlySet<number>
  owner: CardOwner
  schema: StatSchema | null
  start: TrialStart
  /** The filter of a scenario's cards; a story shows all of its cards. */
  filter?: CardFilter | undefined
}

export function CardEditors({ tried, ...props }: CardsProps & { tried?: CardTest | undefined }): Markup {
  const { cards, owner, filter, start } = props
  const rules = readRules(props.schema)
  return (
    <div class="card-editors">
      {cards.length === 0 ? (
        <p class="about">
          No cards yet. A card tells the model about a person, place or thing when the story mentions it.
        </p>
      ) : null}
      {filter && 'scenario_id' in owner && cards.length > 1 ? (
        <FilterForm cards={cards} scenarioId={owner.scenario_id} filter={filter} />
      ) : null}
      <TimingSubjects rules={rules} cards={cards} />
      <CardList {...props} />
      <form {...ownerForm(owner, '/story-cards')}>
        <OwnerField owner={owner} />
        <button type="submit">New card</button>
      </form>
      <TryCards owner={owner} rules={rules} start={start} tried={tried} />
    </div>
  )
}

const ORDERS = [
  ['own', 'Custom order'],
  ['name', 'Name'],
  ['kind', 'Type'],
] as const

interface FilterFormProps {
  cards: StoryCard[]
  scenarioId: number
  filter: CardFilter
}

/** With script the list follows the typing. */
function FilterForm({ cards, scenarioId, filter }: FilterFormProps): Markup {
  const path = editorUrl(scenarioId, 'cards')
  const kinds = kindsOf(cards).map((kind) => [kind, kind] as const)
  return (
    <form
      class="row view"
      method="get"
      action={path}
      {...regionFrom(path, '#card-list')}
      hx-trigger="input delay:300ms, submit"
    >
      <input type="hidden" name="tab" value="cards" />
      <label>
        Find
        <input type="search" dir="auto" translate="no" name="find" value={filter.find} />
      </label>
      <label>
        Type
        <Select name="kind" options={[['', 'All'], ...kinds]} chosen={filter.kind} />
      </label>
      <label>
        Sort by
        <Select name="order" options={ORDERS} chosen={filter.order} />
      </label>
      <button type="submit">Apply</button>
    </form>
  )
}

function CardList({ cards, unused, schema, filter, typed, fault }: CardsProps): Markup {
  const shown = filter ? filterCards(cards, filter) : cards
  const left = shown.filter(({ id, keys }) => unused.has(id) && !isDisabled(keys))
  const remarks = duplicatesIn(cards)
  const lint = timingLinter(schema, cards)
  const checks = readChecks(schema)
  // In a filtered or sorted list "up" would not mean the card above.
  const canMove = shown.length === cards.length && shown.every((card, i) => card === cards[i])
  const movesAt = (i: number) => [...(i > 0 ? [UP] : []), ...(i < shown.length - 1 ? [DOWN] : [])]
  return (
    <div id="card-list">
      {shown.length < cards.length ? (
        <p class="about" role="status">
          {shown.length} of {cards.length} cards
        </p>
      ) : null}
      {left.length > 0 ? <UnusedCards cards={left} /> : null}
      {shown.map((card, i) => (
        <CardEditor
          card={card}
          remarks={remarks.get(card.id) ?? []}
          timingRemarks={lint(card)}
          checks={checks}
          moves={canMove ? movesAt(i) : []}
          refused={typed?.card === String(card.id) ? { typed, fault } : {}}
        />
      ))}
    </div>
  )
}

const MAX_NAMES = 20

function UnusedCards({ cards }: Pick<CardsProps, 'cards'>): Markup {
  const names = cards.slice(0, MAX_NAMES).map(({ name }) => name || UNNAMED)
  const more = cards.length > MAX_NAMES ? ` and ${cards.length - MAX_NAMES} more` : ''
  return (
    <p class="about">
      Not added to a prompt in the last {UNUSED_TURNS} turns: <span dir="auto">{names.join(', ')}</span>
      {more}.
    </p>
  )
}

type Move = readonly [where: string, label: string]
const UP: Move = ['earlier', 'Move up']
const DOWN: Move = ['later', 'Move down']

interface CardEditorProps {
  card: StoryCard
  remarks: string[]
  timingRemarks: string[]
  checks: readonly Check[]
  moves: Move[]
  refused: Refused
}

/** The page opens what its address points into, so that a card that was saved stays open. */
export function cardForm(card: StoryCard): AutosavedForm {
  return {
    id: `card-${card.id}`,
    action: `/story-cards/${card.id}`,
    page: cardUrl(card),
    texts: [...CARD_TEXTS, TIMING],
    stored: { timing: null, ...card },
  }
}

function CardEditor({ card, remarks, timingRemarks, checks, moves, refused }: CardEditorProps): Markup {
  const form = cardForm(card)
  const { typed } = refused
  return (
    <details open={typed !== undefined || isBlankCard(card)}>
      <summary>
        <CardTitle card={card} /> <span class="about">{summaryOf(card)}</span>
        {remarks.length > 0 ? <span class="twin"> · shares a name or trigger</span> : null}
        <TimingMark card={card} remarks={timingRemarks} />
      </summary>
      {remarks.map((remark) => (
        <p class="twin">{remark}</p>
      ))}
      <AutosaveForm form={form} button="Save card" {...refused}>
        {CARD_TEXTS.map((text) => (
          <AutosaveField
            form={form}
            text={text.name === 'name' && isBlankCard(card) ? { ...text, more: { autofocus: '' } } : text}
            typed={typed}
          />
        ))}
        <TimingFields card={card} checks={checks} remarks={timingRemarks} typed={typed} />
      </AutosaveForm>
      <CardButtons card={card} moves={moves} />
    </details>
  )
}

/** The name in the summary of a card; it follows the field. */
export function CardTitle({
  card: { id, name },
  isOutOfBand = false,
}: {
  card: StoryCard
  isOutOfBand?: boolean
}): Markup {
  return (
    <span dir="auto" id={`${cardScope(id)}title`} hx-swap-oob={isOutOfBand ? 'true' : undefined}>
      {name || UNNAMED}
    </span>
  )
}

function CardButtons({ card, moves }: Pick<CardEditorProps, 'card' | 'moves'>): Markup {
  const action = `/story-cards/${card.id}`
  return (
    <div class="row">
      {moves.map(([where, label]) => (
        <form {...ownerForm(card, `${action}/move`)}>
          <button type="submit" name="where" value={where} aria-label={`${label}: ${card.name || UNNAMED}`}>
            {label}
          </button>
        </form>
      ))}
      <form {...ownerForm(card, `${action}/delete`)}>
        <button type="submit" class="danger">
          Delete {card.name ? `“${card.name}”` : 'this card'}
        </button>
      </form>
    </div>
  )
}

function summaryOf({ type, keys, entry }: StoryCard): string {
  const tokens = estimateTokens(entry)
  const triggers = splitKeys(keys).filter((key) => key !== NEVER)
  return [
    isDisabled(keys) ? 'off' : '',
    type,
    triggers.join(', '),
    tokens > 0 ? `about ${formatNumber(tokens)} tokens` : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The cards of a story are in a panel, those of a scenario on its page. */
function ownerForm(of: CardOwner | StoryCard, action: string): Record<string, string> {
  return 'adventure_id' in of && of.adventure_id !== null ? panelForm(action) : { method: 'post', action }
}

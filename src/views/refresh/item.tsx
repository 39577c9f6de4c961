import type { RefreshItem, RefreshPlan } from '../../domain/refresh/plan.ts'
import type { PlotField } from '../../domain/scenario.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { timingWords } from '../../domain/timing/timing-words.ts'
import { isObject, objectIn } from '../../lib/objects.ts'
import type { Child, Markup } from '../jsx/jsx-runtime.ts'
import { TextDiff } from '../ui/diff/text-diff.tsx'

interface ItemProps {
  item: RefreshItem
  plan: RefreshPlan
  isTaken: boolean
}

/** One change: what it is, what it does to the story, and whether it is applied. */
export function Item({ item, plan, isTaken }: ItemProps): Markup {
  const { ref } = item
  return (
    <li>
      <input type="hidden" name={`item:${ref}`} value="1" />
      <label class="check">
        <input type="checkbox" name={`take:${ref}`} value="1" checked={isTaken} />
        <span>
          <strong>{titleOf(item)}</strong> <span class="about">{changeOf(item)}</span>
        </span>
      </label>
      <div class="about-item">{detailsOf(item, plan)}</div>
    </li>
  )
}

const FIELDS: Record<PlotField, string> = {
  memory: 'Plot essentials',
  authors_note: 'Author’s note',
  ai_instructions: 'AI instructions',
  example_dialogue: 'Example dialogue',
}

function titleOf(item: RefreshItem): string {
  if (item.kind === 'field') return FIELDS[item.name]
  return item.name.trim() === '' ? 'Unnamed card' : item.name
}

function changeOf({ kind, old, new: next }: RefreshItem): string {
  const what = KINDS[kind]
  if (old === null) return `new ${what}`
  return next === null ? `${what}, removed` : `${what}, changed`
}

const KINDS: Record<RefreshItem['kind'], string> = {
  field: 'text',
  card: 'card',
  stat: 'stat',
  flag: 'flag',
  milestone: 'milestone',
  npc: 'character',
  check: 'check',
  world: 'stats and flags',
}

function detailsOf(item: RefreshItem, plan: RefreshPlan): Child {
  if (item.kind === 'field') return <TextDiff old={item.old} next={item.new} />
  if (item.kind === 'card') return <CardChanges {...item} />
  return <CountedChanges item={item} plan={plan} />
}

const CARD_FIELDS = [
  ['name', 'Name'],
  ['type', 'Type'],
  ['keys', 'Triggers'],
  ['entry', 'Entry'],
  ['notes', 'Private notes'],
  ['timing', 'When and how often'],
] as const

type CardField = (typeof CARD_FIELDS)[number][0]

function CardChanges({ old, new: next }: { old: CardFields | null; new: CardFields | null }): Markup {
  const text = (card: CardFields | null, name: CardField) =>
    name === 'timing' ? timingWords(card?.timing ?? null) : (card?.[name] ?? '')
  // The name of an added or removed card is in its heading.
  const isShown = (name: CardField) => name !== 'name' || (old !== null && next !== null)
  const fields = CARD_FIELDS.filter(([name]) => isShown(name) && text(old, name) !== text(next, name))
  return (
    <dl>
      {fields.map(([name, label]) => (
        <>
          <dt>{label}</dt>
          <dd>
            <TextDiff old={text(old, name)} next={text(next, name)} />
          </dd>
        </>
      ))}
    </dl>
  )
}

type CountedItem = Extract<RefreshItem, { kind: 'stat' | 'flag' | 'milestone' | 'npc' | 'check' | 'world' }>

/** What happens to the current value, and how the definition differs. */
function CountedChanges({ item, plan }: { item: CountedItem; plan: RefreshPlan }): Markup {
  const path = item.ref.replace(/^world:/, '')
  const definitions = plan.world_state.changed.filter((one) => one.path === path && !FITTED.has(one.what))
  return (
    <>
      <p>{fateOf(item)}</p>
      {definitions.length > 0 ? (
        <dl>
          {definitions.map(({ what, old, new: next }) => (
            <>
              <dt>{WORDS[what] ?? what.replaceAll('_', ' ')}</dt>
              <dd>
                <TextDiff old={shown(old)} next={shown(next)} />
              </dd>
            </>
          ))}
        </dl>
      ) : null}
    </>
  )
}

/** Changes of a value, not of a definition. */
const FITTED = new Set(['range', 'length', 'option', 'kind'])

/** The labels of the stats form. */
const WORDS: Record<string, string> = {
  type: 'Type',
  initial: 'Start',
  min: 'Min',
  max: 'Max',
  max_delta_per_turn: 'Max change per turn',
  max_gain_per_turn: 'Max gain per turn',
  max_loss_per_turn: 'Max loss per turn',
  cooldown: 'Cooldown, in passages',
  bands: 'Labels by range',
  desc: 'Description',
  max_length: 'Max length',
  options: 'Allowed values',
  hidden: 'Hidden from the model',
  dice: 'Dice',
  stat: 'Added to the dice',
  difficulties: 'Difficulties',
  outcomes: 'Outcomes',
  reroll: 'Cost of rolling again',
  player_picks_difficulty: 'The player picks the difficulty',
  label: 'Display name',
  name: 'Name',
  keys: 'Aliases',
}

function fateOf({ kind, old, new: next }: CountedItem): string {
  if (kind === 'world') return 'The scenario no longer has stats: every value is removed.'
  if (kind === 'milestone') return milestoneFate(old?.value, next !== null)
  if (kind === 'npc') return npcFate(old, next)
  if (kind === 'check') return checkFate(old !== null, next !== null)
  const [was, is] = [valueWords(old?.value), valueWords(next?.value)]
  if (next === null)
    return was === '' || was === EMPTY ? 'It is removed.' : `It is removed. Its value was ${was}.`
  if (old === null || was === '') return startWords(next.value)
  return was === is ? `Its value stays: ${is}.` : `Its value changes from ${was} to ${is}.`
}

function startWords(value: unknown): string {
  const [words, verb] = [valueWords(value), typeof value === 'number' ? 'starts at' : 'starts as']
  return words === EMPTY ? 'It starts empty.' : `It ${verb} ${words}.`
}

function checkFate(wasThere: boolean, stays: boolean): string {
  if (!stays) return 'It can no longer be tried.'
  return wasThere ? 'The new rules apply from now on.' : 'It can be tried from now on.'
}

function milestoneFate(entry: unknown, stays: boolean): string {
  const isReached = entry === true || (isObject(entry) && entry.reached === true)
  if (!isReached) return stays ? 'It is not reached yet.' : 'It was not reached.'
  return stays ? 'It stays reached.' : 'It was reached; that is removed too.'
}

function npcFate(old: CountedItem['old'], next: CountedItem['new']): string {
  if (old === null) {
    const begin = listed(objectIn(next, 'value'))
    return begin === '' ? 'No stats.' : `Starts with ${begin}.`
  }
  if (next !== null) return 'Their stats are listed separately.'
  const had = listed(objectIn(old, 'value'))
  return had === '' ? 'They had no stats.' : `Their stats are removed: ${had}.`
}

function listed(values: Record<string, unknown>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${valueWords(value)}`)
    .join(', ')
}

/** A text without letters. */
const EMPTY = 'empty'

function valueWords(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? (value === '' ? EMPTY : `“${value}”`) : String(value)
}

/** A value of a definition, for reading. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (!Array.isArray(value)) return isObject(value) ? JSON.stringify(value) : String(value)
  return value.map((one) => (Array.isArray(one) ? `${one[0]} to ${one[1]} ${one[2]}` : shown(one))).join('\n')
}

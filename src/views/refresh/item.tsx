import type { RefreshItem, RefreshPlan } from '../../domain/refresh/plan.ts'
import type { CardFields } from '../../domain/story-card.ts'
import { timingWords } from '../../domain/timing/timing-words.ts'
import { isObject } from '../../lib/objects.ts'
import type { Markup } from '../jsx/jsx-runtime.ts'
import { GUIDANCE, PLOT_ESSENTIALS } from '../ui/plot-fields.ts'

interface ItemProps {
  item: RefreshItem
  plan: RefreshPlan
  isTaken: boolean
}

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
      <div class="about-item">
        {rowsOf(item, plan).map(([label, old, next]) => (
          <>
            {label === '' ? null : <h3>{label}</h3>}
            <dl>
              <Side label="Now" text={old} />
              <Side label="New" text={next} />
            </dl>
          </>
        ))}
      </div>
    </li>
  )
}

function Side({ label, text }: { label: string; text: string }): Markup | null {
  if (text === '') return null
  return (
    <>
      <dt>{label}</dt>
      <dd dir="auto" translate="no">
        {text}
      </dd>
    </>
  )
}

function titleOf({ kind, name }: RefreshItem): string {
  if (kind === 'field')
    return [PLOT_ESSENTIALS, ...GUIDANCE].find((text) => text.name === name)?.label ?? name
  return name.trim() === '' ? 'Unnamed card' : name
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
  world: 'every value',
}

/** '' for a value that is not there. */
type Row = [label: string, old: string, next: string]

function rowsOf(item: RefreshItem, plan: RefreshPlan): Row[] {
  const rows = item.kind === 'field' ? [['', item.old, item.new] as Row] : rowsInside(item, plan)
  return rows.filter(([, old, next]) => old !== next)
}

function rowsInside(item: Exclude<RefreshItem, { kind: 'field' }>, plan: RefreshPlan): Row[] {
  if (item.kind === 'card')
    return CARD_FIELDS.map(([name, label]) => [label, cardText(item.old, name), cardText(item.new, name)])
  const path = item.ref.replace(/^world:/, '')
  const definitions = plan.world_state.changed.filter((one) => one.path === path && !FITTED.has(one.what))
  return [
    ['Value', shown(item.old?.value), shown(item.new?.value)],
    ...definitions.map(
      ({ what, old, new: next }): Row => [what.replaceAll('_', ' '), shown(old), shown(next)],
    ),
  ]
}

/** Changes of a value, not of a definition. */
const FITTED = new Set(['range', 'length', 'option', 'kind'])

const CARD_FIELDS = [
  ['name', 'Name'],
  ['type', 'Type'],
  ['keys', 'Triggers'],
  ['entry', 'Entry'],
  ['notes', 'Private notes'],
  ['timing', 'When and how often'],
] as const

function cardText(card: CardFields | null, name: (typeof CARD_FIELDS)[number][0]): string {
  return name === 'timing' ? timingWords(card?.timing ?? null) : (card?.[name] ?? '')
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value))
    return value.map((one) => (Array.isArray(one) ? one.join(' ') : shown(one))).join('\n')
  if (!isObject(value)) return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name.replaceAll('_', ' ')}: ${shown(one)}`)
    .join(', ')
}

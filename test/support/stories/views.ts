import { whyNothing } from './recorder-model.ts'
import { type Model, rounded, type Verdict } from './referee-model.ts'
import { newest, type Passage, type Story, textOf, type Why } from './story-model.ts'

/** The story in the service (actual) and in the model (expected), in one form that can be compared. */

type Fields = Record<string, unknown>

/** A value by its path, with the turn that last changed it and, for a milestone, the turn that reached it. */
type Flat = Record<string, { value: unknown; last?: unknown; at?: unknown }>

export function flatModel(model: Model): Flat {
  const flat: Flat = {}
  for (const [path, { value, last, at }] of model)
    flat[`= ${path}`] = { value, ...(last === null ? {} : { last }), ...(at === undefined ? {} : { at }) }
  return flat
}

export function flatState(state: unknown): Flat {
  const { world, player, npc, flags, milestones, _meta, ...others } = (state ?? {}) as Record<string, Fields>
  const flat: Flat = {}
  const put = (prefix: string, section: unknown) => {
    for (const [name, value] of Object.entries((section ?? {}) as Fields))
      flat[`= ${prefix}.${name}`] = { value }
  }
  put('world', world)
  put('player', player)
  for (const [id, own] of Object.entries(npc ?? {})) put(`npc.${id}`, own)
  put('flags', flags)
  for (const [name, entry] of Object.entries((milestones ?? {}) as Record<string, Fields>))
    flat[`= milestones.${name}`] = {
      value: entry.reached,
      ...(entry.at === undefined ? {} : { at: entry.at }),
    }
  for (const [path, last] of Object.entries((_meta?.last_changed ?? {}) as Fields))
    flat[`= ${path}`] = { ...(flat[`= ${path}`] ?? { value: undefined }), last }
  for (const name of Object.keys(others)) flat[`= ${name}`] = { value: 'nothing of ours' }
  return flat
}

/** The verdicts of the live variant of a passage. */
export function verdictsAt({ variants, live, byHand }: Passage): Verdict[] {
  return variants.length === 0 ? byHand : (variants[live]?.counted?.verdicts ?? [])
}

export function passageView(story: Story, passage: Passage) {
  const { index, type, variants, live } = passage
  const variant = variants[live]
  return {
    index,
    type,
    text: textOf(passage),
    reasoning: variant?.thinking ?? null,
    cut: variant?.cut ?? null,
    waiting: passage === newest(story) && type !== 'ai' && type !== 'start',
    variant_count: variants.length,
    variant_index: live,
    world_changes: verdictsAt(passage).map(chip),
    why: whyNothing(passage),
  }
}

/** A part of each reason as it is shown to the player. */
const REASONS: [words: string, why: Why][] = [
  ['before the story went on', 'the story went on'],
  ['You stopped the model', 'stopped'],
  ['Inglenook was stopped', 'the service ended'],
  ['no answer that could be read', 'unreadable'],
  ['could be applied', 'not told'],
]

function reasonIn(sentence: unknown): Why | null {
  if (sentence === undefined) return null
  return REASONS.find(([words]) => String(sentence).includes(words))?.[1] ?? 'failed'
}

export function actionView(action: Fields) {
  const { index, type, text, reasoning, cut, waiting, variant_count, variant_index } = action
  const world_changes = (action.world_changes as Fields[]).map(({ reason, because: _, ...shown }) => {
    const isExplained = ['limited', 'corrected', 'refused'].includes(String(shown.verdict))
    return isExplained && !reason ? { ...shown, reason: 'missing' } : shown
  })
  const why = reasonIn(action.not_recorded)
  return { index, type, text, reasoning, cut, waiting, variant_count, variant_index, world_changes, why }
}

function chip(change: Verdict) {
  const { path, asked, verdict } = change
  const [section, ...names] = path.split('.')
  const label = names.length === 0 ? path : names.join(' ')
  if (change.verdict === 'refused') return { kind: 'rejected', path, label, asked, verdict }
  if (section === 'flags') return { kind: 'flag', on: change.new, path, label, verdict }
  if (section === 'milestones') return { kind: 'milestone', on: change.new, path, label, verdict }
  const isNumber = typeof change.old === 'number' && typeof change.new === 'number'
  const delta = isNumber ? rounded(Number(change.new) - Number(change.old)) : null
  return {
    kind: 'stat',
    delta,
    value: change.new,
    asked,
    clamped: verdict === 'limited',
    path,
    label,
    verdict,
  }
}

/** A verdict without its explanation; the reason of a refusal is a code and is compared. */
export function plainVerdict(verdict: Fields): Fields {
  const { reason, because: _, ...plain } = verdict
  return verdict.verdict === 'refused' ? { ...plain, reason } : plain
}

export function storedView({ passages }: Story) {
  return passages.map(({ index, before, variants }) => ({
    index,
    before: flatModel(before),
    variants: variants.map(({ text, thinking, cut, counted }) => ({
      text,
      reasoning: thinking,
      cut,
      world: counted && flatModel(counted.world),
      verdicts: counted?.verdicts ?? [],
    })),
  }))
}

export function rowView(row: Record<'world_state_before' | 'variants', string | null> & { index: number }) {
  const { index, world_state_before, variants } = row
  const list = (variants === null ? [] : JSON.parse(variants)) as Fields[]
  return {
    index,
    before: flatState(JSON.parse(world_state_before ?? 'null')),
    variants: list.map((variant) => {
      const world = variant.world_state as { state: unknown; report: { verdicts: Fields[] } } | undefined
      return {
        text: variant.text,
        reasoning: variant.reasoning,
        cut: variant.cut ?? null,
        world: world ? flatState(world.state) : null,
        verdicts: (world?.report.verdicts ?? []).map(plainVerdict),
      }
    }),
  }
}

/** The differences between two values; [] if they are equal. */
export function differences(expected: unknown, actual: unknown, at = ''): string[] {
  if (Bun.deepEquals(expected, actual)) return []
  const isBranch = (value: unknown): value is Fields => typeof value === 'object' && value !== null
  if (!isBranch(expected) || !isBranch(actual) || Array.isArray(expected) !== Array.isArray(actual))
    return [`${at || 'it'}: expected ${JSON.stringify(expected)}, actual ${JSON.stringify(actual)}`]
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
  return keys.flatMap((key) => differences(expected[key], actual[key], at === '' ? key : `${at} / ${key}`))
}

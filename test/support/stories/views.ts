import { type Model, rounded, type Told } from './referee-model.ts'
import { whyNothing } from './second-call-model.ts'
import { newest, type Passage, type Story, textOf, type Why } from './story-model.ts'

/** What the service shows of a story and what the model expects of it, in one plain form that can be compared. */

type Fields = Record<string, unknown>

/** A value by its path, with the turn that moved it last and, of a milestone, the one that reached it. */
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

/** What a passage did to the world, as it is shown now. */
export function toldAt({ attempts, live, byHand }: Passage): Told[] {
  return attempts.length === 0 ? byHand : (attempts[live]?.counted?.told ?? [])
}

export function passageView(story: Story, passage: Passage) {
  const { index, type, attempts, live } = passage
  const attempt = attempts[live]
  return {
    index,
    type,
    text: textOf(passage),
    reasoning: attempt?.thinking ?? null,
    cut: attempt?.cut ?? null,
    waiting: passage === newest(story) && type !== 'ai' && type !== 'start',
    variant_count: attempts.length,
    variant_index: live,
    world_changes: toldAt(passage).map(chip),
    why: whyNothing(passage),
  }
}

/** How each reason begins or goes on, in the words that the player reads. */
const REASONS: [words: string, why: Why][] = [
  ['before the story went on', 'the story went on'],
  ['You stopped the model', 'stopped'],
  ['Inglenook was stopped', 'the service ended'],
  ['no answer that could be read', 'unreadable'],
  ['not what the passage says', 'not told'],
]

function reasonIn(sentence: unknown): Why | null {
  if (sentence === undefined) return null
  return REASONS.find(([words]) => String(sentence).includes(words))?.[1] ?? 'failed'
}

export function actionView(action: Fields) {
  const { index, type, text, reasoning, cut, waiting, variant_count, variant_index } = action
  const world_changes = (action.world_changes as Fields[]).map(({ reason, ...shown }) => {
    const isExplained = ['limited', 'corrected', 'refused'].includes(String(shown.verdict))
    return isExplained && !reason ? { ...shown, reason: 'missing' } : shown
  })
  const why = reasonIn(action.not_recorded)
  return { index, type, text, reasoning, cut, waiting, variant_count, variant_index, world_changes, why }
}

function chip(told: Told) {
  const { path, asked, verdict } = told
  const [section, ...names] = path.split('.')
  const label = names.length === 0 ? path : names.join(' ')
  if (told.verdict === 'refused') return { kind: 'rejected', path, label, asked, verdict }
  if (section === 'flags') return { kind: 'flag', on: told.new, path, label, verdict }
  if (section === 'milestones') return { kind: 'milestone', on: told.new, path, label, verdict }
  const isNumber = typeof told.old === 'number' && typeof told.new === 'number'
  const delta = isNumber ? rounded(Number(told.new) - Number(told.old)) : null
  return { kind: 'stat', delta, value: told.new, asked, clamped: verdict === 'limited', path, label, verdict }
}

/** A verdict without the words in which it is explained; why something was refused is no matter of words. */
export function plainVerdict(verdict: Fields): Fields {
  const { reason, ...plain } = verdict
  return verdict.verdict === 'refused' ? verdict : plain
}

export function storedView({ passages }: Story) {
  return passages.map(({ index, before, attempts }) => ({
    index,
    before: flatModel(before),
    attempts: attempts.map(({ text, thinking, cut, counted }) => ({
      text,
      reasoning: thinking,
      cut,
      world: counted && flatModel(counted.world),
      verdicts: counted?.told ?? [],
    })),
  }))
}

export function rowView(row: Record<'world_state_before' | 'variants', string | null> & { index: number }) {
  const { index, world_state_before, variants } = row
  const list = (variants === null ? [] : JSON.parse(variants)) as Fields[]
  return {
    index,
    before: flatState(JSON.parse(world_state_before ?? 'null')),
    attempts: list.map((variant) => {
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

/** The first places at which two values differ, in words; [] when they are the same. */
export function differences(expected: unknown, found: unknown, at = ''): string[] {
  if (Bun.deepEquals(expected, found)) return []
  const isBranch = (value: unknown): value is Fields => typeof value === 'object' && value !== null
  if (!isBranch(expected) || !isBranch(found) || Array.isArray(expected) !== Array.isArray(found))
    return [`${at || 'it'}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`]
  const keys = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  return keys.flatMap((key) => differences(expected[key], found[key], at === '' ? key : `${at} / ${key}`))
}

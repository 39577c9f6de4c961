import { type Model, modelBegin, modelFitted, modelSet, rulesOf, type Verdict } from './referee-model.ts'

/**
 * A model of a story, written from the rules alone: its content after each operation of a player, a language model or an
 * author. It imports nothing of the service, keeps everything in one object and copies a lot: its only use is to be compared
 * with the service.
 */

export type Fields = Record<string, unknown>
export type LineType = 'do' | 'say' | 'story'
export type PlotField = 'memory' | 'authors_note' | 'ai_instructions' | 'example_dialogue'

/** A card and its origin; null for one that the player made. */
export interface Card {
  ref: string | null
  type: string
  name: string
  keys: string
  entry: string
  notes: string
}

/** A scenario as its author wrote it. */
export interface Scenario {
  plot: Record<PlotField, string>
  opening: string
  /** `ref` identifies them in their stories. */
  cards: Card[]
  schema: Fields
}

/** A reply of the model, as it has to be parsed. */
export interface Narration {
  /** The prose in a story with stats; `whole` is the prose without stats. */
  text: string
  whole: string
  thinking: string | null
  cut: 'length' | 'stopped' | null
}

/** One variant of a passage. */
export interface ModelVariant {
  text: string
  thinking: string | null
  cut: Narration['cut']
  /** Its changes of the world state; null without stats. */
  counted: { world: Model; verdicts: Verdict[] } | null
  /** Why nothing was recorded; null if something was, or if the recorder was not asked. */
  why: Why | null
  /** The recorder gave an answer that can be read. */
  answered?: boolean
  /** How a part of it was rewritten. */
  how?: string
}

/** Why nothing was recorded. */
export type Why = 'the story went on' | 'stopped' | 'the service ended' | 'unreadable' | 'not told' | 'failed'

export interface Passage {
  index: number
  type: 'start' | 'ai' | LineType
  /** The text of a line or an opening; that of a narration is in its live variant. */
  words: string
  before: Model
  variants: ModelVariant[]
  live: number
  /** Manual changes while this was the newest passage; those at a narration are in its variant. */
  byHand: Verdict[]
}

export interface Memory {
  text: string
  start: number
  end: number
  stale: boolean
}

export interface Summary {
  text: string
  covers: number
}

export interface Story {
  plot: Record<PlotField, string>
  cards: Card[]
  schema: Fields
  world: Model
  passages: Passage[]
  memories: Memory[]
  summaries: Summary[]
  summary: string
  /** The newest variant, while the recorder is asked about it. */
  asked: ModelVariant | null
  /** The prose of an interrupted turn, and the end of the story at that time. */
  interrupted: { narration: Narration; retry: boolean; end: string } | null
}

/** Whether the schema has stats. */
export function counts(schema: Fields): boolean {
  return ['world', 'player', 'npcs', 'flags', 'milestones'].some((section) => {
    const entries = schema[section]
    return typeof entries === 'object' && entries !== null && Object.keys(entries).length > 0
  })
}

// ---- Beginning ----

/** A story copies its scenario. */
export function begin(scenario: Scenario): Story {
  const schema = structuredClone(scenario.schema)
  const world = counts(schema) ? modelBegin(schema) : new Map()
  return {
    plot: { ...scenario.plot },
    cards: cardsFrom(scenario).filter(saysSomething),
    schema,
    world,
    passages: [
      {
        index: 0,
        type: 'start',
        words: scenario.opening.trim(),
        before: world,
        variants: [],
        live: 0,
        byHand: [],
      },
    ],
    memories: [],
    summaries: [],
    summary: '',
    asked: null,
    interrupted: null,
  }
}

/** The cards of a scenario: its own, and one for each character without a card of the same name. */
function cardsFrom({ cards, schema }: Scenario): Card[] {
  const named = (name: string) =>
    cards.some((card) => card.name.trim().toLowerCase() === name.trim().toLowerCase())
  const cast = Object.entries((schema.npcs ?? {}) as Record<string, Fields>).map(([id, npc]): Card => {
    const textOr = (value: unknown, fallback: string) =>
      typeof value === 'string' && value.trim() !== '' ? value : fallback
    const name = textOr(npc.name, id)
    const entry = textOr(npc.desc, '')
    return { ref: `npc:${id}`, type: 'character', name, keys: textOr(npc.keys, name), entry, notes: '' }
  })
  return [...cards.map((card) => ({ ...card })), ...cast.filter(({ name }) => !named(name))]
}

function saysSomething({ ref, entry }: Card): boolean {
  return !ref?.startsWith('npc:') || entry.trim() !== ''
}

// ---- Turns ----

export function newest(story: Story): Passage {
  return story.passages.at(-1) as Passage
}

export function isLine(passage: Passage): passage is Passage & { type: LineType } {
  return ['do', 'say', 'story'].includes(passage.type)
}

/** The text of a passage. */
export function textOf({ type, words, variants, live }: Passage): string {
  return type === 'ai' ? (variants[live]?.text ?? '') : words
}

/**
 * Stores a player's line. A blank line is ignored, and so is the pending line sent again. An interrupted reply is kept first;
 * returns whether there was one.
 */
export function sayLine(story: Story, wanted: LineType | 'continue', typed: string): boolean {
  if (wanted === 'continue' || typed.trim() === '') return keepInterrupted(story) === null
  const words = formatted(wanted, stored(typed))
  const type = wanted === 'do' && stored(typed).startsWith('"') ? 'say' : wanted
  const last = newest(story)
  if (last.type === type && last.words === words) return false
  const isKept = keepInterrupted(story) === null
  story.passages.push({
    index: newest(story).index + 1,
    type,
    words,
    before: story.world,
    variants: [],
    live: 0,
    byHand: [],
  })
  return isKept
}

/** Lone surrogates are stored as replacement characters. */
function stored(text: string): string {
  return text.trim().toWellFormed()
}

/** The stored form of a line. All lines of the tests are in English, and a pronoun is "I" or "you". */
function formatted(type: LineType, typed: string): string {
  const ended = (words: string) =>
    ['.', '!', '?', '…'].includes([...words].at(-1) ?? '') ? words : `${words}.`
  if (type === 'story') return typed
  if (type === 'do' && !typed.startsWith('"')) {
    const subject = ['you ', 'i '].find((start) => typed.toLowerCase().startsWith(start)) ?? ''
    const rest = typed.slice(subject.length)
    return `> You ${ended(rest.charAt(0).toLowerCase() + rest.slice(1))}`
  }
  const inside = typed.slice(1, -1)
  const isQuoted = typed.length > 2 && typed.startsWith('"') && typed.endsWith('"') && !inside.includes('"')
  return `> You say "${ended(isQuoted ? inside : typed)}"`
}

/** Adds a reply as a new passage, whatever the last one is. */
export function answer(story: Story, narration: Narration): void {
  story.interrupted = null
  const index = newest(story).index + 1
  const variant = variantAt(story, story.world, narration)
  story.passages.push({
    index,
    type: 'ai',
    words: '',
    before: story.world,
    variants: [variant],
    live: 0,
    byHand: [],
  })
  if (variant.counted) story.world = variant.counted.world
}

/** Any change of the story except a new line cancels the recording. */
export function endAsking(story: Story): void {
  story.asked = null
}

/** Adds a new variant of the newest narration, from the world before it and at its own index; a line gets a reply. */
export function retry(story: Story, narration: Narration): void {
  endAsking(story)
  const passage = newest(story)
  if (!retriesNewest(story)) {
    answer(story, narration)
    return
  }
  story.interrupted = null
  const variant = variantAt(story, passage.before, narration)
  passage.variants.push(variant)
  passage.live = passage.variants.length - 1
  if (variant.counted) story.world = variant.counted.world
  forget(story, passage.index)
}

/** Whether a retry makes a new variant of the newest narration, and not a new reply after it. */
function retriesNewest(story: Story): boolean {
  return newest(story).type === 'ai' && interruptedIn(story)?.retry !== false
}

/** A turn ends early with this prose. */
export function interrupt(story: Story, text: string, retries: boolean): void {
  const narration: Narration = {
    text,
    whole: text,
    thinking: null,
    cut: 'stopped',
  }
  story.interrupted = { narration, retry: retries && retriesNewest(story), end: endOf(story) }
}

/** The interrupted reply, if the end of the story has not changed since. */
export function interruptedIn(story: Story): Story['interrupted'] {
  return story.interrupted?.end === endOf(story) ? story.interrupted : null
}

/** Stores the interrupted reply as Stop would have done; the code of the refusal, or null. */
export function keepInterrupted(story: Story): string | null {
  const interrupted = interruptedIn(story)
  if (interrupted === null) return 'not_found'
  if (interrupted.retry) retry(story, interrupted.narration)
  else answer(story, interrupted.narration)
  return null
}

export function discardInterrupted(story: Story): string | null {
  if (interruptedIn(story) === null) return 'not_found'
  story.interrupted = null
  return null
}

function endOf(story: Story): string {
  const passage = newest(story)
  return JSON.stringify([passage.index, passage.type, passage.live, textOf(passage)])
}

/** A reply as it is stored at first: nothing is recorded yet. */
function variantAt({ schema }: Story, before: Model, narration: Narration): ModelVariant {
  const { thinking, cut } = narration
  if (!counts(schema)) return { text: stored(narration.whole), thinking, cut, counted: null, why: null }
  const counted = { world: modelFitted(before, schema).model, verdicts: [] }
  return { text: stored(narration.text), thinking, cut, counted, why: null }
}

// ---- Switch, edit and undo ----

/** Switches to another variant of the newest passage; the code of the refusal, or null. */
export function switchTo(story: Story, passage: Passage, index: number): string | null {
  const variant = passage.variants[index]
  if (variant === undefined) return 'no_such_variant'
  if (passage !== newest(story)) return 'not_last'
  endAsking(story)
  passage.live = index
  if (variant.counted) story.world = restored(story, variant.counted.world)
  forget(story, passage.index)
  return null
}

/** Rewrites a part of the newest passage, which must be a narration. */
export function rewritePart(story: Story, [start, end]: [number, number], words: string, how: string): void {
  const passage = newest(story)
  const live = passage.variants[passage.live]
  if (live === undefined) throw new Error('Only a narration is rewritten in part.')
  const text = live.text.slice(0, start) + words + live.text.slice(end)
  passage.variants.push({ ...live, text, how, cut: end === live.text.trimEnd().length ? null : live.cut })
  passage.live = passage.variants.length - 1
  forget(story, passage.index)
}

/** Edits a passage. An unchanged text changes nothing. */
export function rewrite(story: Story, passage: Passage, text: string): void {
  if (text.toWellFormed() === textOf(passage)) return
  endAsking(story)
  const variant = passage.variants[passage.live]
  const lastWord = (words: string) => words.trim().split(/[ \n]/).at(-1)
  if (variant && lastWord(variant.text) !== lastWord(text.toWellFormed())) variant.cut = null
  if (variant) variant.text = text.toWellFormed()
  else passage.words = text.toWellFormed()
  forget(story, passage.index)
}

/** Undoes the last turn; the line that was typed for it, null for none, or the code of the refusal. */
export function undo(story: Story): { typed: { type: LineType; text: string } | null } | string {
  const { passages } = story
  const last = newest(story)
  if (last.type === 'start') return 'nothing_to_undo'
  endAsking(story)
  story.interrupted = null
  const before = passages.at(-2)
  const isAnswer = last.type === 'ai' && before !== undefined && isLine(before)
  const first = isAnswer ? before : last
  passages.length -= isAnswer ? 2 : 1
  story.world = restored(story, first.before)
  const end = newest(story).index
  story.memories = story.memories.filter((memory) => memory.end <= end)
  takeBackSummary(story, end + 1)
  return { typed: isLine(first) ? { type: first.type, text: typedIn(first) } : null }
}

/** A restored world is fitted to the current schema; without stats it is restored unchanged. */
function restored({ schema }: Story, world: Model): Model {
  return counts(schema) ? modelFitted(world, schema).model : world
}

function typedIn({ type, words }: Passage): string {
  // The full stop may have been put there.
  const typed = (text: string) => (/[^.!?…]\.$/.test(text) ? text.slice(0, -1) : text)
  if (type === 'do' && words.startsWith('> You ')) return typed(words.slice('> You '.length))
  const say = '> You say "'
  const isSaid = type === 'say' && words.startsWith(say) && words.endsWith('"')
  return isSaid ? typed(words.slice(say.length, -1)) : words
}

/** A copy up to a passage, with its world at that time and without a recording. */
export function copyUpTo(story: Story, passage: Passage): Story {
  const copy = structuredClone(story)
  endAsking(copy)
  copy.interrupted = null
  const next = story.passages[story.passages.indexOf(passage) + 1]
  if (next === undefined) return copy
  copy.passages.length = story.passages.indexOf(passage) + 1
  copy.world = restored(story, next.before)
  copy.memories = copy.memories.filter(({ end }) => end <= passage.index)
  takeBackSummary(copy, passage.index + 1)
  return copy
}

// ---- Manual changes and updates from the scenario ----

/** The verdicts, or the code of the refusal. */
export function setWorld(story: Story, values: Fields): Verdict[] | string {
  const { schema } = story
  if (!counts(schema)) return 'no_world_state'
  endAsking(story)
  const { model, verdicts } = modelSet(story.world, schema, values)
  const moved = verdicts.filter(({ verdict }) => verdict === 'manual')
  if (moved.length === 0) return verdicts
  story.world = model
  const last = newest(story)
  const variant = last.variants[last.live]
  if (variant) variant.counted = { world: model, verdicts: [...(variant.counted?.verdicts ?? []), ...moved] }
  else last.byHand.push(...moved)
  return verdicts
}

/** The changes of a refresh, as lists of names and paths. */
export interface Plan {
  has_changes: boolean
  fields: string[]
  cards: { added: string[]; updated: string[]; removed: string[] }
  added: string[]
  removed: string[]
  /** `path what` of each changed key of a definition, and of each value that no longer fits. */
  changed: string[]
}

export function plan(story: Story, scenario: Scenario): Plan {
  const fields = (Object.keys(story.plot) as PlotField[]).filter(
    (field) => story.plot[field] !== scenario.plot[field],
  )
  const given = cardsFrom(scenario)
  const own = (ref: string | null) => story.cards.find((card) => card.ref === ref)
  const cards = {
    added: given.filter((card) => own(card.ref) === undefined && saysSomething(card)).map(({ name }) => name),
    updated: given.flatMap((card) => {
      const mine = own(card.ref)
      return mine && JSON.stringify(mine) !== JSON.stringify(card) ? [mine.name] : []
    }),
    removed: story.cards
      .filter(({ ref }) => ref !== null && !given.some((card) => card.ref === ref))
      .map(({ name }) => name),
  }
  const { added, removed, changed } = worldChanges(story, scenario.schema)
  const lists = [fields, cards.added, cards.updated, cards.removed, added, removed, changed]
  const has_changes =
    lists.some((list) => list.length > 0) || definitionsDiffer(story.schema, scenario.schema)
  return { has_changes, fields, cards, added, removed, changed }
}

/** Applies the current scenario, except for skipped items. */
export function refresh(story: Story, scenario: Scenario, skip: ReadonlySet<string>): void {
  endAsking(story)
  for (const field of Object.keys(story.plot) as PlotField[])
    if (!skip.has(`field:${field}`)) story.plot[field] = scenario.plot[field]
  const given = cardsFrom(scenario)
  story.cards = [
    ...story.cards.flatMap((mine) => {
      const card = mine.ref === null ? undefined : given.find(({ ref }) => ref === mine.ref)
      if (mine.ref === null || skip.has(mine.ref)) return [mine]
      return card ? [{ ...card }] : []
    }),
    ...given.filter(
      (card) =>
        saysSomething(card) && !skip.has(card.ref ?? '') && !story.cards.some(({ ref }) => ref === card.ref),
    ),
  ]
  story.schema = structuredClone(scenario.schema)
  story.world = counts(story.schema) ? modelFitted(story.world, story.schema).model : new Map()
}

function worldChanges(story: Story, next: Fields): Pick<Plan, 'added' | 'removed' | 'changed'> {
  if (!counts(next))
    return { added: [], removed: story.world.size > 0 ? ['(all world state)'] : [], changed: [] }
  const { added, removed, changed } = modelFitted(story.world, next)
  const cast = (schema: Fields) => Object.keys((schema.npcs ?? {}) as Fields)
  const [was, will] = [cast(story.schema), cast(next)]
  const gone = was.filter((id) => !will.includes(id))
  // A removed character is one item.
  const left = removed.filter((path) => !gone.some((id) => path.startsWith(`npc.${id}.`)))
  return {
    added,
    removed: [...left, ...gone.map((id) => `npc.${id}`)],
    changed: [...changed.map(({ path, what }) => `${path} ${what}`), ...changedWords(story.schema, next)],
  }
}

function changedWords(was: Fields, will: Fields): string[] {
  const before = definitionsIn(was)
  return [...definitionsIn(will)].flatMap(([path, def]) => {
    const old = before.get(path)
    if (old === undefined) return []
    const words = new Set([...Object.keys(old), ...Object.keys(def)])
    return [...words]
      .filter((word) => JSON.stringify(old[word] ?? null) !== JSON.stringify(def[word] ?? null))
      .map((word) => `${path} ${word}`)
  })
}

/** All definitions of a schema; those of characters without their stats. */
function definitionsIn(schema: Fields): Map<string, Fields> {
  const cast = Object.entries((schema.npcs ?? {}) as Record<string, Fields>)
  return new Map([
    ...[...rulesOf(schema)].map(([path, { def }]): [string, Fields] => [path, def]),
    ...cast.map(([id, { stats: _, ...words }]): [string, Fields] => [`npc.${id}`, words]),
  ])
}

function definitionsDiffer(was: Fields, will: Fields): boolean {
  const [before, after] = [definitionsIn(was), definitionsIn(will)]
  return (
    [...before.keys()].some((path) => !after.has(path)) || [...after.keys()].some((path) => !before.has(path))
  )
}

// ---- Live values in the prompt ----

/** The line of live values of each subject in a prompt, without hidden stats and empty lines. */
export function valueLines(schema: Fields, world: Model): Record<string, string> {
  const lines: Record<string, string[]> = {}
  for (const [path, { kind, def }] of rulesOf(schema)) {
    const [section = '', name = ''] = path.split('.')
    const value = world.get(path)?.value
    const subject = { world: 'World', player: 'You', flags: 'Flags' }[section]
    if (subject === undefined || def.hidden === true) continue
    const shown =
      kind === 'flag'
        ? value
          ? ' yes'
          : ' no'
        : kind === 'text'
          ? worded(value)
          : counted(def, Number(value))
    lines[subject] = [...(lines[subject] ?? []), name + shown]
  }
  return Object.fromEntries(Object.entries(lines).map(([subject, all]) => [subject, `${all.join(', ')}.`]))
}

function worded(value: unknown): string {
  return value === '' ? ' (unset)' : ` "${value}"`
}

function counted({ max, bands }: Fields, value: number): string {
  const known = (bands ?? []) as [number, number, string][]
  const last = known.at(-1)
  const within = known.find(([low, high]) => low <= value && value < high)
  const label = within?.[2] ?? (last && value === last[1] ? last[2] : null)
  return ` ${value}${max == null ? '' : `/${max}`}${label === null ? '' : ` (${label})`}`
}

// ---- Memories and summaries ----

/** The text of the passage has changed: memories of it are stale. */
function forget(story: Story, index: number): void {
  for (const memory of story.memories) if (memory.start <= index && index <= memory.end) memory.stale = true
  takeBackSummary(story, index)
}

function takeBackSummary(story: Story, index: number): void {
  const kept = story.summaries.filter(({ covers }) => covers < index)
  if (kept.length === story.summaries.length) return
  story.summaries = kept
  story.summary = kept.at(-1)?.text ?? ''
}

const BLOCK = 6
const FIRST = 12
const SUMMARY_EVERY = 15

/**
 * Idle work: stale memories are written again, then one for every six passages without a memory, once
 * there are twelve, and a summary every fifteen; never of the newest reply and what follows it. `write` returns the text.
 */
export function rest(story: Story, write: (what: 'memory' | 'summary') => string): void {
  for (const memory of story.memories)
    if (memory.stale) {
      memory.text = write('memory')
      memory.stale = false
    }
  const filled = story.passages.filter((passage) => textOf(passage).trim() !== '')
  const newestReply = filled.findLast((passage) => !isLine(passage))?.index ?? 0
  const settled = filled.map(({ index }) => index).filter((index) => index < newestReply)
  for (;;) {
    const covered = Math.max(-1, ...story.memories.map(({ end }) => end))
    const next = settled.filter((index) => index > covered)
    if (settled.length < FIRST || next.length < BLOCK) break
    story.memories.push({
      text: write('memory'),
      start: next[0] ?? 0,
      end: next[BLOCK - 1] ?? 0,
      stale: false,
    })
  }
  const covers = story.summaries.at(-1)?.covers ?? -1
  const since = settled.filter((index) => index > covers)
  if (since.length < SUMMARY_EVERY) return
  story.summary = write('summary')
  story.summaries.push({ text: story.summary, covers: since.at(-1) ?? 0 })
}

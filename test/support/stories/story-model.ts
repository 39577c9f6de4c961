import {
  type Model,
  modelBegin,
  modelFitted,
  modelJudged,
  modelSet,
  rulesOf,
  type Told,
} from './referee-model.ts'

/**
 * A whole story once more, as the specification tells it and in the plainest words: what is in it after each thing that
 * a player, a model or an author can do. It knows nothing of the service, keeps everything in one object, copies a lot,
 * and is only good for being compared with.
 */

export type Fields = Record<string, unknown>
export type LineType = 'do' | 'say' | 'story'
export type PlotField = 'memory' | 'authors_note' | 'ai_instructions' | 'example_dialogue'

/** A card, and where it came from; null for one that the player made. */
export interface Card {
  ref: string | null
  type: string
  name: string
  keys: string
  entry: string
  notes: string
}

/** What an author has written. */
export interface Scenario {
  plot: Record<PlotField, string>
  opening: string
  /** `ref` is what their stories know them by. */
  cards: Card[]
  schema: Fields
}

/** What a model has told, as it has to be understood. */
export interface Telling {
  /** The prose where something is counted, and the same where nothing is. */
  text: string
  whole: string
  thinking: string | null
  delta: Fields
  /** There was a block, and it said nothing that can be read. */
  unreadable: boolean
  cut: 'length' | 'stopped' | null
}

/** One attempt at a passage. */
export interface Attempt {
  text: string
  thinking: string | null
  cut: Telling['cut']
  /** What it did to the world; null where nothing was counted. */
  counted: { world: Model; told: Told[] } | null
  /** Why nothing came of asking for its changes; null when something did, or when nobody asked. */
  why: Why | null
  /** How a part of it was rewritten. */
  how?: string
}

/** Why nothing came of asking what a passage has changed. */
export type Why = 'the story went on' | 'stopped' | 'the service ended' | 'unreadable' | 'not told' | 'failed'

export interface Passage {
  index: number
  type: 'start' | 'ai' | LineType
  /** Of a line or an opening; a narration says what its live attempt says. */
  words: string
  before: Model
  attempts: Attempt[]
  live: number
  /** What the player set by hand while this was the newest; a narration keeps that with its attempt. */
  byHand: Told[]
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
  /** The newest attempt, while the model is still asked for its changes. */
  asked: Attempt | null
  /** What a turn had told when it broke off, and what the story ended with then. */
  interrupted: { telling: Telling; retry: boolean; end: string } | null
}

/** Whether anything is counted. */
export function counts(schema: Fields): boolean {
  return ['world', 'player', 'npcs', 'flags', 'milestones'].some((section) => {
    const entries = schema[section]
    return typeof entries === 'object' && entries !== null && Object.keys(entries).length > 0
  })
}

// ---- Beginning ----

/** A story takes its own copy of all that its scenario says. */
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
        attempts: [],
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

/** The cards that a scenario gives: its own, and one for each character that no card is called after. */
function cardsFrom({ cards, schema }: Scenario): Card[] {
  const named = (name: string) =>
    cards.some((card) => card.name.trim().toLowerCase() === name.trim().toLowerCase())
  const cast = Object.entries((schema.npcs ?? {}) as Record<string, Fields>).map(([id, npc]): Card => {
    const said = (value: unknown, otherwise: string) =>
      typeof value === 'string' && value.trim() !== '' ? value : otherwise
    const name = said(npc.name, id)
    const entry = said(npc.desc, '')
    return { ref: `npc:${id}`, type: 'character', name, keys: said(npc.keys, name), entry, notes: '' }
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

/** What a passage says. */
export function textOf({ type, words, attempts, live }: Passage): string {
  return type === 'ai' ? (attempts[live]?.text ?? '') : words
}

/**
 * A player's line is kept before anybody is asked. Blank words are none, and the line that waits is not doubled. What was
 * told before is kept first, and whether anything was is returned.
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
    attempts: [],
    live: 0,
    byHand: [],
  })
  return isKept
}

/** Half a letter cannot be kept: what stands for it says that something was there. */
function stored(text: string): string {
  return text.trim().toWellFormed()
}

/** The lines that are sent here are in English, and begin with "I" or "you", if at all. */
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

/** The narrator has answered: a new passage, whatever stood last. */
export function answer(story: Story, telling: Telling): void {
  story.interrupted = null
  const index = newest(story).index + 1
  const attempt = attemptAt(story, story.world, telling, index)
  story.passages.push({
    index,
    type: 'ai',
    words: '',
    before: story.world,
    attempts: [attempt],
    live: 0,
    byHand: [],
  })
  if (attempt.counted) story.world = attempt.counted.world
}

/** Any change of the story but a new line ends the asking for changes, and nothing of it counts. */
export function endAsking(story: Story): void {
  story.asked = null
}

/** The narrator has told the newest passage anew, from the world before it and at its own index; a line is answered. */
export function tellAnew(story: Story, telling: Telling): void {
  endAsking(story)
  const passage = newest(story)
  if (!isToldAnew(story)) {
    answer(story, telling)
    return
  }
  story.interrupted = null
  const attempt = attemptAt(story, passage.before, telling, passage.index)
  passage.attempts.push(attempt)
  passage.live = passage.attempts.length - 1
  if (attempt.counted) story.world = attempt.counted.world
  forget(story, passage.index)
}

/** A retry tells the newest narration anew, or what was told behind it. */
function isToldAnew(story: Story): boolean {
  return newest(story).type === 'ai' && interruptedIn(story)?.retry !== false
}

/** A turn has told this much, and will tell no more. */
export function interrupt(story: Story, text: string, retries: boolean): void {
  const telling: Telling = { text, whole: text, thinking: null, delta: {}, unreadable: false, cut: 'stopped' }
  story.interrupted = { telling, retry: retries && isToldAnew(story), end: endOf(story) }
}

/** What was told then, while the story still ends as it did. */
export function interruptedIn(story: Story): Story['interrupted'] {
  return story.interrupted?.end === endOf(story) ? story.interrupted : null
}

/** It becomes the reply, as if the player had stopped it there; the code of the refusal, or null. */
export function keepInterrupted(story: Story): string | null {
  const interrupted = interruptedIn(story)
  if (interrupted === null) return 'not_found'
  if (interrupted.retry) tellAnew(story, interrupted.telling)
  else answer(story, interrupted.telling)
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

function attemptAt({ schema }: Story, before: Model, telling: Telling, index: number): Attempt {
  const { thinking, cut } = telling
  if (!counts(schema)) return { text: stored(telling.whole), thinking, cut, counted: null, why: null }
  const start = modelFitted(before, schema).model
  const { model, told } = modelJudged(start, schema, telling.delta, index)
  const unread: Told[] = telling.unreadable
    ? [{ path: 'the report', verdict: 'refused', asked: null, reason: 'not readable' }]
    : []
  const counted = { world: model, told: [...told, ...unread] }
  return { text: stored(telling.text), thinking, cut, counted, why: null }
}

// ---- Taking back ----

/** Another attempt of the newest passage; the code of the refusal, or null. */
export function switchTo(story: Story, passage: Passage, index: number): string | null {
  const attempt = passage.attempts[index]
  if (attempt === undefined) return 'no_such_variant'
  if (passage !== newest(story)) return 'not_last'
  endAsking(story)
  passage.live = index
  if (attempt.counted) story.world = restored(story, attempt.counted.world)
  forget(story, passage.index)
  return null
}

/** A part of the newest passage, which is a narration, was told anew; all else of it stays. */
export function rewritePart(story: Story, [start, end]: [number, number], words: string, how: string): void {
  const passage = newest(story)
  const live = passage.attempts[passage.live]
  if (live === undefined) throw new Error('Only a narration is rewritten in part.')
  const text = live.text.slice(0, start) + words + live.text.slice(end)
  passage.attempts.push({ ...live, text, how, cut: end === live.text.trimEnd().length ? null : live.cut })
  passage.live = passage.attempts.length - 1
  forget(story, passage.index)
}

/** A passage that gets the words it has stays as it is. */
export function rewrite(story: Story, passage: Passage, text: string): void {
  if (text.toWellFormed() === textOf(passage)) return
  endAsking(story)
  const attempt = passage.attempts[passage.live]
  if (attempt) attempt.text = text.toWellFormed()
  else passage.words = text.toWellFormed()
  forget(story, passage.index)
}

/** Takes the last turn back; the words that were typed for it, null for none, or the code of the refusal. */
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

/** A world that is put back has to fit what is counted now. Where nothing is, it is put back as it was. */
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

/** A story of its own that goes on from a passage, with its world as it was then. It is not waiting for any changes. */
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

// ---- The player's hand, and the author's ----

/** The verdicts, or the code of the refusal. */
export function setWorld(story: Story, values: Fields): Told[] | string {
  const { schema } = story
  if (!counts(schema)) return 'no_world_state'
  endAsking(story)
  const { model, told } = modelSet(story.world, schema, values)
  const moved = told.filter(({ verdict }) => verdict === 'manual')
  if (moved.length === 0) return told
  story.world = model
  const last = newest(story)
  const attempt = last.attempts[last.live]
  if (attempt) attempt.counted = { world: model, told: [...(attempt.counted?.told ?? []), ...moved] }
  else last.byHand.push(...moved)
  return told
}

/** What a refresh would do, as lists of names and paths. */
export interface Plan {
  has_changes: boolean
  fields: string[]
  cards: { added: string[]; updated: string[]; removed: string[] }
  added: string[]
  removed: string[]
  /** `path what` of each changed word of a definition, and of each value that does not fit any more. */
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

/** Takes over what the scenario says now, but for what is left out. */
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
  // A character goes as a whole.
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

/** Everything that a schema defines; a character's own words without its stats. */
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

// ---- What the model is told ----

/** How the live values read in a prompt: each subject's line. Nothing hidden, and no line of nothing. */
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

// ---- What is remembered ----

/** The passage has other words now: what tells of it is not to be relied on. */
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
 * What idle time makes of a story: what is stale is remembered anew, then every six passages that nothing tells of, once
 * there are twelve, and a summary every fifteen; never of the newest passage. `write` gives the words.
 */
export function rest(story: Story, write: (what: 'memory' | 'summary') => string): void {
  for (const memory of story.memories)
    if (memory.stale) {
      memory.text = write('memory')
      memory.stale = false
    }
  const told = story.passages.filter((passage) => textOf(passage).trim() !== '').map(({ index }) => index)
  for (;;) {
    const covered = Math.max(-1, ...story.memories.map(({ end }) => end))
    const next = told.filter((index) => index > covered)
    if (told.length <= FIRST || next.length <= BLOCK) break
    story.memories.push({
      text: write('memory'),
      start: next[0] ?? 0,
      end: next[BLOCK - 1] ?? 0,
      stale: false,
    })
  }
  const covers = story.summaries.at(-1)?.covers ?? -1
  const since = told.filter((index) => index > covers)
  if (since.length <= SUMMARY_EVERY) return
  story.summary = write('summary')
  story.summaries.push({ text: story.summary, covers: since.at(-2) ?? 0 })
}

import { hashOf } from '../../lib/hash.ts'
import { isBlank } from '../../lib/text.ts'
import type { Adventure } from '../adventure.ts'
import { type CardMatcher, cardMatcher, type Hit } from '../cards/card-triggers.ts'
import { type ScannedText, scannedText } from '../cards/scanned-text.ts'
import type { RecalledText } from '../recall/memories.ts'
import { choosePassages, MAX_PASSAGE_TOKENS, PASSAGE_SHARE } from '../recall/passage-notes.ts'
import type { StoryCard } from '../story-card.ts'
import { nextRecord, type TimingRecord } from '../timing/record.ts'
import { hitsIn } from '../timing/timed-hits.ts'
import { liveValueLines, liveValuesSection } from '../world/prompt/live-values.ts'
import { tokensOfParts } from './budget.ts'
import { chooseLore, MAX_LORE_TOKENS } from './lore-notes.ts'
import { notesShownIn, type PromptPart, type ShownNotes, type TurnNote, type TurnNotes } from './notes.ts'
import { AUTHORS_NOTE, EARLIER, FORMERLY, otherRequest, REQUEST, STEERING } from './phrases.ts'
import { characterFinder } from './present-characters.ts'
import type { DroppedPart, Prompt, PromptInput, PromptWorld, Recalled, RecalledMemory } from './prompt.ts'
import { estimateTokens } from './tokens.ts'
import { type StoryEntry, turnParts } from './window.ts'

const LORE_SHARE = 0.4
/** The author's note is repeated after this many turns. */
const NOTE_EVERY = 6

/** Changes with the form of the prompt: a retry of a passage from before it is not sent the same bytes. */
const PROMPT_FORM = 2

interface TurnContext {
  window: readonly StoryEntry[]
  lines: readonly string[]
  /** Tokens available for the whole prompt, and for lines and notes. */
  limit: number
  room: number
  shed: readonly DroppedPart[]
  front: readonly PromptPart[]
}

interface NotesResult {
  notes: TurnNotes
  /** The first notes, which do not depend on the player's line: a server can read them before it is typed. */
  ahead: TurnNote[]
  cards: Prompt['cards']
  memories: Prompt['memories']
  passages: Prompt['passages']
  character: string
  timing: TimingRecord | null
}

/** Triggered lore, memories, changed values of the world, and the author's note when it is due. */
export function notesFor(input: PromptInput, context: TurnContext): NotesResult {
  const { cards, matcher = cardMatcher(cards), retold, timing = null } = input
  const { window, lines, limit, room, shed, front } = context
  const shown = notesShownIn(window.filter(({ type }) => type === 'ai').map(({ notes }) => notes))
  const scanned = scannedText(window)
  const { hits, withheld } = hitsIn(scanned.all, { cards, matcher, moment: timing })
  const fixed = fixedNotes(input, window, scanned, shown, shed)
  const own = { before: [...fixed.ahead, ...fixed.before], after: fixed.after }
  const inputs = inputsHash(input, context, own, hits)
  const free = room - tokensOfParts(turnParts(lines, own))
  const lore = chooseLore(
    cards,
    [...hits, ...withheld],
    { lore: shown.lore, front, mentioned: mentionedIn(scanned.story, cards, matcher) },
    shed.includes('lore') ? 0 : Math.min(free * LORE_SHARE, MAX_LORE_TOKENS),
  )
  const recalled = recalledFor(input, context)
  // Not of the free room: before a cut there is next to none. What then does not fit makes the window be cut.
  const quoted = choosePassages(recalled.passages, shown, Math.min(limit * PASSAGE_SHARE, MAX_PASSAGE_TOKENS))
  const memory = chooseMemories(recalled.memories, shown)
  const includedCards = lore.included.flatMap((card) => cards[card] ?? [])
  const ahead = [...lore.ahead, ...fixed.ahead]
  const chosen = {
    ahead,
    cards: lore.cards,
    memories: memory.memories,
    passages: quoted.passages,
    character: lastCharacter(cards, hits),
    timing: timing && nextRecord(timing.record, timing, cards, includedCards),
  }
  if (retold && retold.inputs === inputs) return { notes: retold, ...chosen }
  const notes = {
    before: [...ahead, ...fixed.before, ...lore.notes, ...memory.notes, ...quoted.notes],
    after: fixed.after,
    lore: lore.shown,
    memories: memory.shown,
    passages: quoted.shown,
    inputs,
  }
  return { notes, ...chosen }
}

export function steeringNotes(steering: string): TurnNote[] {
  return steering === '' ? [] : [note('steering', `${STEERING}${steering}]`)]
}

/** The name of the character whom a text mentions last; '' for none. */
function lastCharacter(cards: readonly StoryCard[], hits: readonly Hit[]): string {
  const characters = hits.filter(({ card, blocked }) => !blocked && cards[card]?.type === 'character')
  const last = characters.toSorted((a, b) => a.at - b.at).at(-1)
  return last ? (cards[last.card]?.name.trim() ?? '') : ''
}

/** The cards without timing that a text triggers, in the order in which it mentions them last. */
function mentionedIn(text: string, cards: readonly StoryCard[], matcher: CardMatcher): Set<number> {
  const hits = matcher.match(text).filter(({ card, blocked }) => !blocked && !cards[card]?.timing)
  return new Set(hits.toSorted((a, b) => a.at - b.at).map(({ card }) => card))
}

interface FixedNotes extends Pick<TurnNotes, 'before' | 'after'> {
  ahead: TurnNote[]
}

function fixedNotes(
  input: PromptInput,
  window: readonly StoryEntry[],
  scanned: ScannedText,
  shown: ShownNotes,
  shed: readonly DroppedPart[],
): FixedNotes {
  const { adventure, world, roll = '', steering = '' } = input
  const inContext = [...shown.state.values()]
  const linesFor = world ? liveLines(world) : () => []
  const known = newLines(linesFor(scanned.story), inContext)
  const more = newLines(linesFor(scanned.all), [...inContext, ...known])
  return {
    ahead: [...stateNotes(known), ...authorsNote(adventure, shown, shed)],
    before: stateNotes(more),
    after: [
      ...steeringNotes(steering),
      ...(roll === '' ? [] : [note('roll', roll)]),
      note('request', requestAfter(window)),
    ],
  }
}

/** Estimated tokens of a short reply: some forty words. */
const SHORT_REPLY = 55

function requestAfter(window: readonly StoryEntry[]): string {
  const newest = window.findLast(({ type }) => type === 'ai')
  if (newest === undefined || estimateTokens(newest.text) >= SHORT_REPLY) return REQUEST
  return otherRequest(newest.notes?.after.find(({ label }) => label === 'request')?.text)
}

function liveLines({ rules, state }: PromptWorld): (text: string) => string[] {
  const presentIn = characterFinder(rules)
  return (text) => liveValueLines(rules, state, presentIn(text))
}

function stateNotes(lines: readonly string[]): TurnNote[] {
  return lines.length === 0 ? [] : [note('world_state', liveValuesSection(lines))]
}

function inputsHash(
  { cards }: PromptInput,
  { front, window, lines }: TurnContext,
  { before, after }: Pick<TurnNotes, 'before' | 'after'>,
  hits: readonly Hit[],
): string {
  const entries = hits.map(({ card, blocked }) => [
    cards[card]?.id,
    cards[card]?.name,
    cards[card]?.entry,
    blocked,
  ])
  return hashOf(JSON.stringify([PROMPT_FORM, front, window.length, lines, before, after, entries]))
}

function recalledFor({ recall }: PromptInput, { window, shed }: TurnContext): Recalled {
  const nothing = { memories: [], passages: [] }
  return shed.includes('memories') ? nothing : (recall?.(window[0]?.index ?? 0) ?? nothing)
}

export function memoryLine({ text, isPast }: Pick<RecalledText, 'text' | 'isPast'>): string {
  return `${isPast ? FORMERLY : EARLIER}${text.trim()}]`
}

function chooseMemories(recalled: readonly RecalledText[], shown: ShownNotes) {
  const isShown = (memory: RecalledText): boolean => shown.memories.has(hashOf(memoryLine(memory)))
  const fresh = recalled.filter((memory) => !isShown(memory))
  return {
    notes: fresh.map((memory) => note('memories', memoryLine(memory))),
    shown: fresh.map((memory): [number, string] => [memory.id, hashOf(memoryLine(memory))]),
    memories: recalled.map(
      (memory): RecalledMemory => ({
        id: memory.id,
        text: memory.text,
        pinned: memory.pinned,
        via: memory.via,
        terms: memory.terms,
        isPast: memory.isPast,
        reason: isShown(memory) ? 'already told' : 'told',
      }),
    ),
  }
}

// Lines that the window already contains are not repeated.
function newLines(lines: readonly string[], shown: readonly string[]): string[] {
  return lines.filter((line) => !shown.includes(line))
}

function authorsNote(
  { authors_note }: Adventure,
  { note: last }: ShownNotes,
  shed: readonly DroppedPart[],
): TurnNote[] {
  if (isBlank(authors_note)) return []
  const text = `${AUTHORS_NOTE}${authors_note.trim()}]`
  const isRepeat = last?.text === text
  if (isRepeat && (last.ago < NOTE_EVERY || shed.includes("author's note"))) return []
  return [note('authors_note', text)]
}

function note(label: TurnNote['label'], text: string): TurnNote {
  return { label, text }
}

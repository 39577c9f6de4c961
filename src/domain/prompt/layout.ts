import { isPlayerLine } from '../action.ts'
import type { Adventure } from '../adventure.ts'
import { type CardMatcher, cardMatcher } from '../cards/matcher.ts'
import { StoryError } from '../errors.ts'
import { markOf } from '../mark.ts'
import type { Recalled } from '../recall/recall.ts'
import type { Settings } from '../settings.ts'
import type { StoryCard } from '../story-card.ts'
import type { Message } from '../telling.ts'
import { isBlank } from '../text.ts'
import { REMINDER } from '../world/guide.ts'
import { liveLines, liveSection } from '../world/live.ts'
import type { Rules } from '../world/rules.ts'
import type { WorldState } from '../world/state.ts'
import { type CalledCard, chooseLore, MOST_LORE } from './called.ts'
import { CLIPPED_THERE, type ModelFacts } from './measure.ts'
import { type Note, type Notes, type Part, type Shown, shownIn } from './notes.ts'
import { GO_ON, OPENER } from './phrases.ts'
import { presentIn } from './presence.ts'
import { staticParts, summaryParts } from './static.ts'
import { estimateTokens, PER_MESSAGE } from './tokens.ts'
import {
  cutTo,
  type Epoch,
  type EpochReason,
  KEEP,
  LEAST,
  openedAt,
  openedBack,
  type Story,
  type Told,
  turnParts,
  windowParts,
} from './window.ts'

/** A prompt with what is worth knowing about it. Tokens are estimates. */
export interface Prompt {
  parts: Part[]
  tokens: {
    total: number
    /** The smaller of the setting and the model's real window. */
    budget: number
    /** What is left of it for the prompt once the reply has its room. */
    limit: number
    /** The window that the server tells, and where; null when it does not. */
    window: number | null
    window_from: string
    /** Whether the numbers are our own, learnt from what the server counted before, or its count of this very prompt. */
    method: 'estimate' | 'calibrated' | 'exact'
    /** The total as it was estimated before that. */
    plain: number
    /** Tokens that a server which keeps what it has read must read anew. */
    fresh: number
  }
  cards: CalledCard[]
  memories: RecalledMemory[]
  history: { included: number; total: number }
  /** What this turn adds around the player's words. */
  notes: Notes
  epoch: Epoch & { reason: EpochReason }
  /** What had to be left out because even the least did not fit. */
  shed: Shed[]
}

/** A memory that bears on the newest turn, and why it was found. */
export interface RecalledMemory extends Pick<Recalled, 'id' | 'text' | 'pinned' | 'via' | 'terms'> {
  reason: 'told' | 'already told'
}

export type Shed =
  | 'memories'
  | 'lore'
  | "author's note"
  | 'half the summary'
  | 'half the plot essentials'
  | 'older passages'

/** What a prompt says of the world. */
export interface CountedWorld {
  rules: Rules
  state: WorldState
  /** What was refused in the last turn, in words for the model; '' when nothing was. */
  refusals: string
}

/** All that a prompt is made from. */
export interface PromptInput {
  settings: Settings
  adventure: Adventure
  cards: readonly StoryCard[]
  /** Looks for the keys of these cards; made anew when it is left out. */
  matcher?: CardMatcher
  story: Story
  epoch: Epoch
  /** What is counted in this story; null when nothing is. */
  world: CountedWorld | null
  facts: ModelFacts
  /** What is worth remembering of the passages that end before an index, the worthiest first; triggers weigh more. */
  recall?: (endingBefore: number, triggers: string[]) => Recalled[]
  /** The notes of the turn that is told anew; null for a new one. */
  retold: Notes | null
}

/** How many of the newest actions can call up a card. */
const SCANNED = 6
const LORE_SHARE = 0.4
/** The author's note is told anew after so many turns. */
const NOTE_EVERY = 6

/**
 * Lays out a prompt so that a server reads almost nothing twice: what stands still, then the story as it was sent and
 * told, byte for byte, and all that is new at the end. The window is cut in one go, and only when it must be
 * (specification 1.8 and 8, "context"). Throws prompt_too_large.
 */
export function layOut(input: PromptInput): Prompt {
  const limit = roomFor(input.settings, input.facts)
  const opened = open(input, limit)
  const first = compose(input, limit, opened, [])
  if (fits(first, limit)) return first
  const cut = compose(input, limit, cutWindow(input, limit, opened, first), [])
  if (fits(cut, limit)) return cut
  return shedUntil(input, limit, opened)
}

/** The same prompt with what its server counted: all other numbers keep their share. */
export function counted(prompt: Prompt, total: number, settings: Settings): Prompt {
  const { fresh, budget } = prompt.tokens
  const share = total / prompt.tokens.total
  const limit = Math.max(0, budget - replyOf(settings) - MARGIN)
  return {
    ...prompt,
    tokens: { ...prompt.tokens, total, limit, fresh: Math.round(fresh * share), method: 'exact' },
  }
}

/** The messages of a prompt: neighbouring parts of one role are joined by a blank line. */
export function messagesOf(parts: readonly Pick<Part, 'role' | 'text'>[]): Message[] {
  const messages: Message[] = []
  for (const { role, text } of parts) {
    const last = messages.at(-1)
    if (last?.role === role) last.text += `\n\n${text}`
    else messages.push({ role, text })
  }
  return messages
}

/** A window, the summary that stands before it, and why it begins there. */
interface Opened {
  window: Told[]
  summary: string
  reason: EpochReason
}

function open({ story, epoch, adventure, settings, world }: PromptInput, limit: number): Opened {
  const still = staticParts(settings, adventure, world?.rules ?? null)
  const window = openedAt(story, epoch.start)
  if (window === null) {
    const budget = limit * KEEP - costOf([...still, ...summaryParts(adventure.story_summary)])
    return { window: openedBack(story, budget), summary: adventure.story_summary, reason: 'begun' }
  }
  // What stands in front has changed: all is read anyway, so the newest summary may stand there.
  if (staticMark(still) !== epoch.static_mark)
    return { window, summary: adventure.story_summary, reason: 'changed' }
  return { window, summary: epoch.summary, reason: 'kept' }
}

function cutWindow({ adventure }: PromptInput, limit: number, { window }: Opened, full: Prompt): Opened {
  const other = full.tokens.plain - costOf(windowParts(window).parts)
  return { window: cutTo(window, limit * KEEP - other), summary: adventure.story_summary, reason: 'full' }
}

const SHEDDING: Shed[] = [
  'memories',
  'lore',
  "author's note",
  'half the summary',
  'half the plot essentials',
  'older passages',
]

// Even the least does not fit: what can be missed goes, in the order in which it is missed least.
function shedUntil(input: PromptInput, limit: number, opened: Opened): Prompt {
  const least: Opened = {
    window: opened.window.slice(-LEAST),
    summary: input.adventure.story_summary,
    reason: 'full',
  }
  let laid = compose(input, limit, least, [])
  for (let i = 1; i <= SHEDDING.length && !fits(laid, limit); i++) {
    const shed = SHEDDING.slice(0, i)
    const last = shed.includes('older passages') ? { ...least, window: fromNewest(least.window) } : least
    laid = compose(input, limit, last, shed)
  }
  return fits(laid, limit) ? laid : withNewestCut(input, limit, least, laid)
}

/** The newest narration and what the player said to it. */
function fromNewest(window: readonly Told[]): Told[] {
  return window.slice(
    Math.max(
      0,
      window.findLastIndex(({ type }) => !isPlayerLine(type)),
    ),
  )
}

/** Characters of the newest passage without which there is nothing to go on from. */
const LEAST_PASSAGE = 400

// One passage is longer than all the room: its end is what the story goes on from.
function withNewestCut(
  input: PromptInput,
  limit: number,
  { window, summary, reason }: Opened,
  full: Prompt,
): Prompt {
  const newest = window.findLast(({ type }) => !isPlayerLine(type))
  const length = (newest?.text.length ?? 0) - (full.tokens.plain - limit) * LONGEST_TOKEN
  if (newest === undefined || length < LEAST_PASSAGE) throw tooLarge(full.tokens)
  const cut = { ...newest, text: newest.text.slice(-length) }
  const kept = fromNewest(window).with(0, cut)
  const laid = compose(input, limit, { window: kept, summary, reason }, SHEDDING)
  if (!fits(laid, limit)) throw tooLarge(laid.tokens)
  return laid
}

/** Characters that one estimated token may have. */
const LONGEST_TOKEN = 4

function compose(
  input: PromptInput,
  limit: number,
  { window, summary, reason }: Opened,
  shed: Shed[],
): Prompt {
  const { settings, world } = input
  const told = shed.includes('half the summary') ? half(summary) : summary
  const memory = shed.includes('half the plot essentials')
    ? half(input.adventure.memory)
    : input.adventure.memory
  const adventure = { ...input.adventure, memory }
  const still = staticParts(settings, adventure, world?.rules ?? null)
  const front = [...still, ...summaryParts(told)]
  const { parts, waiting } = windowParts(window)
  const lines = waiting.length > 0 ? waiting : [window.length === 0 ? OPENER : GO_ON]
  const room = limit - costOf([...front, ...parts])
  const noted = notesFor(input, window, lines, room, shed, markOf(JSON.stringify([front, window.length])))
  const news = turnParts(lines, noted.notes)
  const all = [...front, ...parts, ...news]
  return {
    parts: all,
    tokens: measured(
      costOf(all),
      reason === 'kept' ? costOf(news) : costOf(all),
      limit,
      settings,
      input.facts,
    ),
    cards: noted.cards,
    memories: noted.memories,
    history: { included: window.length, total: adventure.action_count },
    notes: noted.notes,
    epoch: {
      start: window[0]?.index ?? null,
      summary: told,
      static_mark: staticMark(still),
      reason,
    },
    shed,
  }
}

interface Noted {
  notes: Notes
  cards: Prompt['cards']
  memories: Prompt['memories']
}

/** What is new at this turn: lore that was called up, the world where it changed, the author's note when it is due. */
function notesFor(
  { adventure, cards, matcher = cardMatcher(cards), world, retold, recall = () => [] }: PromptInput,
  window: readonly Told[],
  lines: readonly string[],
  room: number,
  shed: readonly Shed[],
  front: string,
): Noted {
  const shown = shownIn(window.filter(({ type }) => type === 'ai').map(({ notes }) => notes))
  const scanned = window
    .slice(-SCANNED)
    .map(({ text }) => text)
    .join('\n')
  const called = matcher.match(scanned)
  const state = world
    ? newLines(liveLines(world.rules, world.state, presentIn(world.rules, scanned)), shown)
    : []
  const before = [
    ...(state.length > 0 ? [note('world_state', liveSection(state))] : []),
    ...authorsNote(adventure, shown, shed),
  ]
  const after = [
    ...(world && world.refusals !== '' ? [note('refusals', world.refusals)] : []),
    ...(world ? [note('world_state_reminder', REMINDER)] : []),
  ]
  const inputs = markOf(
    JSON.stringify([
      front,
      lines,
      before,
      after,
      called.map(({ card, blocked }) => [cards[card]?.id, cards[card]?.entry, blocked]),
    ]),
  )
  const free = room - costOf(turnParts(lines, { before, after }))
  const lore = chooseLore(
    cards,
    called,
    shown,
    shed.includes('lore') ? 0 : Math.min(free * LORE_SHARE, MOST_LORE),
  )
  const memory = chooseMemories(
    shed.includes('memories')
      ? []
      : recall(
          window[0]?.index ?? 0,
          called.map(({ key }) => key),
        ),
    shown,
  )
  const about = { cards: lore.cards, memories: memory.memories }
  if (retold && retold.inputs === inputs) return { notes: retold, ...about }
  return {
    notes: {
      before: [...memory.notes, ...lore.notes, ...before],
      after,
      lore: lore.shown,
      memories: memory.shown,
      inputs,
    },
    ...about,
  }
}

/** A memory as it stands in a prompt. */
export function memoryLine(text: string): string {
  return `[Earlier in the story: ${text.trim()}]`
}

function chooseMemories(recalled: readonly Recalled[], shown: Shown) {
  const isTold = ({ text }: Recalled): boolean => shown.memories.has(markOf(memoryLine(text)))
  const fresh = recalled.filter((memory) => !isTold(memory))
  return {
    notes: fresh.map(({ text }) => note('memories', memoryLine(text))),
    shown: fresh.map(({ id, text }): [number, string] => [id, markOf(memoryLine(text))]),
    memories: recalled.map(
      (memory): RecalledMemory => ({
        id: memory.id,
        text: memory.text,
        pinned: memory.pinned,
        via: memory.via,
        terms: memory.terms,
        reason: isTold(memory) ? 'already told' : 'told',
      }),
    ),
  }
}

// What stands in the window as it is need not be said again.
function newLines(lines: readonly string[], shown: Shown): string[] {
  const told = new Set(shown.state.values())
  return lines.filter((line) => !told.has(line))
}

function authorsNote({ authors_note }: Adventure, { note: last }: Shown, shed: readonly Shed[]): Note[] {
  if (isBlank(authors_note)) return []
  const text = `[Author's note: ${authors_note.trim()}]`
  const isRepeat = last?.text === text
  if (isRepeat && (last.ago < NOTE_EVERY || shed.includes("author's note"))) return []
  return [note('authors_note', text)]
}

function note(label: Note['label'], text: string): Note {
  return { label, text }
}

function staticMark(still: readonly Part[]): string {
  return markOf(JSON.stringify(still))
}

// The end is what matters of a plot's or a summary's text.
function half(text: string): string {
  const cut = text.slice(Math.floor(text.length / 2))
  return cut.slice(cut.indexOf(' ') + 1)
}

function fits({ tokens }: Prompt, limit: number): boolean {
  return tokens.plain <= limit
}

/** What is free for the prompt, in our own estimated tokens: what the reply needs is taken off, and a margin for error. */
function roomFor(settings: Settings, facts: ModelFacts): number {
  return Math.floor(((budgetOf(settings, facts) - replyOf(settings) - MARGIN) * 0.97) / facts.factor)
}

/** Tokens that nobody counts: what a template puts around the whole. */
const MARGIN = 64

function replyOf({ max_output_tokens, reasoning_max_tokens }: Settings): number {
  return max_output_tokens + Math.max(0, reasoning_max_tokens)
}

function budgetOf({ context_token_budget }: Settings, { window }: ModelFacts): number {
  return Math.min(context_token_budget, window ?? context_token_budget)
}

function measured(
  plain: number,
  fresh: number,
  limit: number,
  settings: Settings,
  facts: ModelFacts,
): Prompt['tokens'] {
  return {
    total: Math.round(plain * facts.factor),
    budget: budgetOf(settings, facts),
    limit: Math.floor(limit * facts.factor),
    window: facts.window,
    window_from: facts.window_from,
    method: facts.samples > 0 ? 'calibrated' : 'estimate',
    plain,
    fresh: Math.round(fresh * facts.factor),
  }
}

function costOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + estimateTokens(text) + PER_MESSAGE, 0)
}

function tooLarge({ total, limit, budget, window, window_from }: Prompt['tokens']): StoryError {
  if (limit <= 0)
    return new StoryError(
      'prompt_too_large',
      `A reply may take so many tokens that none of the ${budget} of the context budget are left for the story. Lower the output tokens in Settings, or raise the context budget.`,
    )
  const isServers = window !== null && window === budget
  const cure =
    isServers && window_from === CLIPPED_THERE
      ? `The model server cut a longer prompt off at ${window} tokens: give the model a larger window there and save the settings again`
      : isServers
        ? `The model server was started with a window of ${window} tokens: start it with a larger one`
        : 'Raise the context budget in Settings'
  return new StoryError(
    'prompt_too_large',
    `The prompt needs about ${total} tokens and only ${Math.max(0, limit)} are free. ${cure}, or shorten the plot essentials or the narrator's instructions.`,
  )
}

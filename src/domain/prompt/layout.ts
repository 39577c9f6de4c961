import { isPlayerLine } from '../action.ts'
import type { Adventure } from '../adventure.ts'
import { StoryError } from '../errors.ts'
import type { Settings } from '../settings.ts'
import type { StoryCard } from '../story-card.ts'
import type { Message } from '../telling.ts'
import { isBlank } from '../text.ts'
import { BLOCK_LABEL, guideOf, REMINDER, reportingRule } from '../world/guide.ts'
import { liveSection } from '../world/live.ts'
import type { Rules } from '../world/rules.ts'
import type { WorldState } from '../world/state.ts'
import { type Triggered, triggeredCards } from './cards.ts'
import { GO_ON, LORE, OPENER } from './phrases.ts'
import { presentIn } from './presence.ts'
import { estimateTokens, PER_MESSAGE } from './tokens.ts'

/** A piece of a prompt and what it is for. Neighbours of one role make one message. */
export interface Part {
  role: Message['role']
  label: Label
  text: string
}

export type Label =
  | 'narrator'
  | 'world_state_guide'
  | 'world_state_rule'
  | 'ai_instructions'
  | 'plot_essentials'
  | 'story_summary'
  | 'length_hint'
  | 'history'
  | 'world_lore'
  | 'authors_note'
  | 'world_state'
  | 'state_block'
  | 'refusals'
  | 'world_state_reminder'

/** A prompt with what is worth knowing about it. Tokens are estimates. */
export interface Prompt {
  parts: Part[]
  tokens: { total: number; budget: number }
  cards: { id: number; name: string; keyword: string; included: boolean }[]
  history: { included: number; total: number }
}

/** All that a prompt is made from. `history` gives the story from its end backwards, as far as it is asked. */
export interface PromptInput {
  settings: Settings
  adventure: Adventure
  cards: readonly StoryCard[]
  history: Iterable<Told>
  /** What is counted in this story; null when nothing is. */
  world: CountedWorld | null
}

/** An action as a prompt shows it, with the block of changes that stood under it. */
export interface Told {
  type: string
  text: string
  block?: string
}

/** What a prompt says of the world. */
export interface CountedWorld {
  rules: Rules
  state: WorldState
  /** What was refused in the last turn, in words for the model; '' when nothing was. */
  refusals: string
}

/** The most actions that a prompt shows word for word. */
export const HISTORY_ACTIONS = 96

/** How many of the newest actions can call up a card. */
const SCANNED = 6
const CARDS_SHARE = 0.4
/** What is always shown of a story: a prompt without it tells nothing. */
const LEAST_HISTORY = 2

/**
 * Lays out a prompt: what stays the same first, then the story, and what is new at its end, so that a server can
 * reuse what it has read (specification 1.8, "context"). Throws prompt_too_large.
 */
export function layOut({ settings, adventure, cards, history, world }: PromptInput): Prompt {
  const fixed = fixedParts(settings, adventure, world)
  const limit = roomFor(settings)
  const { newest, older } = beginBack(history)
  const scanned = newest.map(({ text }) => text).join('\n')
  const note = [...noteParts(adventure), ...liveParts(world, scanned)]
  const closing = closingParts(world)
  const free = limit - costOf([...fixed, ...note, ...closing])
  const triggered = triggeredCards(cards, scanned)
  const lore = withinBudget(triggered, Math.floor(free * CARDS_SHARE))
  const told = backUntil(newest, older, free - lore.tokens, world !== null)
  const parts = [...fixed, ...storyParts(told.reverse(), [...lore.parts, ...note], closing)]
  const total = costOf(parts)
  if (total > limit) throw tooLarge(total, limit)
  return {
    parts,
    tokens: { total, budget: settings.context_token_budget },
    cards: triggered.map(({ card, key }) => ({
      id: card.id,
      name: card.name,
      keyword: key,
      included: lore.shown.has(card.id),
    })),
    history: { included: told.length, total: adventure.action_count },
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

function fixedParts(settings: Settings, adventure: Adventure, world: CountedWorld | null): Part[] {
  const system = (label: Label, text: string, heading = ''): Part[] =>
    isBlank(text) ? [] : [{ role: 'system', label, text: heading + text.trim() }]
  return [
    ...system('narrator', settings.narrator_prompt),
    ...system('world_state_guide', world ? guideOf(world.rules) : ''),
    ...system('world_state_rule', world ? reportingRule(world.rules) : ''),
    ...system('ai_instructions', adventure.ai_instructions),
    ...system('plot_essentials', adventure.memory, 'What is true in this story:\n'),
    ...system('story_summary', adventure.story_summary, 'The story so far:\n'),
    ...system('length_hint', lengthHint(settings.max_output_tokens, world !== null)),
  ]
}

// A ceiling in words: a model cannot count tokens, and a budget would be filled.
function lengthHint(maxOutputTokens: number, isCounted: boolean): string {
  const words = Math.floor((maxOutputTokens - 50) * 0.75 * 0.9)
  if (words < 40) return ''
  const block = isCounted ? ` Leave room for the ${BLOCK_LABEL} block, and always finish it.` : ''
  return `Never write more than ${words} words at a time. A usual passage is much shorter.${block}`
}

function noteParts(adventure: Adventure): Part[] {
  if (isBlank(adventure.authors_note)) return []
  return [{ role: 'user', label: 'authors_note', text: `[Author's note: ${adventure.authors_note.trim()}]` }]
}

function liveParts(world: CountedWorld | null, scanned: string): Part[] {
  if (world === null) return []
  const text = liveSection(world.rules, world.state, presentIn(world.rules, scanned))
  return [{ role: 'user', label: 'world_state', text }]
}

/** What closes the newest message: nothing stands after it. */
function closingParts(world: CountedWorld | null): Part[] {
  if (world === null) return []
  const refusals: Part[] =
    world.refusals === '' ? [] : [{ role: 'user', label: 'refusals', text: world.refusals }]
  return [...refusals, REMINDING]
}

const REMINDING: Part = { role: 'user', label: 'world_state_reminder', text: REMINDER }

// What the reply needs, and a margin for what an estimate misses.
function roomFor(settings: Settings): number {
  const reply = settings.max_output_tokens + Math.max(0, settings.reasoning_max_tokens)
  return Math.floor((settings.context_token_budget - reply - 64) * 0.97)
}

function beginBack(history: Iterable<Told>): { newest: Told[]; older: Iterator<Told> } {
  const older = spoken(history)
  const newest: Told[] = []
  while (newest.length < SCANNED) {
    const next = older.next()
    if (next.done) break
    newest.push(next.value)
  }
  return { newest, older }
}

function* spoken(history: Iterable<Told>): Generator<Told> {
  for (const action of history) if (!isBlank(action.text)) yield action
}

function withinBudget(
  triggered: Triggered[],
  budget: number,
): { parts: Part[]; shown: Set<number>; tokens: number } {
  const shown = new Set<number>()
  const parts: Part[] = []
  let tokens = 0
  for (const { card } of triggered) {
    const part: Part = { role: 'user', label: 'world_lore', text: LORE + card.entry.trim() }
    const cost = costOf([part])
    if (tokens + cost > budget) continue
    tokens += cost
    shown.add(card.id)
    parts.push(part)
  }
  return { parts, shown, tokens }
}

/** The newest actions that fit, newest first. */
function backUntil(newest: Told[], older: Iterator<Told>, budget: number, isCounted: boolean): Told[] {
  const told: Told[] = []
  let used = 0
  const takes = (action: Told): boolean => {
    used += estimateTokens(action.text) + 2 * PER_MESSAGE
    if (isCounted) used += costOf([REMINDING]) + estimateTokens(action.block ?? '')
    if (used > budget && told.length >= LEAST_HISTORY) return false
    told.push(action)
    return true
  }
  for (const action of newest) if (!takes(action)) return told
  for (let next = older.next(); !next.done; next = older.next()) if (!takes(next.value)) return told
  return told
}

// A chat begins with its user and takes turns; where the player said nothing, a fixed line stands for it.
function storyParts(told: Told[], beforeLine: Part[], closing: Part[]): Part[] {
  const user = (text: string): Part => ({ role: 'user', label: 'history', text })
  // Each past message of the player's ends as it did when it was new, so that a server can reuse what it has read.
  const reminder = closing.slice(-1)
  const lines = told.length - trailingLines(told)
  const parts: Part[] = []
  for (const [i, { type, text, block }] of told.entries()) {
    if (i === lines) parts.push(...beforeLine)
    if (!isNarrators(type)) parts.push(user(text))
    else {
      if (parts.at(-1)?.role !== 'user') parts.push(user(type === 'start' ? OPENER : GO_ON))
      parts.push(...reminder, { role: 'assistant', label: 'history', text })
      if (closing.length > 0 && block) parts.push({ role: 'assistant', label: 'state_block', text: block })
    }
  }
  const isWaiting = lines < told.length
  const last = isWaiting ? [] : [...beforeLine, user(told.length === 0 ? OPENER : GO_ON)]
  return [...parts, ...last, ...closing]
}

function trailingLines(told: Told[]): number {
  const fromEnd = [...told].reverse().findIndex(({ type }) => isNarrators(type))
  return fromEnd === -1 ? told.length : fromEnd
}

function isNarrators(type: string): boolean {
  return !isPlayerLine(type)
}

function costOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + estimateTokens(text) + PER_MESSAGE, 0)
}

function tooLarge(total: number, limit: number): StoryError {
  return new StoryError(
    'prompt_too_large',
    `The prompt needs about ${total} tokens and only ${limit} are free. Raise the context budget in Settings, or shorten the plot essentials or the narrator's instructions.`,
  )
}

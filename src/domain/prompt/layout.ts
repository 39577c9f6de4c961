import { isPlayerLine } from '../action.ts'
import { StoryError } from '../errors.ts'
import type { Settings } from '../settings.ts'
import { MIN_PASSAGE, promptBudget, replyTokens, TEMPLATE_TOKENS, tokensOfParts } from './budget.ts'
import { compose, type OpenWindow, staticHash, toldPlot } from './compose.ts'
import { CLIPPED } from './model-facts.ts'
import type { TurnNote } from './notes.ts'
import { otherRequest } from './phrases.ts'
import type { DroppedPart, Prompt, PromptInput } from './prompt.ts'
import { staticParts, summaryParts } from './static-parts.ts'
import {
  MIN_ENTRIES,
  newestWithin,
  type StoryEntry,
  WINDOW_SHARE,
  windowFrom,
  windowParts,
  windowWithin,
} from './window.ts'

/**
 * Lays out a prompt so that a server can reuse its cached prefix: static parts first, then the story exactly as it was sent
 * and received, then everything new. The window is cut rarely, and then by a large amount, so that the server can reuse its
 * work. Throws prompt_too_large.
 */
export function layOutPrompt(input: PromptInput): Prompt {
  const budget = promptBudget(input.settings, input.facts)
  const limit = budget - Math.min(input.reserve ?? 0, Math.floor(budget * MAX_RESERVE))
  const opened = openWindow(input, limit)
  const first = compose(input, limit, opened, [])
  if (fits(first, limit)) return first
  const cut = compose(input, limit, cutWindow(input, limit, opened, first), [])
  if (fits(cut, limit)) return cut
  return shedToFit(input, limit, opened)
}

/** The share of a small window that can be left free for the next turn. */
const MAX_RESERVE = 0.125

/** The prompt with the exact token count of its server; the other numbers are scaled accordingly. */
export function withExactCount(prompt: Prompt, total: number, settings: Settings): Prompt {
  const { fresh, budget } = prompt.tokens
  const share = total / prompt.tokens.total
  const limit = Math.max(0, budget - replyTokens(settings) - TEMPLATE_TOKENS)
  return {
    ...prompt,
    tokens: { ...prompt.tokens, total, limit, fresh: Math.round(fresh * share), method: 'exact' },
  }
}

/** Later prompts keep the other last line, because the server has read it so. */
export function inOtherWords(prompt: Prompt): Prompt {
  const ask = <N extends TurnNote>(note: N): N =>
    note.label === 'request' ? { ...note, text: otherRequest(note.text) } : note
  const { parts, notes } = prompt
  return {
    ...prompt,
    parts: [...parts.slice(0, -1), ...parts.slice(-1).map(ask)],
    notes: { ...notes, after: notes.after.map(ask) },
  }
}

function openWindow(input: PromptInput, limit: number): OpenWindow {
  const { story, epoch, adventure, settings, world } = input
  const front = (examples: boolean) =>
    staticParts(settings, toldPlot(adventure, examples), world?.rules ?? null)
  const summary = adventure.story_summary
  const window = windowFrom(story, epoch.start)
  if (window === null) {
    const budget = limit * WINDOW_SHARE - tokensOfParts([...front(false), ...summaryParts(summary)])
    const begun = windowWithin(story, budget)
    return { window: begun, summary, examples: beginsStory(begun), reason: 'begun' }
  }
  const kept = [true, false].find((examples) => staticHash(front(examples)) === epoch.static_mark)
  // The front has changed, so the server reads everything again and the summary can be updated for free.
  if (kept === undefined) return { window, summary, examples: beginsStory(window), reason: 'changed' }
  return { window, summary: epoch.summary, examples: kept, reason: 'kept' }
}

/** The example dialogue is removed first: it is included while the prompt shows the story from its beginning. */
function beginsStory(window: readonly StoryEntry[]): boolean {
  // An opening may be empty.
  return (window[0]?.index ?? 0) <= 1
}

function cutWindow(
  { adventure }: PromptInput,
  limit: number,
  { window }: OpenWindow,
  full: Prompt,
): OpenWindow {
  const examples = tokensOfParts(full.parts.filter(({ label }) => label === 'example_dialogue'))
  const other = full.tokens.plain - tokensOfParts(windowParts(window).parts) - examples
  return {
    window: newestWithin(window, limit * WINDOW_SHARE - other),
    summary: adventure.story_summary,
    examples: false,
    reason: 'full',
  }
}

/** Parts that are left out if the prompt does not fit, least important first. */
const SHEDDING: DroppedPart[] = [
  'memories',
  'lore',
  "author's note",
  'half the summary',
  'half the plot essentials',
  'older passages',
]

function shedToFit(input: PromptInput, limit: number, opened: OpenWindow): Prompt {
  const smallest: OpenWindow = {
    window: opened.window.slice(-MIN_ENTRIES),
    summary: input.adventure.story_summary,
    examples: false,
    reason: 'full',
  }
  let prompt = compose(input, limit, smallest, [])
  for (let i = 1; i <= SHEDDING.length && !fits(prompt, limit); i++) {
    const shed = SHEDDING.slice(0, i)
    const open = shed.includes('older passages')
      ? { ...smallest, window: fromNewestNarration(smallest.window) }
      : smallest
    prompt = compose(input, limit, open, shed)
  }
  return fits(prompt, limit) ? prompt : withTruncatedPassage(input, limit, smallest, prompt)
}

/** The newest narration and the player's lines after it. */
function fromNewestNarration(window: readonly StoryEntry[]): StoryEntry[] {
  const newest = window.findLastIndex(({ type }) => !isPlayerLine(type))
  return window.slice(Math.max(0, newest))
}

/** Truncates a passage that alone exceeds the limit: the story continues from its end. */
function withTruncatedPassage(input: PromptInput, limit: number, opened: OpenWindow, full: Prompt): Prompt {
  const { window } = opened
  const newest = window.findLast(({ type }) => !isPlayerLine(type))
  const length = (newest?.text.length ?? 0) - (full.tokens.plain - limit) * CHARACTERS_PER_TOKEN
  if (newest === undefined || length < MIN_PASSAGE) throw tooLarge(full.tokens)
  const cut = { ...newest, text: newest.text.slice(-length) }
  const truncated = fromNewestNarration(window).with(0, cut)
  const prompt = compose(input, limit, { ...opened, window: truncated }, SHEDDING)
  if (!fits(prompt, limit)) throw tooLarge(prompt.tokens)
  return prompt
}

/** The most characters that one estimated token may have. */
const CHARACTERS_PER_TOKEN = 4

function fits({ tokens }: Prompt, limit: number): boolean {
  return tokens.plain <= limit
}

function tooLarge({ total, limit, budget, window, window_from }: Prompt['tokens']): StoryError {
  if (limit <= 0)
    return new StoryError(
      'prompt_too_large',
      `The max response length leaves none of the ${budget} tokens of the context size for the story. Lower the max response length in Settings, or raise the context size.`,
    )
  const isServerLimit = window !== null && window === budget
  const advice =
    isServerLimit && window_from === CLIPPED
      ? `The model server cut off a longer prompt at ${window} tokens. Give the model a larger context there and save the settings again`
      : isServerLimit
        ? `The model server was started with a context of ${window} tokens. Start it with a larger one`
        : 'Raise the context size in Settings'
  return new StoryError(
    'prompt_too_large',
    `The prompt needs about ${total} tokens, but only ${Math.max(0, limit)} are available. ${advice}, lower the max response length, or shorten the plot essentials or the AI instructions.`,
  )
}

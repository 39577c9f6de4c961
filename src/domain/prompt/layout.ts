import { isPlayerLine } from '../action.ts'
import { StoryError } from '../errors.ts'
import type { Settings } from '../settings.ts'
import { compose, type Opened, staticMark } from './compose.ts'
import { CLIPPED_THERE } from './measure.ts'
import type { Prompt, PromptInput, Shed } from './prompt.ts'
import { costOf, MARGIN, replyOf, roomFor } from './room.ts'
import { staticParts, summaryParts } from './static-parts.ts'
import { cutTo, KEEP, LEAST, openedAt, openedBack, type Told, windowParts } from './window.ts'

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

function fits({ tokens }: Prompt, limit: number): boolean {
  return tokens.plain <= limit
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

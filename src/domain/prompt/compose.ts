import { hashOf } from '../../lib/hash.ts'
import { isBlank } from '../../lib/text.ts'
import type { Adventure } from '../adventure.ts'
import { contextSize, tokensOfParts } from './budget.ts'
import type { PromptPart } from './notes.ts'
import { BEGIN_REQUEST, CONTINUE_REQUEST } from './phrases.ts'
import type { DroppedPart, Prompt, PromptInput } from './prompt.ts'
import { staticParts, summaryParts } from './static-parts.ts'
import { notesFor } from './turn-notes.ts'
import { type EpochReason, type StoryEntry, turnParts, windowParts } from './window.ts'

export interface OpenWindow {
  window: StoryEntry[]
  summary: string
  examples: boolean
  reason: EpochReason
}

/** Lays out one window without what is shed. `limit`, in our estimated tokens, restricts only optional parts. */
export function compose(input: PromptInput, limit: number, open: OpenWindow, shed: DroppedPart[]): Prompt {
  const { window, reason, examples } = open
  const summary = shed.includes('half the summary') ? half(open.summary) : open.summary
  const still = staticPartsOf(input, shed, examples)
  const front = [...still, ...summaryParts(summary)]
  const { parts, waiting } = windowParts(window)
  const lines = waiting.length > 0 ? waiting : [window.length === 0 ? BEGIN_REQUEST : CONTINUE_REQUEST]
  const { notes, ...chosen } = notesFor(input, {
    window,
    lines,
    limit,
    room: limit - tokensOfParts([...front, ...parts]),
    shed,
    front,
  })
  const fresh = turnParts(lines, notes)
  const all = [...front, ...parts, ...fresh]
  const total = tokensOfParts(all)
  return {
    parts: all,
    tokens: tokenCounts(input, limit, total, reason === 'kept' ? tokensOfParts(fresh) : total),
    ...chosen,
    history: { included: window.length, total: input.adventure.action_count },
    notes,
    steering: input.steering ?? '',
    epoch: { start: window[0]?.index ?? null, summary, static_mark: staticHash(still), reason },
    shed: examples || isBlank(input.adventure.example_dialogue) ? shed : ['example dialogue', ...shed],
  }
}

function staticPartsOf(
  { settings, adventure, world }: PromptInput,
  shed: DroppedPart[],
  examples: boolean,
): PromptPart[] {
  const memory = shed.includes('half the plot essentials') ? half(adventure.memory) : adventure.memory
  return staticParts(settings, { ...toldPlot(adventure, examples), memory }, world?.rules ?? null)
}

export function toldPlot(adventure: Adventure, examples: boolean): Adventure {
  return examples ? adventure : { ...adventure, example_dialogue: '' }
}

export function staticHash(still: readonly PromptPart[]): string {
  return hashOf(JSON.stringify(still))
}

// The end of a plot or a summary matters most.
function half(text: string): string {
  const end = text.slice(Math.floor(text.length / 2))
  return end.slice(end.indexOf(' ') + 1)
}

/** `limit`, `plain` and `fresh` are in our estimated tokens. */
function tokenCounts(
  { settings, facts }: PromptInput,
  limit: number,
  plain: number,
  fresh: number,
): Prompt['tokens'] {
  return {
    total: Math.round(plain * facts.factor),
    budget: contextSize(settings, facts),
    limit: Math.floor(limit * facts.factor),
    window: facts.window,
    window_from: facts.window_from,
    method: facts.samples > 0 ? 'calibrated' : 'estimate',
    plain,
    fresh: Math.round(fresh * facts.factor),
  }
}

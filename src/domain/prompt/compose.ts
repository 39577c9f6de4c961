import { markOf } from '../../lib/hash.ts'
import type { Settings } from '../settings.ts'
import type { ModelFacts } from './measure.ts'
import type { Part } from './notes.ts'
import { GO_ON, OPENER } from './phrases.ts'
import type { Prompt, PromptInput, Shed } from './prompt.ts'
import { budgetOf, costOf } from './room.ts'
import { staticParts, summaryParts } from './static-parts.ts'
import { notesFor } from './turn-notes.ts'
import { type EpochReason, type Told, turnParts, windowParts } from './window.ts'

/** A window, the summary that stands before it, and why it begins there. */
export interface Opened {
  window: Told[]
  summary: string
  reason: EpochReason
}

/** Lays out one window, leaving out what is shed. `limit` in our own estimated tokens bounds only what may be left out. */
export function compose(
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

/** A mark of what stands still in front of all. */
export function staticMark(still: readonly Part[]): string {
  return markOf(JSON.stringify(still))
}

// The end is what matters of a plot's or a summary's text.
function half(text: string): string {
  const cut = text.slice(Math.floor(text.length / 2))
  return cut.slice(cut.indexOf(' ') + 1)
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

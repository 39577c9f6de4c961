import { type Adventure, EMPTY_ADVENTURE } from '../../domain/adventure.ts'
import { scannedEnd } from '../../domain/cards/scanned-text.ts'
import {
  filledCards,
  filledPassage,
  filledPlot,
  filledSchemaForModel,
  filledState,
} from '../../domain/prompt/filled-texts.ts'
import { layOutPrompt } from '../../domain/prompt/layout.ts'
import type { ModelFacts } from '../../domain/prompt/model-facts.ts'
import { presentCharacters } from '../../domain/prompt/present-characters.ts'
import type { Prompt, PromptWorld } from '../../domain/prompt/prompt.ts'
import type { Story, StoryEntry } from '../../domain/prompt/window.ts'
import { plotOf } from '../../domain/scenario.ts'
import type { Settings } from '../../domain/settings.ts'
import type { Beginning } from '../../domain/start-from-scenario.ts'
import type { StoryCard } from '../../domain/story-card.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import type { StoryMoment } from '../../domain/timing/due-cards.ts'
import { hasTiming } from '../../domain/timing/record.ts'
import { readRules } from '../../domain/world/rules.ts'
import { hasStats, instantiate, type StatSchema } from '../../domain/world/state.ts'

interface FirstPromptRequest {
  beginning: Beginning & { cards: StoryCard[] }
  answers: Answers
  /** The player's first line; '' for none. */
  line: string
  settings: Settings
  facts: ModelFacts
}

/** The prompt of the first turn of a story that has just begun. Throws prompt_too_large. */
export function firstPrompt({ beginning, answers, line, ...of }: FirstPromptRequest): Prompt {
  const plot = plotOf((field) => beginning[field])
  const story = storyOf(filledPassage({ type: 'start', text: beginning.opening }, () => answers).text, line)
  return layOutPrompt({
    ...of,
    adventure: filledPlot({ ...BEGUN, ...plot }, answers),
    cards: filledCards(beginning.cards, answers),
    story,
    epoch: { start: null, summary: '', static_mark: '' },
    world: worldOf(beginning.stat_schema, answers),
    timing: firstMoment(beginning, scannedEnd(story).all),
    retold: null,
  })
}

function worldOf(schema: StatSchema, answers: Answers): PromptWorld | null {
  if (!hasStats(schema)) return null
  const rules = readRules(filledSchemaForModel(schema, answers))
  return { rules, state: filledState(instantiate(schema), schema, answers) }
}

/** The facts that timed cards depend on in the first turn; null if there are none. In a preview nothing is rolled. */
export function firstMoment(
  { cards, stat_schema }: FirstPromptRequest['beginning'],
  scanned: string,
): StoryMoment | null {
  if (!hasTiming(cards)) return null
  const rules = readRules(stat_schema)
  const present = presentCharacters(rules, scanned)
  return {
    turn: 1,
    rules,
    state: instantiate(stat_schema),
    record: null,
    present,
    callers: 'all',
    seed: null,
  }
}

const BEGUN: Adventure = {
  ...EMPTY_ADVENTURE,
  id: 0,
  scenario_id: null,
  created_at: '',
  updated_at: '',
  action_count: 1,
}

/** The opening, and the player's line if there is one. */
function storyOf(opening: string, line: string): Story {
  const texts = [
    { type: 'start', text: opening },
    { type: 'do', text: line === '' ? '' : `> ${line}` },
  ]
  const entries: StoryEntry[] = texts
    .filter(({ text }) => text !== '')
    .map((entry, index) => ({ ...entry, id: index, index, notes: null }))
  return { since: (index) => entries.slice(index), back: () => entries.toReversed() }
}

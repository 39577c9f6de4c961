import { findFacts } from '../../db/tables/endpoint-facts.ts'
import { getScenario } from '../../db/tables/scenarios.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { listCards } from '../../db/tables/story-cards.ts'
import { StoryError } from '../../domain/errors.ts'
import type { Message } from '../../domain/model/model-request.ts'
import { type TriggeredCard, triedCards } from '../../domain/prompt/lore-notes.ts'
import { messagesOf } from '../../domain/prompt/prompt.ts'
import { answersOrNames, beginningOf, questionsOf } from '../../domain/start-from-scenario.ts'
import { type Answers, fillForPreview } from '../../domain/text/placeholder.ts'
import type { Deps } from '../deps.ts'
import { firstMoment, firstPrompt } from './first-prompt.ts'

export interface ScenarioPreview {
  opening: string
  /** The cards that the line triggers. */
  cards: TriggeredCard[]
  /** The prompt of the first turn, and its estimated tokens. */
  messages: Message[]
  tokens: number
  /** The reason why a prompt cannot be made. */
  problem: string
}

/** Previews a story with these answers, in which the player's first line is `line`. Writes and asks nothing. Throws not_found. */
export function previewScenario(
  { library: { reader } }: Deps,
  id: number,
  { answers: given, line }: { answers: Answers; line: string },
): ScenarioPreview {
  const scenario = getScenario(reader, id)
  const authored = listCards(reader, { scenario_id: id })
  const answers = answersOrNames(questionsOf(scenario, authored), given)
  const beginning = beginningOf(scenario, authored, answers)
  const settings = getSettings(reader)
  const facts = findFacts(reader, settings.endpoint_url, settings.model)
  const cards = beginning.cards.map((card, i) => ({ ...card, id: i + 1, scenario_id: null, adventure_id: 0 }))
  const tried = line === '' ? [] : triedCards(cards, line, firstMoment({ ...beginning, cards }, line))
  const shared = { opening: fillForPreview(scenario.prompt.trim(), given), cards: tried }
  try {
    const { parts, tokens } = firstPrompt({
      beginning: { ...beginning, cards },
      answers,
      line,
      settings,
      facts,
    })
    return { ...shared, messages: messagesOf(parts), tokens: tokens.total, problem: '' }
  } catch (error) {
    if (!(error instanceof StoryError) || error.code !== 'prompt_too_large') throw error
    return { ...shared, messages: [], tokens: 0, problem: error.message }
  }
}

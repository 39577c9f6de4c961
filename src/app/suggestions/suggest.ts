import type { Reader } from '../../db/database.ts'
import { findNewest, listNewest } from '../../db/tables/actions/list.ts'
import { getAdventure } from '../../db/tables/adventures.ts'
import { findFacts } from '../../db/tables/endpoint-facts.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { findStoryEnd, listSuggestions, updateSuggestions } from '../../db/tables/suggestions.ts'
import { type Action, isPlayerLine } from '../../domain/action.ts'
import { StoryError } from '../../domain/errors.ts'
import {
  parseSuggestions,
  SUGGESTION_SCHEMA,
  type Suggestion,
  suggestionTask,
} from '../../domain/model/suggestions.ts'
import { typedWords } from '../../domain/text/player-line.ts'
import { sentenceTexts } from '../../domain/text/sentence-spans.ts'
import type { Deps } from '../deps.ts'
import { questionAfterStory } from '../memory/question-after-story.ts'
import { askModel, WITHOUT_THINKING } from '../model/ask-model.ts'
import { liveStats } from '../prompt/build-prompt.ts'
import { wasPreempted } from '../runtime/call-queue.ts'

/** Room for three short lines. */
const ANSWER_TOKENS = 240
/** Actions that are searched for lines of the player, and whose sentences are no suggestions. */
const RECENT_ACTIONS = 12

/**
 * Suggestions for the player: those about the end of the story, or new ones from the model. They go before background
 * work, and any turn before them. Throws not_found, turn_in_progress, line_waiting, empty_reply and the errors of the
 * endpoint.
 */
export async function suggest(deps: Deps, adventureId: number, signal: AbortSignal): Promise<Suggestion[]> {
  const { reader } = deps.library
  getAdventure(reader, adventureId)
  const known = listSuggestions(reader, adventureId)
  const end = findStoryEnd(reader, adventureId)
  if (known.length > 0 || end === null) return known
  if (deps.locks.isTaken(adventureId)) throw turnFirst()
  if (isPlayerLine(findNewest(reader, adventureId)?.type ?? 'start'))
    throw new StoryError('line_waiting', 'Your last line has no reply yet. Retry it first.')
  const answer = await ask(deps, adventureId, AbortSignal.any([signal, deps.closing]))
  const found = parseSuggestions(answer, newestSentences(reader, adventureId))
  if (found.length === 0)
    throw new StoryError('empty_reply', 'The model made no suggestions. Try again, or write your own line.')
  deps.library.write((tx) => updateSuggestions(tx, adventureId, end, found))
  return found
}

async function ask(deps: Deps, adventureId: number, signal: AbortSignal): Promise<string> {
  const { reader } = deps.library
  // A separate model for summaries does not get the story.
  const settings = { ...getSettings(reader), summary_model: '' }
  const asked = questionAfterStory(deps, adventureId, settings, {
    task: suggestionTask(newestLines(reader, adventureId), liveStats(reader, adventureId)),
    max_output_tokens: ANSWER_TOKENS,
  })
  const { enforces } = findFacts(reader, settings.endpoint_url, asked.model)
  const schema = enforces === false ? {} : { schema: SUGGESTION_SCHEMA }
  try {
    return await askModel(
      deps,
      { ...asked, ...WITHOUT_THINKING, ...schema, temperature: 0.9, rank: 'request' },
      signal,
    )
  } catch (error) {
    if (wasPreempted(error)) throw turnFirst()
    throw error
  }
}

function turnFirst(): StoryError {
  return new StoryError('turn_in_progress', 'A turn is running. Ask for suggestions when it is done.')
}

/** The player's, oldest first. */
function newestLines(reader: Reader, adventureId: number): string[] {
  return listNewest(reader, adventureId, RECENT_ACTIONS).flatMap(typedLine).reverse()
}

// Small models suggest what stands in their prompt.
function newestSentences(reader: Reader, adventureId: number): string[] {
  return listNewest(reader, adventureId, RECENT_ACTIONS).flatMap((action) => [
    ...typedLine(action),
    ...sentenceTexts(action.text),
  ])
}

function typedLine({ type, text }: Pick<Action, 'type' | 'text'>): string[] {
  return type === 'do' || type === 'say' ? [typedWords(type, text)] : []
}

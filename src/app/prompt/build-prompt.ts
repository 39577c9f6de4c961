import type { Reader } from '../../db/database.ts'
import { storyBeginning } from '../../db/tables/actions/passages.ts'
import type { ActionPosition } from '../../db/tables/actions/position.ts'
import { findTurnNotes } from '../../db/tables/actions/prompt-story.ts'
import { findRolledLine } from '../../db/tables/actions/rolls.ts'
import { findToldEpoch } from '../../db/tables/actions/snapshots.ts'
import { getVariants } from '../../db/tables/actions/variants.ts'
import { findAnswers, getAdventure, getEpoch, getWorld, updateEpoch } from '../../db/tables/adventures.ts'
import { findFacts } from '../../db/tables/endpoint-facts.ts'
import { listChangeNotes } from '../../db/tables/memory/memories.ts'
import { findDraft } from '../../db/tables/waiting-lines.ts'
import { applyRoll } from '../../domain/checks/apply-roll.ts'
import { rollNote } from '../../domain/checks/roll-words.ts'
import { filledPlot, filledSchemaForModel, filledState } from '../../domain/prompt/filled-texts.ts'
import { layOutPrompt } from '../../domain/prompt/layout.ts'
import type { ModelFacts } from '../../domain/prompt/model-facts.ts'
import type { PromptPart } from '../../domain/prompt/notes.ts'
import type { Prompt, PromptWorld } from '../../domain/prompt/prompt.ts'
import type { Epoch, Story } from '../../domain/prompt/window.ts'
import { type Change, changeOf } from '../../domain/recall/changes.ts'
import type { VectorQuery } from '../../domain/recall/vectors.ts'
import type { Settings } from '../../domain/settings.ts'
import { languageToTell } from '../../domain/text/language.ts'
import type { Answers } from '../../domain/text/placeholder.ts'
import { liveValueLines, liveValuesSection } from '../../domain/world/prompt/live-values.ts'
import { reconciledState } from '../../domain/world/reconcile.ts'
import { readRules } from '../../domain/world/rules.ts'
import { hasStats, type WorldState } from '../../domain/world/state.ts'
import type { Deps } from '../deps.ts'
import { promptCards } from './prompt-cards.ts'
import { newestLine, recallFor } from './recall.ts'
import { timedMoment } from './timed-moment.ts'
import { toldStory } from './told-story.ts'

/** The inputs of a prompt besides the story itself. */
interface PromptRequest {
  adventureId: number
  settings: Settings
  /** The prompt covers the story before this action; all of it for the next turn. */
  before?: ActionPosition | null
  /** The story to read instead: with a line that was not sent. */
  story?: Story
  /** Finds texts by meaning as well as by their words. */
  query?: VectorQuery | null
  /** Facts about the model; read from the library if absent. */
  facts?: ModelFacts
  /** Estimated tokens to leave free. */
  reserve?: number
  /** The note about the new passage; by default the pending one. */
  steering?: string
  /** The start of the window, in place of the one stored for the passage of a retry. */
  epoch?: Epoch
}

/** Throws prompt_too_large. */
export function buildPrompt(reader: Reader, request: PromptRequest): Prompt {
  const { adventureId, settings, before = null, query = null } = request
  const answers = findAnswers(reader, adventureId) ?? {}
  const story = request.story ?? toldStory(reader, adventureId, before)
  let noted: Change[] | undefined
  // A prompt that does not fit at first is recalled for again.
  const changes = () => (noted ??= listChangeNotes(reader, adventureId).map(changeOf))
  const recalling = { topK: settings.memory_top_k, line: newestLine(story), query, changes, answers }
  const stored = getAdventure(reader, adventureId)
  const language = languageToTell(stored.language, storyBeginning(reader, adventureId))
  const adventure = { ...filledPlot(stored, answers), language }
  const { cards, matcher } = promptCards(reader, adventureId, answers)
  return layOutPrompt({
    settings,
    adventure,
    cards,
    matcher,
    story,
    epoch: request.epoch ?? storedEpoch(reader, adventureId, before),
    recall: recallFor(reader, adventure, recalling),
    facts: request.facts ?? findFacts(reader, settings.endpoint_url, settings.model),
    reserve: request.reserve ?? 0,
    retold: before && findTurnNotes(reader, adventureId, before.id),
    world: promptWorld(reader, adventureId, before, answers),
    roll: toldRoll(reader, adventureId, before),
    steering: request.steering ?? findDraft(reader, adventureId).steering,
    timing: timedMoment(reader, { adventureId, before, cards, story }),
  })
}

/** The window may have been cut ahead since the passage was stored: a retry sends what the server has cached for it. */
function storedEpoch(reader: Reader, adventureId: number, before: ActionPosition | null): Epoch {
  return (before && findToldEpoch(reader, adventureId, before.id)) ?? getEpoch(reader, adventureId)
}

/** The roll in words for the model; '' without one. It is the same for a retry unless the dice are thrown again. */
function toldRoll(reader: Reader, adventureId: number, before: ActionPosition | null): string {
  const roll = findRolledLine(reader, adventureId, before)?.roll ?? null
  if (roll === null) return ''
  const { schema, state } = getWorld(reader, adventureId)
  const start = reconciledState(schema, stateBefore(reader, before) ?? state)
  return rollNote(roll, applyRoll(schema, start, roll, 0).verdicts, readRules(schema))
}

function stateBefore(reader: Reader, before: ActionPosition | null): WorldState | null {
  return before === null ? null : getVariants(reader, before.id).world_state_before
}

/**
 * The next prompt, with `reserve` estimated tokens left free. If the window has to be cut for that, the cut is stored: the
 * next turn sends what its server has read. Throws prompt_too_large.
 */
export function promptWithRoom(
  { library }: Pick<Deps, 'library'>,
  request: Pick<PromptRequest, 'adventureId' | 'settings' | 'reserve'>,
): Prompt {
  const { adventureId, settings } = request
  const prompt = buildPrompt(library.reader, request)
  if (prompt.epoch.reason === 'kept') return prompt
  library.write((tx) => updateEpoch(tx, adventureId, prompt.epoch))
  return buildPrompt(library.reader, { adventureId, settings })
}

/** The parts of a prompt up to the newest reply, or without one the static ones, which the turn after it shares. */
export function storyParts({ parts }: Prompt): PromptPart[] {
  return parts.slice(0, parts.findLastIndex(({ role }) => role !== 'user') + 1)
}

/** The section of the live values at the end of a story; '' without stats. */
export function liveStats(reader: Reader, adventureId: number): string {
  const world = promptWorld(reader, adventureId, null, findAnswers(reader, adventureId) ?? {})
  if (world === null) return ''
  const everybody = new Set(world.rules.npcs.map(({ id }) => id))
  return liveValuesSection(liveValueLines(world.rules, world.state, everybody))
}

/** The stats as the prompt shows them; null in a story without stats. */
function promptWorld(
  reader: Reader,
  adventureId: number,
  before: ActionPosition | null,
  answers: Answers,
): PromptWorld | null {
  const { schema, state } = getWorld(reader, adventureId)
  if (!hasStats(schema)) return null
  const shown = filledSchemaForModel(schema, answers)
  return {
    rules: readRules(shown),
    // A retry starts from the state before its passage, fitted to the schema as a refresh may have changed it since.
    state: filledState(reconciledState(schema, stateBefore(reader, before) ?? state), schema, answers),
  }
}

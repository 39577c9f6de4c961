import { type Static, Type } from '@sinclair/typebox'
import type { Reader } from '../../db/database.ts'
import { getAction } from '../../db/tables/actions/list.ts'
import { listPassageIds } from '../../db/tables/actions/passages.ts'
import { findSnapshot, type Snapshot } from '../../db/tables/actions/snapshots.ts'
import { findAdventure } from '../../db/tables/adventures.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { StoryError } from '../../domain/errors.ts'
import { Message, Usage } from '../../domain/model/model-request.ts'
import { TriggeredCard } from '../../domain/prompt/lore-notes.ts'
import type { PromptPart } from '../../domain/prompt/notes.ts'
import { messagesOf, PromptTokens, RecalledMemory } from '../../domain/prompt/prompt.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'
import type { Story } from '../../domain/prompt/window.ts'
import { ToldPassage } from '../../domain/recall/passage-notes.ts'
import type { VectorQuery } from '../../domain/recall/vectors.ts'
import { nullable } from '../../lib/typebox.ts'
import type { Deps } from '../deps.ts'
import { recallQuery } from '../memory/recall-query.ts'
import { buildPrompt } from './build-prompt.ts'
import { loadRecall } from './load-recall.ts'
import { toldStory, withLine } from './told-story.ts'

/**
 * A prompt for the player to read: each section with its cost in tokens, and the messages exactly as they are sent. Those
 * that older versions stored lack some keys, and have others.
 */
export const PromptDetails = Type.Object({
  sections: Type.Array(
    Type.Object({ label: Type.String(), role: Type.String(), text: Type.String(), tokens: Type.Integer() }),
    { description: 'The parts of the prompt with their cost' },
  ),
  messages: Type.Array(Message, { description: 'The messages as they are sent to the model' }),
  tokens: PromptTokens,
  cards: Type.Array(TriggeredCard),
  memories: Type.Array(RecalledMemory),
  passages: Type.Array(
    Type.Object({
      id: nullable(Type.Integer({ description: 'null for a passage that is gone' })),
      ...ToldPassage.properties,
    }),
    { description: 'Earlier passages that the line speaks of' },
  ),
  history: Type.Object({ included: Type.Integer(), total: Type.Integer() }),
  epoch: Type.Optional(
    Type.Object(
      { start: nullable(Type.Integer()), reason: Type.String() },
      { description: 'Where the story in the prompt begins, and why' },
    ),
  ),
  steering: Type.Optional(Type.String({ description: 'The player’s note about the new passage' })),
  shed: Type.Array(Type.String(), { description: 'What was left out because it did not fit' }),
  settings: Type.Object({
    model: Type.String(),
    api_mode: Type.String(),
    temperature: Type.Number(),
    max_output_tokens: Type.Integer(),
  }),
  usage: Type.Optional(nullable(Usage)),
  timings: Type.Optional(
    Type.Object({ first: Type.Number(), total: Type.Number() }, { description: 'Milliseconds' }),
  ),
})

export type PromptDetails = Static<typeof PromptDetails>

/** Reads the memories that the next prompt may need, in small pieces: call it before {@link nextPrompt}. */
export async function prepareNextPrompt({ library, closing }: Deps, adventureId: number): Promise<void> {
  if (findAdventure(library.reader, adventureId) !== null)
    await loadRecall(library.reader, adventureId, closing)
}

/** The prompt that the next turn would send: of the story as it is, or of one with a line. Throws not_found, prompt_too_large. */
export function nextPrompt(
  deps: Deps,
  adventureId: number,
  given: { story?: Story; query?: VectorQuery | null } = {},
): PromptDetails {
  const settings = getSettings(deps.library.reader)
  const { model, api_mode, temperature, max_output_tokens } = settings
  const {
    notes: _notes,
    ahead: _ahead,
    character: _character,
    timing: _timing,
    ...prompt
  } = buildPrompt(deps.library.reader, { adventureId, settings, ...given })
  return promptDetails(deps.library.reader, adventureId, {
    ...prompt,
    settings: { model, api_mode, temperature, max_output_tokens },
  })
}

/** The prompt that produced an action. Throws not_found, also when its prompt was not stored. */
export function pastPrompt(deps: Deps, adventureId: number, actionId: number): PromptDetails {
  getAction(deps.library.reader, adventureId, actionId)
  const snapshot = findSnapshot(deps.library.reader, adventureId, actionId)
  if (snapshot) return promptDetails(deps.library.reader, adventureId, snapshot)
  throw new StoryError('not_found', 'No prompt is stored for this passage.')
}

function promptDetails(
  reader: Reader,
  adventureId: number,
  { parts, passages, epoch, ...rest }: Snapshot,
): PromptDetails {
  const { total, plain } = rest.tokens
  // The sections' estimates are scaled to add up to the total of the prompt.
  const scale = total !== undefined && plain ? total / plain : 1
  const sections = parts.map(({ role, label, text }) => ({
    label,
    role,
    text,
    tokens: Math.round(estimateTokens(text) * scale),
  }))
  return {
    ...rest,
    // Prompts stored before there were epochs have none.
    ...(epoch && { epoch: { start: epoch.start, reason: epoch.reason } }),
    sections,
    messages: messagesOf(parts as PromptPart[]),
    passages: withIds(reader, adventureId, passages),
  }
}

/** Prompts stored before passages were quoted have none. */
function withIds(reader: Reader, adventureId: number, passages: Snapshot['passages'] | undefined) {
  if (!Array.isArray(passages)) return []
  const ids = listPassageIds(
    reader,
    adventureId,
    passages.map(({ index }) => index),
  )
  return passages.map((passage) => ({ ...passage, id: ids.get(passage.index) ?? null }))
}

/** The memories and passages that a turn with a line would recall, with the reasons. */
export const RecallTrial = Type.Pick(PromptDetails, ['memories', 'passages'])
export type RecallTrial = Static<typeof RecallTrial>

/** Changes nothing. Throws not_found, prompt_too_large. */
export async function tryRecall(deps: Deps, adventureId: number, line: string): Promise<RecallTrial> {
  const { library, closing } = deps
  await loadRecall(library.reader, adventureId, closing)
  const story = withLine(toldStory(library.reader, adventureId, null), line)
  const query = await recallQuery(deps, adventureId, story, closing)
  const { memories, passages } = nextPrompt(deps, adventureId, { story, query })
  return { memories, passages }
}

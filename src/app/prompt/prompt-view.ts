import type { Reader } from '../../db/database.ts'
import { getAction } from '../../db/tables/actions/list.ts'
import { listPassageIds } from '../../db/tables/actions/passages.ts'
import { findSnapshot, type Snapshot } from '../../db/tables/actions/snapshots.ts'
import { findAdventure } from '../../db/tables/adventures.ts'
import { getSettings } from '../../db/tables/settings.ts'
import { StoryError } from '../../domain/errors.ts'
import type { Message } from '../../domain/model/model-request.ts'
import type { PromptPart } from '../../domain/prompt/notes.ts'
import { messagesOf } from '../../domain/prompt/prompt.ts'
import { estimateTokens } from '../../domain/prompt/tokens.ts'
import type { Story } from '../../domain/prompt/window.ts'
import type { ToldPassage } from '../../domain/recall/passage-notes.ts'
import type { VectorQuery } from '../../domain/recall/vectors.ts'
import type { Deps } from '../deps.ts'
import { buildPrompt } from './build-prompt.ts'
import { loadRecall } from './load-recall.ts'

/** A prompt for the player to read: each section with its cost in tokens, and the messages exactly as they are sent. */
export interface PromptDetails extends Omit<Snapshot, 'parts' | 'passages'> {
  sections: { label: string; role: string; text: string; tokens: number }[]
  messages: Message[]
  /** Passages that were quoted; `id` is null for one that is gone. */
  passages: (ToldPassage & { id: number | null })[]
}

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
  { parts, passages, ...rest }: Snapshot,
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

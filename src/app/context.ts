import { getAction } from '../db/actions.ts'
import { getSettings } from '../db/tables/settings.ts'
import { findSnapshot, type Snapshot } from '../db/snapshots.ts'
import { StoryError } from '../domain/errors.ts'
import type { Part } from '../domain/prompt/notes.ts'
import { messagesOf } from '../domain/prompt/prompt.ts'
import { estimateTokens } from '../domain/prompt/tokens.ts'
import type { Message } from '../domain/model/model-request.ts'
import type { Deps } from './deps.ts'
import { promptFor } from './prompt.ts'

/** A prompt in the open: what each section says and costs, and the very messages that are sent. */
export interface Context extends Omit<Snapshot, 'parts'> {
  sections: { label: string; role: string; text: string; tokens: number }[]
  messages: Message[]
}

/** The prompt that the next turn would send. Throws not_found, prompt_too_large. */
export function nextContext(deps: Deps, adventureId: number): Context {
  const settings = getSettings(deps.library.reader)
  const { model, api_mode, temperature, max_output_tokens } = settings
  const { notes: _, ...prompt } = promptFor(deps.library.reader, adventureId, settings, null)
  return inTheOpen({ ...prompt, settings: { model, api_mode, temperature, max_output_tokens } })
}

/** The prompt from which an action was told. Throws not_found, also where none was kept. */
export function pastContext(deps: Deps, adventureId: number, actionId: number): Context {
  getAction(deps.library.reader, adventureId, actionId)
  const snapshot = findSnapshot(deps.library.reader, adventureId, actionId)
  if (snapshot) return inTheOpen(snapshot)
  throw new StoryError('not_found', 'No prompt is kept for this action.')
}

function inTheOpen({ parts, ...about }: Snapshot): Context {
  const { total, plain } = about.tokens
  const share = total !== undefined && plain ? total / plain : 1
  const sections = parts.map(({ role, label, text }) => ({
    label,
    role,
    text,
    tokens: Math.round(estimateTokens(text) * share),
  }))
  return { ...about, sections, messages: messagesOf(parts as Part[]) }
}

import type { Reader } from '../../db/database.ts'
import { getSettings } from '../../db/tables/settings.ts'
import type { PromptPart } from '../../domain/prompt/notes.ts'
import { messagesOf } from '../../domain/prompt/prompt.ts'
import type { Settings } from '../../domain/settings.ts'
import { serverOf } from '../../narrator/servers/servers.ts'
import type { Deps } from '../deps.ts'
import { canAsk, commonFields, knownEndpoint } from '../model/ask-model.ts'
import { readInPieces } from '../model/read-in-pieces.ts'
import { promptWithRoom, storyParts } from './build-prompt.ts'

/** Estimated tokens of the player's next line with its notes. */
const NEXT_TURN = 512
/** Stands where the player's line will be: some chat templates demand that the user speaks last. */
const NEXT_LINE = { role: 'user', label: 'history', text: '…' } as const
/** Estimated tokens that are not worth a request. */
const TRIFLE = 48

/**
 * Prepares the next turn of a story while the player reads: cuts the window if the turn would not fit, and lets the server
 * read what it has not read of the next prompt, with the notes that do not depend on the line. Throws prompt_too_large, or
 * as a background call.
 */
export async function readAhead(
  deps: Deps,
  { adventureId, signal }: { adventureId: number; signal: AbortSignal },
): Promise<void> {
  const { reader } = deps.library
  const settings = getSettings(reader)
  if (!readsAhead(reader, settings)) return
  const next = promptWithRoom(deps, { adventureId, settings, reserve: NEXT_TURN })
  const notes = next.ahead.map((note): PromptPart => ({ role: 'user', ...note }))
  const messages = messagesOf([...storyParts(next), ...notes, NEXT_LINE])
  const request = { ...commonFields(settings), temperature: 0, max_output_tokens: 1, messages }
  const endpoint = knownEndpoint(reader, settings)
  await readInPieces(deps, { endpoint, request }, signal, TRIFLE)
}

/** Only where the server is known to keep what it has read. */
function readsAhead(reader: Reader, settings: Settings): boolean {
  return (
    settings.read_ahead && canAsk(settings) && serverOf(knownEndpoint(reader, settings).server).keepsPrefix
  )
}

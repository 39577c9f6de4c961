import { KEPT_PROMPTS } from '../../domain/limits.ts'
import type { Reader, Step, Writer } from '../database.ts'
import { textHashesOfNotes, textHashesOfPrompt } from '../tables/actions/prompt-text-hashes.ts'

/** Narrations whose prompts are deleted in one step. */
const CHUNK = 200

/** Deletes the stored prompts of every story but for its newest passages. What later prompts need stays. */
export function* forgetPromptSteps(reader: Reader): Generator<Step, void> {
  const stories = reader.all<{ id: number }>('SELECT id FROM adventures ORDER BY id')
  for (const { id } of stories) {
    for (let left = true; left; )
      yield (tx) => {
        left = deleteSomePrompts(tx, id)
      }
    yield (tx) => deleteUnusedTexts(tx, id)
  }
}

/** Whether there may be more. */
function deleteSomePrompts(tx: Writer, adventureId: number): boolean {
  const deleted = tx.run(
    `UPDATE actions SET context_snapshot = NULL WHERE id IN (
       SELECT id FROM actions
        WHERE adventure_id = ? AND context_snapshot IS NOT NULL AND "index" < (
          SELECT min("index") FROM (SELECT "index" FROM actions
            WHERE adventure_id = ? AND type = 'ai' ORDER BY "index" DESC, id DESC LIMIT ?))
        LIMIT ?)`,
    adventureId,
    adventureId,
    KEPT_PROMPTS,
    CHUNK,
  )
  return deleted === CHUNK
}

// In one step with reading what is in use: a turn may store more in between.
function deleteUnusedTexts(tx: Writer, adventureId: number): void {
  const rows = tx.all<{ prompt: Uint8Array | string | null; notes: string | null }>(
    `SELECT context_snapshot AS prompt, prompt_notes AS notes FROM actions
      WHERE adventure_id = ? AND (context_snapshot IS NOT NULL OR prompt_notes IS NOT NULL)`,
    adventureId,
  )
  const used = rows.flatMap(({ prompt, notes }) => [
    ...(textHashesOfPrompt(prompt) ?? []),
    ...(typeof notes === 'string' ? textHashesOfNotes(notes) : []),
  ])
  tx.run(
    'DELETE FROM prompt_parts WHERE adventure_id = ? AND hash NOT IN (SELECT value FROM json_each(?))',
    adventureId,
    JSON.stringify([...new Set(used)]),
  )
}

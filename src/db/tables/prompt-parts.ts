import { hashOf } from '../../lib/hash.ts'
import type { Reader, Writer } from '../database.ts'

/** Stores a prompt text of an action, unless the story has it already. Returns its hash. */
export function upsertPromptPart(
  tx: Writer,
  { adventure_id, index }: { adventure_id: number; index: number },
  text: string,
): string {
  const hash = hashOf(text)
  tx.run(
    'INSERT INTO prompt_parts (adventure_id, hash, since, text) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    adventure_id,
    hash,
    index,
    text,
  )
  return hash
}

/** Texts by their hashes. Deleted texts are not included. */
export function listPromptParts(
  reader: Reader,
  adventureId: number,
  hashes: readonly string[],
): Map<string, string> {
  if (hashes.length === 0) return new Map()
  const rows = reader.all<{ hash: string; text: string }>(
    'SELECT hash, text FROM prompt_parts WHERE adventure_id = ? AND hash IN (SELECT value FROM json_each(?))',
    adventureId,
    JSON.stringify([...new Set(hashes)]),
  )
  return new Map(rows.map(({ hash, text }) => [hash, text]))
}

/** Deletes the texts that only undone actions used. */
export function deletePromptPartsAfter(tx: Writer, adventureId: number, newestIndex: number): void {
  tx.run('DELETE FROM prompt_parts WHERE adventure_id = ? AND since > ?', adventureId, newestIndex)
}

import { hashOf } from '../../lib/hash.ts'
import type { ColumnValue } from '../column-values.ts'
import { chunkSteps, type Reader, type Step, type Writer } from '../database.ts'

const CHUNK = 500

/** Bytes, which other programs may have written, sort after every text and would be found again and again. */
export const HASH_AFTER = "typeof(hash) = 'text' AND hash > ?"

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
    `SELECT own.hash, coalesce(shared.text, own.text) AS text
       FROM prompt_parts own LEFT JOIN shared_prompt_parts shared ON own.text = '' AND shared.hash = own.hash
      WHERE adventure_id = ? AND own.hash IN (SELECT value FROM json_each(?))`,
    adventureId,
    JSON.stringify([...new Set(hashes)]),
  )
  return new Map(rows.map(({ hash, text }) => [hash, text]))
}

/** Shares the texts up to the action at `last`, in small steps. No text is stored twice. */
export function sharePromptPartSteps(from: number, to: number, last: number): Generator<Step, void> {
  return chunkSteps<string>('', (tx, after) => shareSome(tx, { from, to, last }, after))
}

/** Returns the last hash; null when there are no more. */
function shareSome(
  tx: Writer,
  { from, to, last }: { from: number; to: number; last: number },
  after: string,
): string | null {
  const some = tx.column<string>(
    `SELECT hash FROM prompt_parts WHERE adventure_id = ? AND ${HASH_AFTER} AND since <= ? ORDER BY hash LIMIT ?`,
    from,
    after,
    last,
    CHUNK,
  )
  const hashes = JSON.stringify(some)
  const own = 'adventure_id = ? AND hash IN (SELECT value FROM json_each(?))'
  tx.run(
    `INSERT OR IGNORE INTO shared_prompt_parts SELECT hash, text FROM prompt_parts WHERE ${own} AND text <> ''`,
    from,
    hashes,
  )
  tx.run(`UPDATE prompt_parts SET text = '' WHERE ${own} AND text <> ''`, from, hashes)
  tx.copy('prompt_parts', { adventure_id: to }, own, from, hashes)
  return some.at(-1) ?? null
}

export function deletePromptPartsAfter(tx: Writer, adventureId: number, newestIndex: number): void {
  deletePromptParts(tx, 'adventure_id = ? AND since > ?', adventureId, newestIndex)
}

/** Deletes rows, and the shared texts that no story names any more. `which` is the SQL after WHERE. */
export function deletePromptParts(tx: Writer, which: string, ...values: ColumnValue[]): void {
  const shared = tx.column(`SELECT hash FROM prompt_parts WHERE ${which} AND text = ''`, ...values)
  tx.run(`DELETE FROM prompt_parts WHERE ${which}`, ...values)
  if (shared.length > 0)
    deleteUnusedTexts(tx, 'hash IN (SELECT value FROM json_each(?))', JSON.stringify(shared))
}

export function deleteUnusedTexts(tx: Writer, which: string, ...values: ColumnValue[]): void {
  tx.run(
    `DELETE FROM shared_prompt_parts WHERE ${which}
        AND NOT EXISTS (SELECT 1 FROM prompt_parts own WHERE own.hash = shared_prompt_parts.hash AND own.text = '')`,
    ...values,
  )
}

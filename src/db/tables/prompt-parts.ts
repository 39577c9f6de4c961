import { markOf } from '../../lib/hash.ts'
import type { Reader, Writer } from '../database.ts'

/** Keeps a text of a prompt by its mark; one that the story knows already is not stored again. */
export function keepPart(tx: Writer, adventureId: number, index: number, text: string): string {
  const mark = markOf(text)
  tx.run(
    'INSERT INTO prompt_parts (adventure_id, hash, since, text) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    adventureId,
    mark,
    index,
    text,
  )
  return mark
}

/** The texts of some marks; one that is gone is not among them. */
export function partTexts(
  reader: Reader,
  adventureId: number,
  marks: readonly string[],
): Map<string, string> {
  if (marks.length === 0) return new Map()
  const rows = reader.all<{ hash: string; text: string }>(
    'SELECT hash, text FROM prompt_parts WHERE adventure_id = ? AND hash IN (SELECT value FROM json_each(?))',
    adventureId,
    JSON.stringify([...new Set(marks)]),
  )
  return new Map(rows.map(({ hash, text }) => [hash, text]))
}

/** Forgets the texts that only undone actions have shown. */
export function pruneParts(tx: Writer, adventureId: number, newestIndex: number): void {
  tx.run('DELETE FROM prompt_parts WHERE adventure_id = ? AND since > ?', adventureId, newestIndex)
}

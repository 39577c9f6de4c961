import { CHAPTER_SAMPLE, type Chapter, chapterName, isAuthored } from '../../domain/text/chapter.ts'
import { variantFrom } from '../../domain/variant.ts'
import { parseListColumn } from '../column-values.ts'
import type { Reader, Writer } from '../database.ts'

export function listChapters(reader: Reader, adventureId: number): Chapter[] {
  return reader
    .all<Omit<Chapter, 'name'> & { text: string }>(
      `SELECT c.action_id, a."index", substr(a.text, 1, ${CHAPTER_SAMPLE}) AS text
         FROM chapters c CROSS JOIN actions a ON a.id = c.action_id AND a.adventure_id = c.adventure_id
        WHERE c.adventure_id = ? ORDER BY a."index", a.id`,
      adventureId,
    )
    .flatMap(({ text, ...chapter }) => {
      const name = chapterName(text)
      return name === null ? [] : [{ ...chapter, name }]
    })
}

export function updateChapter(
  tx: Writer,
  { id, adventure_id, text }: { id: number; adventure_id: number; text: string },
): void {
  if (chapterName(text) !== null && hasAuthoredText(tx, id))
    tx.run('INSERT OR REPLACE INTO chapters (action_id, adventure_id) VALUES (?, ?)', id, adventure_id)
  else deleteChapter(tx, id)
}

export function deleteChapter(tx: Writer, actionId: number): void {
  tx.run('DELETE FROM chapters WHERE action_id = ?', actionId)
}

function hasAuthoredText(reader: Reader, actionId: number): boolean {
  const row = reader.get<{ type: string; variants: string | null; variant_index: number }>(
    'SELECT type, variants, variant_index FROM actions WHERE id = ?',
    actionId,
  )
  if (row === null) return false
  return isAuthored(row.type, parseListColumn(row.variants).map(variantFrom)[row.variant_index])
}

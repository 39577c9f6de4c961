import { isObject } from '../../lib/objects.ts'
import { parseColumn } from '../column-values.ts'
import type { Reader } from '../database.ts'
import { textHashesOfNotes, textHashesOfPrompt } from '../tables/actions/prompt-text-hashes.ts'
import { BASE, type DoctorCheck, rowFinding } from './check.ts'

interface Row {
  id: number
  adventure_id: number
  text: unknown
  variant_count: number
  variant_index: number
  variants: unknown
  context_snapshot: unknown
  prompt_notes: unknown
}

/** A check of one action. `hasText` tells whether the story has a prompt text with that hash. */
interface ActionCheck extends Pick<DoctorCheck, 'name' | 'advice'> {
  what: string
  isWrong(row: Row, stored: unknown[], hasText: (hash: string) => boolean): boolean
}

const PROMPT_LOST = 'The story itself is intact, but Insights can no longer show that prompt.'

const CHECKS: readonly ActionCheck[] = [
  {
    name: 'versions',
    what: 'the versions of the passage cannot be read',
    advice: 'The current text is intact. Restore a backup if you need the other versions.',
    isWrong: ({ variants }, stored) =>
      (typeof variants === 'string' &&
        !['null', ''].includes(variants) &&
        !Array.isArray(parseColumn(variants))) ||
      stored.some((one) => !isObject(one) || typeof one.text !== 'string'),
  },
  {
    name: 'number of versions',
    what: 'the number of versions is wrong',
    advice: 'Edit the passage and save it: this writes its versions again.',
    isWrong: ({ variant_count }, stored) => variant_count !== stored.length,
  },
  {
    name: 'current version',
    what: 'the current version does not exist',
    advice: 'Switch to another version, or retry.',
    isWrong: ({ variant_index }, stored) => variant_index < 0 || variant_index >= Math.max(1, stored.length),
  },
  {
    name: 'text of the current version',
    what: 'the text differs from the current version',
    advice:
      'The text on the page counts. Edit the passage and save it, so that switching between versions keeps the text.',
    isWrong: ({ text, variant_index }, stored) => {
      const live = stored[variant_index]
      return isObject(live) && typeof live.text === 'string' && live.text !== text
    },
  },
  {
    name: 'stored prompt',
    what: 'the stored prompt cannot be read',
    advice: PROMPT_LOST,
    isWrong: ({ context_snapshot: blob }) => blob !== null && textHashesOfPrompt(blob) === null,
  },
  {
    name: 'texts of the stored prompt',
    what: 'a text of the stored prompt is missing',
    advice: PROMPT_LOST,
    isWrong: ({ context_snapshot: blob }, _, hasText) =>
      blob !== null && (textHashesOfPrompt(blob) ?? []).some((hash) => !hasText(hash)),
  },
  {
    name: 'notes of a turn',
    what: 'a text of the notes of the turn is missing',
    advice: 'The next prompts do without that note. Nothing else is affected.',
    isWrong: ({ prompt_notes: notes }, _, hasText) =>
      typeof notes === 'string' && textHashesOfNotes(notes).some((hash) => !hasText(hash)),
  },
]

const CHUNK = 200

/** Checks of the actions one by one. The first one to run reads the large columns for all. `applied` are the migrations. */
export function variantChecks(applied: ReadonlySet<string>): DoctorCheck[] {
  let found: Map<string, { id: number }[]> | null = null
  return CHECKS.map(({ name, what, advice }) => ({
    name,
    advice,
    since: BASE,
    find: (reader) => {
      found ??= findWrongActions(reader, applied)
      return rowFinding('actions', found.get(name) ?? [], what)
    },
  }))
}

/** The ids of the wrong actions by the name of the check. */
function findWrongActions(reader: Reader, applied: ReadonlySet<string>): Map<string, { id: number }[]> {
  const found = new Map<string, { id: number }[]>()
  const hashes = applied.has('0002-story.sql') ? promptTextHashes(reader) : new Map<number, Set<string>>()
  for (const row of allActions(reader, applied)) {
    const variants = typeof row.variants === 'string' ? parseColumn(row.variants) : null
    const stored = Array.isArray(variants) ? variants : []
    const hasText = (hash: string) => hashes.get(row.adventure_id)?.has(hash) === true
    for (const { name, isWrong } of CHECKS)
      if (isWrong(row, stored, hasText)) found.set(name, [...(found.get(name) ?? []), { id: row.id }])
  }
  return found
}

function* allActions(reader: Reader, applied: ReadonlySet<string>): Generator<Row> {
  const notes = applied.has('0004-prompt.sql') ? 'prompt_notes' : 'NULL'
  for (let last = 0; ; ) {
    const rows = reader.all<Row>(
      `SELECT id, adventure_id, text, variant_count, variant_index, variants, context_snapshot, ${notes} AS prompt_notes
         FROM actions WHERE id > ? ORDER BY id LIMIT ?`,
      last,
      CHUNK,
    )
    yield* rows
    const end = rows.at(-1)
    if (end === undefined) return
    last = end.id
  }
}

/** The hashes of all prompt texts by adventure. */
function promptTextHashes(reader: Reader): Map<number, Set<string>> {
  const rows = reader.all<{ adventure_id: number; hash: string }>(
    'SELECT adventure_id, hash FROM prompt_parts',
  )
  const groups = Map.groupBy(rows, ({ adventure_id }) => adventure_id)
  return new Map([...groups].map(([id, group]) => [id, new Set(group.map(({ hash }) => hash))]))
}

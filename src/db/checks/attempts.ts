import { inflateSync } from 'node:zlib'
import { isObject } from '../../lib/objects.ts'
import type { Reader } from '../database.ts'
import { readJson, readObject } from '../stored.ts'
import { BASE, type Check, rowsOf } from './check.ts'

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

/** What is wrong with one action; each check has its own phrase. */
type Wrong = (row: Row, attempts: unknown[], hasPart: (mark: string) => boolean) => boolean

const REBUILT = 'The story itself is whole. Insights cannot show that prompt any more.'

const CHECKS: { name: string; what: string; advice: string; wrong: Wrong }[] = [
  {
    name: 'attempts',
    what: 'have attempts that cannot be read',
    advice: 'Their words stand in the passage itself. Put a copy back if you miss another attempt.',
    wrong: ({ variants }, attempts) =>
      (typeof variants === 'string' &&
        !['null', ''].includes(variants) &&
        !Array.isArray(readJson(variants))) ||
      attempts.some((one) => !isObject(one) || typeof one.text !== 'string'),
  },
  {
    name: 'count of attempts',
    what: 'count their attempts wrongly',
    advice: 'Change a word of the passage and save it: its attempts are written anew.',
    wrong: ({ variant_count }, attempts) => variant_count !== attempts.length,
  },
  {
    name: 'live attempt',
    what: 'name a live attempt that is not there',
    advice: 'Page through the attempts once, or retry.',
    wrong: ({ variant_index }, attempts) =>
      variant_index < 0 || variant_index >= Math.max(1, attempts.length),
  },
  {
    name: 'words of the live attempt',
    what: 'show another text than their live attempt',
    advice:
      'The shown text counts. Open the passage with Edit and save it, so that paging away and back keeps it.',
    wrong: ({ text, variant_index }, attempts) => {
      const live = attempts[variant_index]
      return isObject(live) && typeof live.text === 'string' && live.text !== text
    },
  },
  {
    name: 'prompt',
    what: 'keep a prompt that cannot be read',
    advice: REBUILT,
    wrong: ({ context_snapshot: blob }) => blob !== null && partsOf(blob) === null,
  },
  {
    name: 'parts of a prompt',
    what: 'were told with a prompt of which a text is missing',
    advice: REBUILT,
    wrong: ({ context_snapshot: blob }, _, hasPart) =>
      blob !== null && (partsOf(blob) ?? []).some((mark) => !hasPart(mark)),
  },
  {
    name: 'notes of a turn',
    what: 'keep notes of which a text is missing',
    advice: 'The next turns are told without that note. Nothing else depends on it.',
    wrong: ({ prompt_notes: notes }, _, hasPart) =>
      typeof notes === 'string' && notesIn(notes).some((mark) => !hasPart(mark)),
  },
]

const CHUNK = 200

/**
 * What is looked at action by action. The heavy columns are read once for all: `taken` are the steps that the file has.
 */
export function attemptChecks(taken: ReadonlySet<string>): Check[] {
  let found: Map<string, number[]> | null = null
  return CHECKS.map(({ name, what, advice, wrong: _ }) => ({
    name,
    advice,
    since: BASE,
    find: (reader) => {
      found ??= walk(reader, taken)
      const ids = found.get(name) ?? []
      return ids.length === 0 ? [] : [`${rowsOf('actions', ids)}: ${what}`]
    },
  }))
}

function walk(reader: Reader, taken: ReadonlySet<string>): Map<string, number[]> {
  const found = new Map<string, number[]>()
  const notes = taken.has('0004-prompt.sql') ? 'prompt_notes' : 'NULL'
  const marks = taken.has('0002-story.sql') ? marksOf(reader) : new Map<number, Set<string>>()
  for (let last = 0; ; ) {
    const rows = reader.all<Row>(
      `SELECT id, adventure_id, text, variant_count, variant_index, variants, context_snapshot, ${notes} AS prompt_notes
         FROM actions WHERE id > ? ORDER BY id LIMIT ?`,
      last,
      CHUNK,
    )
    for (const row of rows) {
      const kept = typeof row.variants === 'string' ? readJson(row.variants) : null
      const attempts = Array.isArray(kept) ? kept : []
      const hasPart = (mark: string) => marks.get(row.adventure_id)?.has(mark) === true
      for (const { name, wrong } of CHECKS)
        if (wrong(row, attempts, hasPart)) found.set(name, [...(found.get(name) ?? []), row.id])
    }
    const end = rows.at(-1)
    if (end === undefined) return found
    last = end.id
  }
}

function marksOf(reader: Reader): Map<number, Set<string>> {
  const marks = new Map<number, Set<string>>()
  for (const { adventure_id, hash } of reader.all<{ adventure_id: number; hash: string }>(
    'SELECT adventure_id, hash FROM prompt_parts',
  ))
    marks.set(adventure_id, (marks.get(adventure_id) ?? new Set()).add(hash))
  return marks
}

/** The marks of the texts of a kept prompt, none for one of the earlier release; null when it cannot be read. */
function partsOf(blob: unknown): string[] | null {
  if (!(blob instanceof Uint8Array)) return null
  try {
    const kept = readObject(inflateSync(blob).toString())
    if (Array.isArray(kept?.parts)) return kept.parts.map((part) => String(part?.[2]))
    return Array.isArray(kept?.sections) ? [] : null
  } catch {
    return null
  }
}

function notesIn(text: string): string[] {
  const notes = readObject(text)
  return [notes?.before, notes?.after].flatMap((some) =>
    Array.isArray(some) ? some.map((note) => String(note?.[1])) : [],
  )
}

import { KEPT_PROMPTS } from '../../domain/limits.ts'
import { zlib } from '../../lib/bytes.ts'
import { parseObjectColumn } from '../column-values.ts'
import { chunkSteps, type Reader, type Step, type Writer } from '../database.ts'
import { type ActionPosition, FIRST_POSITION } from '../tables/actions/position.ts'
import { deletePromptParts, deleteUnusedTexts, HASH_AFTER } from '../tables/prompt-parts.ts'

/** Passages whose prompts are deleted in one step, and rows that are read in one step. */
const [CHUNK, CHUNK_OF_ROWS] = [50, 500]

/** Deletes the stored prompts of every story but for its newest passages. What later prompts need stays. */
export function* forgetPromptSteps(reader: Reader): Generator<Step, void> {
  for (const id of reader.column<number>('SELECT id FROM adventures ORDER BY id')) {
    const used = new Set<string>()
    yield* chunkSteps<ActionPosition>(FIRST_POSITION, (tx, after) => deleteSomePrompts(tx, id, after))
    yield* chunkSteps<ActionPosition>(FIRST_POSITION, (tx, after) => addUsedTexts(tx, id, after, used))
    yield* chunkSteps<string>('', (tx, after) => deleteSomeTexts(tx, id, after, used))
  }
  // Other programs delete stories without their shared texts.
  yield (tx) => deleteUnusedTexts(tx, 'TRUE')
}

const KEPT_FROM = `(SELECT min("index") FROM (SELECT "index" FROM actions
  WHERE adventure_id = ? AND type = 'ai' ORDER BY "index" DESC, id DESC LIMIT ${KEPT_PROMPTS}))`

function deleteSomePrompts(
  tx: Writer,
  adventureId: number,
  { index, id }: ActionPosition,
): ActionPosition | null {
  const rows = tx.all<ActionPosition>(
    `SELECT id, "index" FROM actions
      WHERE adventure_id = ? AND ("index", id) > (?, ?) AND "index" < ${KEPT_FROM} AND context_snapshot IS NOT NULL
      ORDER BY "index", id LIMIT ?`,
    adventureId,
    index,
    id,
    adventureId,
    CHUNK,
  )
  for (const one of rows) tx.update('actions', one.id, { context_snapshot: null })
  return rows.at(-1) ?? null
}

interface PromptRow extends ActionPosition {
  prompt: Uint8Array | string | null
  notes: string | null
}

const SELECT_PROMPTS = `SELECT id, "index", context_snapshot AS prompt, prompt_notes AS notes FROM actions
  WHERE adventure_id = ? AND (context_snapshot IS NOT NULL OR prompt_notes IS NOT NULL)`

function addUsedTexts(
  tx: Writer,
  adventureId: number,
  { index, id }: ActionPosition,
  used: Set<string>,
): ActionPosition | null {
  const rows = tx.all<PromptRow>(
    `${SELECT_PROMPTS} AND ("index", id) > (?, ?) ORDER BY "index", id LIMIT ?`,
    adventureId,
    index,
    id,
    CHUNK_OF_ROWS,
  )
  for (const hash of hashesIn(rows)) used.add(hash)
  return rows.at(-1) ?? null
}

// A turn may have stored more since the others were read, at the end of the story.
function deleteSomeTexts(
  tx: Writer,
  adventureId: number,
  after: string,
  used: ReadonlySet<string>,
): string | null {
  const hashes = tx.column<string>(
    `SELECT hash FROM prompt_parts WHERE adventure_id = ? AND ${HASH_AFTER} ORDER BY hash LIMIT ?`,
    adventureId,
    after,
    CHUNK_OF_ROWS,
  )
  const newest = tx.all<PromptRow>(`${SELECT_PROMPTS} AND "index" >= ${KEPT_FROM}`, adventureId, adventureId)
  const usedSince = new Set(hashesIn(newest))
  const unused = hashes.filter((hash) => !used.has(hash) && !usedSince.has(hash))
  deletePromptParts(
    tx,
    'adventure_id = ? AND hash IN (SELECT value FROM json_each(?))',
    adventureId,
    JSON.stringify(unused),
  )
  return hashes.at(-1) ?? null
}

function hashesIn(rows: readonly PromptRow[]): string[] {
  return rows.flatMap(({ prompt, notes }) => [
    ...(textHashesOfPrompt(prompt) ?? []),
    ...(typeof notes === 'string' ? textHashesOfNotes(notes) : []),
  ])
}

/** [] for a prompt of the earlier release; null if it cannot be read. */
function textHashesOfPrompt(blob: unknown): string[] | null {
  if (!(blob instanceof Uint8Array)) return null
  try {
    const prompt = parseObjectColumn(zlib().inflateSync(blob).toString())
    if (Array.isArray(prompt?.parts)) return prompt.parts.map((part) => String(part?.[2]))
    return Array.isArray(prompt?.sections) ? [] : null
  } catch {
    return null
  }
}

function textHashesOfNotes(json: string): string[] {
  const notes = parseObjectColumn(json)
  return [notes?.before, notes?.after].flatMap((list) =>
    Array.isArray(list) ? list.map((note) => String(note?.[1])) : [],
  )
}

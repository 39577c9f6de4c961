import type { Usage } from '../../../domain/model/model-request.ts'
import type { PromptPart } from '../../../domain/prompt/notes.ts'
import type { Prompt } from '../../../domain/prompt/prompt.ts'
import { summaryIn } from '../../../domain/prompt/static-parts.ts'
import { type TurnCost, turnCostFrom } from '../../../domain/prompt/turn-cost.ts'
import type { Epoch } from '../../../domain/prompt/window.ts'
import { zlib } from '../../../lib/bytes.ts'
import { parseObjectColumn } from '../../column-values.ts'
import type { Reader, Writer } from '../../database.ts'
import { hasSummary } from '../memory/summaries.ts'
import { listPromptParts, upsertPromptPart } from '../prompt-parts.ts'

interface CallSettings {
  model: string
  api_mode: string
  temperature: number
  max_output_tokens: number
}

/** One model call: its settings, the usage that the server reported, and the timings in milliseconds. */
interface SnapshotCall {
  settings: CallSettings
  usage: Usage | null
  timings: { first: number; total: number }
}

/** In rows of the earlier release, `parts` are the sections that it stored. */
export interface Snapshot
  extends Omit<Prompt, 'parts' | 'notes' | 'ahead' | 'character' | 'timing' | 'epoch'> {
  epoch?: Omit<Prompt['epoch'], 'summary'>
  parts: (Pick<PromptPart, 'text'> & { role: string; label: string })[]
  settings: CallSettings
  /** Absent in older prompts and in a prompt that was not sent. */
  usage?: Usage | null
  timings?: { first: number; total: number }
}

/** Stores the texts that are new to the story. Returns the compressed snapshot for its action. */
export function insertSnapshot(
  tx: Writer,
  action: { adventure_id: number; index: number },
  prompt: Prompt,
  call: SnapshotCall,
): Uint8Array {
  const {
    parts,
    notes: _notes,
    ahead: _ahead,
    character: _character,
    timing: _timing,
    epoch,
    ...about
  } = prompt
  const listed = parts.map(({ role, label, text }) => [role, label, upsertPromptPart(tx, action, text)])
  const { summary: _summary, ...storedEpoch } = epoch
  return zlib().deflateSync(JSON.stringify({ ...about, ...call, epoch: storedEpoch, parts: listed }))
}

/** Null if none is stored or it cannot be read. */
export function findSnapshot(reader: Reader, adventureId: number, actionId: number): Snapshot | null {
  const stored = inflatedSnapshot(findSnapshotBlob(reader, actionId))
  if (stored === null) return null
  if (!Array.isArray(stored.parts)) return fromEarlierRelease(stored)
  const listed = stored.parts as [string, string, string][]
  const texts = listPromptParts(
    reader,
    adventureId,
    listed.map(([, , hash]) => hash),
  )
  const parts = listed.map(([role, label, hash]) => ({ role, label, text: texts.get(hash) ?? '' }))
  return { ...(stored as unknown as Snapshot), parts }
}

/** Null without a prompt or a window, or if its summary no longer applies. */
export function findToldEpoch(reader: Reader, adventureId: number, actionId: number): Epoch | null {
  const snapshot = findSnapshot(reader, adventureId, actionId)
  const summary = snapshot ? summaryIn(snapshot.parts) : ''
  const holds = summary === '' || hasSummary(reader, adventureId, summary)
  return snapshot?.epoch && holds ? { ...snapshot.epoch, summary } : null
}

/** Oldest first. */
export function listTurnCosts(reader: Reader, adventureId: number, limit: number): TurnCost[] {
  return listSnapshotBlobs(reader, adventureId, limit)
    .map(({ index, context_snapshot }) => {
      const stored = inflatedSnapshot(context_snapshot)
      return stored && turnCostFrom(index, stored)
    })
    .filter((cost) => cost !== null)
    .toReversed()
}

function fromEarlierRelease(stored: Record<string, unknown>): Snapshot | null {
  if (!Array.isArray(stored.sections)) return null
  const sections = stored.sections as { label: string; text: string }[]
  const isStory = (label: string) => /history|note|front_memory|hint|reminder/.test(label)
  return {
    ...(stored as unknown as Snapshot),
    parts: sections.map(({ label, text }) => ({ role: isStory(label) ? 'user' : 'system', label, text })),
  }
}

export function inflatedSnapshot(blob: Uint8Array | string | null): Record<string, unknown> | null {
  // Version 42 of the earlier release and older ones stored plain text.
  if (blob === null || typeof blob === 'string') return parseObjectColumn(blob)
  try {
    return parseObjectColumn(zlib().inflateSync(blob).toString())
  } catch {
    return null
  }
}

function findSnapshotBlob(reader: Reader, actionId: number): Uint8Array | string | null {
  const row = reader.get<{ context_snapshot: Uint8Array | string | null }>(
    'SELECT context_snapshot FROM actions WHERE id = ?',
    actionId,
  )
  return row?.context_snapshot ?? null
}

/** Newest first. */
function listSnapshotBlobs(
  reader: Reader,
  adventureId: number,
  limit: number,
): { index: number; context_snapshot: Uint8Array | null }[] {
  return reader.all(
    `SELECT "index", context_snapshot FROM actions
      WHERE adventure_id = ? AND type = 'ai' ORDER BY "index" DESC, id DESC LIMIT ?`,
    adventureId,
    limit,
  )
}

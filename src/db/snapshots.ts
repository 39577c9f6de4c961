import { deflateSync, inflateSync } from 'node:zlib'
import { markOf } from '../domain/mark.ts'
import type { Part, Prompt } from '../domain/prompt/layout.ts'
import { findSnapshotBlob } from './actions.ts'
import type { Reader, Writer } from './database.ts'
import { readObject } from './stored.ts'

/** How the model was called. */
export interface CallSettings {
  model: string
  api_mode: string
  temperature: number
  max_output_tokens: number
}

/** A prompt as it was sent. In rows of the earlier release `parts` are the sections that it kept. */
export interface Snapshot extends Omit<Prompt, 'parts'> {
  parts: (Pick<Part, 'text'> & { role: string; label: string })[]
  settings: CallSettings
}

/** Stores the texts of a prompt that are new to the story, and gives the snapshot to keep with the action at `index`. */
export function insertSnapshot(
  tx: Writer,
  adventureId: number,
  index: number,
  prompt: Prompt,
  settings: CallSettings,
): Uint8Array {
  const { parts, ...about } = prompt
  const listed = parts.map(({ role, label, text }) => {
    const hash = markOf(text)
    tx.run(
      'INSERT INTO prompt_parts (adventure_id, hash, since, text) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
      adventureId,
      hash,
      index,
      text,
    )
    return [role, label, hash]
  })
  return deflateSync(JSON.stringify({ ...about, settings, parts: listed }))
}

/** The prompt of an action as it was sent; null when none is kept or it cannot be read. */
export function findSnapshot(reader: Reader, adventureId: number, actionId: number): Snapshot | null {
  const kept = inflated(findSnapshotBlob(reader, actionId))
  if (kept === null) return null
  if (!Array.isArray(kept.parts)) return ofEarlierRelease(kept)
  const listed = kept.parts as [string, string, string][]
  const parts = listed.map(([role, label, hash]) => ({
    role,
    label,
    text: partText(reader, adventureId, hash),
  }))
  return { ...(kept as unknown as Snapshot), parts }
}

/** Forgets the texts that only undone actions have shown. */
export function pruneParts(tx: Writer, adventureId: number, newestIndex: number): void {
  tx.run('DELETE FROM prompt_parts WHERE adventure_id = ? AND since > ?', adventureId, newestIndex)
}

function partText(reader: Reader, adventureId: number, hash: string): string {
  const row = reader.get<{ text: string }>(
    'SELECT text FROM prompt_parts WHERE adventure_id = ? AND hash = ?',
    adventureId,
    hash,
  )
  return row?.text ?? ''
}

function ofEarlierRelease(kept: Record<string, unknown>): Snapshot | null {
  if (!Array.isArray(kept.sections)) return null
  const sections = kept.sections as { label: string; text: string }[]
  const isStory = (label: string) => /history|note|front_memory|hint|reminder/.test(label)
  return {
    ...(kept as unknown as Snapshot),
    parts: sections.map(({ label, text }) => ({ role: isStory(label) ? 'user' : 'system', label, text })),
  }
}

function inflated(blob: Uint8Array | null): Record<string, unknown> | null {
  if (blob === null) return null
  try {
    return readObject(inflateSync(blob).toString())
  } catch {
    return null
  }
}

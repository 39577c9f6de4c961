import { deflateSync, inflateSync } from 'node:zlib'
import type { Part } from '../domain/prompt/notes.ts'
import type { Prompt } from '../domain/prompt/prompt.ts'
import type { Usage } from '../domain/model/model-request.ts'
import { type TurnCost, turnCostFrom } from '../domain/turn-cost.ts'
import { findSnapshotBlob, listSnapshotBlobs } from './actions.ts'
import type { Reader, Writer } from './database.ts'
import { keepPart, partTexts } from './tables/prompt-parts.ts'
import { readObject } from './stored.ts'

/** How the model was called. */
export interface CallSettings {
  model: string
  api_mode: string
  temperature: number
  max_output_tokens: number
}

/** One call of the model: how, what the server counted, and how long it took in milliseconds. */
export interface Call {
  settings: CallSettings
  usage: Usage | null
  timings: { first: number; total: number }
}

/** A prompt as it was sent. In rows of the earlier release `parts` are the sections that it kept. */
export interface Snapshot extends Omit<Prompt, 'parts' | 'notes' | 'epoch'> {
  epoch?: Omit<Prompt['epoch'], 'summary'>
  parts: (Pick<Part, 'text'> & { role: string; label: string })[]
  settings: CallSettings
  /** Absent in prompts that are older, and in one that was not sent. */
  usage?: Usage | null
  timings?: { first: number; total: number }
}

/** Stores the texts of a prompt that are new to the story, and gives the snapshot to keep with the action at `index`. */
export function insertSnapshot(
  tx: Writer,
  adventureId: number,
  index: number,
  prompt: Prompt,
  call: Call,
): Uint8Array {
  const { parts, notes: _notes, epoch, ...about } = prompt
  const listed = parts.map(({ role, label, text }) => [role, label, keepPart(tx, adventureId, index, text)])
  const { summary: _summary, ...begun } = epoch
  return deflateSync(JSON.stringify({ ...about, ...call, epoch: begun, parts: listed }))
}

/** The prompt of an action as it was sent; null when none is kept or it cannot be read. */
export function findSnapshot(reader: Reader, adventureId: number, actionId: number): Snapshot | null {
  const kept = inflated(findSnapshotBlob(reader, actionId))
  if (kept === null) return null
  if (!Array.isArray(kept.parts)) return ofEarlierRelease(kept)
  const listed = kept.parts as [string, string, string][]
  const texts = partTexts(
    reader,
    adventureId,
    listed.map(([, , mark]) => mark),
  )
  const parts = listed.map(([role, label, mark]) => ({ role, label, text: texts.get(mark) ?? '' }))
  return { ...(kept as unknown as Snapshot), parts }
}

/** What the newest so many turns of a story cost, oldest first. */
export function listTurnCosts(reader: Reader, adventureId: number, limit: number): TurnCost[] {
  return listSnapshotBlobs(reader, adventureId, limit)
    .map(({ index, context_snapshot }) => {
      const kept = inflated(context_snapshot)
      return kept && turnCostFrom(index, kept)
    })
    .filter((cost) => cost !== null)
    .toReversed()
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

function inflated(blob: Uint8Array | string | null): Record<string, unknown> | null {
  // Up to version 42 of the earlier release they were plain text, and somebody may have put one back.
  if (blob === null || typeof blob === 'string') return readObject(blob)
  try {
    return readObject(inflateSync(blob).toString())
  } catch {
    return null
  }
}

import { hashOf } from '../../lib/hash.ts'
import type { Message } from '../model/model-request.ts'
import { linesIn } from '../world/prompt/live-values.ts'

/** Adjacent parts of one role form one message. */
export interface PromptPart extends Message {
  label: PartLabel
}

export type PartLabel =
  | 'narrator'
  | 'world_state_guide'
  | 'ai_instructions'
  | 'plot_essentials'
  | 'example_dialogue'
  | 'story_summary'
  | 'language'
  | 'length_hint'
  | 'history'
  | 'world_lore'
  | 'memories'
  | 'authors_note'
  | 'world_state'
  | 'roll'
  | 'steering'
  | 'request'

export type TurnNote = Pick<PromptPart, 'label' | 'text'>

/** Notes around the player's line. They never change, so that servers can reuse the prefix. */
export interface TurnNotes {
  before: TurnNote[]
  after: TurnNote[]
  /** The ids of the cards included here, with the hashes of their texts. */
  lore: [id: number, hash: string][]
  /** The ids of the memories included here, with the hashes of their texts. */
  memories: [id: number, hash: string][]
  /** The indexes of the passages quoted here, with the hashes of the quotes and of the whole passages. */
  passages: [index: number, hash: string, passageHash: string][]
  /** The hash of everything that they were made from: a retry with the same inputs reuses them. */
  inputs: string
}

/** Notes as they are stored: with hashes instead of texts. */
export interface StoredNotes extends Omit<TurnNotes, 'before' | 'after'> {
  before: [PartLabel, string][]
  after: [PartLabel, string][]
}

/** Stored notes from a column; null for anything that another program has put there. */
export function notesFrom(value: Record<string, unknown> | null): StoredNotes | null {
  const isPair = (pair: unknown) => Array.isArray(pair) && typeof pair[1] === 'string'
  const areNotes = LISTS.every((name) => {
    const list = value?.[name] ?? (name === 'passages' ? [] : null)
    return Array.isArray(list) && list.every(isPair)
  })
  return areNotes ? ({ ...value, passages: value?.passages ?? [] } as unknown as StoredNotes) : null
}

/** Notes that were stored before passages were quoted have no list of them. */
const LISTS = ['before', 'after', 'lore', 'memories', 'passages'] as const

export function storedNotes(notes: TurnNotes): StoredNotes {
  const hashed = (some: TurnNote[]) =>
    some.map(({ label, text }): [PartLabel, string] => [label, hashOf(text)])
  return { ...notes, before: hashed(notes.before), after: hashed(notes.after) }
}

/** Labels of notes about state blocks, which older versions stored. They are not sent any more. */
const OUTDATED: readonly string[] = ['refusals', 'world_state_reminder']

/** Stored notes with their texts. One whose text is missing is left out. */
export function notesFromStored(
  stored: StoredNotes,
  textOf: (hash: string) => string | undefined,
): TurnNotes {
  const notes = (some: [PartLabel, string][]) =>
    some.flatMap(([label, hash]) => {
      const text = OUTDATED.includes(label) ? undefined : textOf(hash)
      return text === undefined ? [] : [{ label, text }]
    })
  return { ...stored, before: notes(stored.before), after: notes(stored.after) }
}

export interface ShownNotes {
  /** The hashes of texts, so that an edited card counts as new. */
  lore: Set<string>
  memories: Set<string>
  passages: Set<string>
  /** The last lines of the world state, by subject. */
  state: Map<string, string>
  /** The last author's note, and the turns since. */
  note: { text: string; ago: number } | null
}

/** Computed from the notes themselves, so that an undo or a cut cannot make it wrong. */
export function notesShownIn(turns: readonly (TurnNotes | null)[]): ShownNotes {
  const shown: ShownNotes = {
    lore: new Set(),
    memories: new Set(),
    passages: new Set(),
    state: new Map(),
    note: null,
  }
  for (const notes of turns) {
    if (shown.note) shown.note.ago++
    if (notes === null) continue
    for (const [, hash] of notes.lore) shown.lore.add(hash)
    for (const [, hash] of notes.memories) shown.memories.add(hash)
    for (const [, hash] of notes.passages) shown.passages.add(hash)
    for (const { label, text } of notes.before) {
      if (label === 'world_state') for (const [subject, line] of linesIn(text)) shown.state.set(subject, line)
      if (label === 'authors_note') shown.note = { text, ago: 1 }
    }
  }
  return shown
}

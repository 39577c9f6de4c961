import { markOf } from '../../lib/hash.ts'
import { linesIn } from '../world/live.ts'

/** A piece of a prompt and what it is for. Neighbours of one role make one message. */
export interface Part {
  role: 'system' | 'user' | 'assistant'
  label: Label
  text: string
}

export type Label =
  | 'narrator'
  | 'world_state_guide'
  | 'world_state_rule'
  | 'ai_instructions'
  | 'plot_essentials'
  | 'story_summary'
  | 'length_hint'
  | 'history'
  | 'world_lore'
  | 'memories'
  | 'authors_note'
  | 'world_state'
  | 'state_block'
  | 'refusals'
  | 'world_state_reminder'

/** A piece that stands beside the player's words. */
export type Note = Pick<Part, 'label' | 'text'>

/**
 * What stands around the player's words of one turn. It is written once, when the turn is told, and stands in every later
 * prompt as it stood in the first, so that a server never reads it again.
 */
export interface Notes {
  before: Note[]
  after: Note[]
  /** Cards that are told here, by id, with a mark of their text. */
  lore: [id: number, mark: string][]
  /** Memories that are told here. */
  memories: [id: number, mark: string][]
  /** A mark of everything that they were made from: a retry that finds the same uses them again. */
  inputs: string
}

/** Notes as they are kept: texts by their marks. */
export interface KeptNotes extends Omit<Notes, 'before' | 'after'> {
  before: [Label, string][]
  after: [Label, string][]
}

export function keptNotes(notes: Notes): KeptNotes {
  const kept = (some: Note[]) => some.map(({ label, text }): [Label, string] => [label, markOf(text)])
  return { ...notes, before: kept(notes.before), after: kept(notes.after) }
}

/** Kept notes with their texts. One whose text is gone is left out. */
export function notesFrom(kept: KeptNotes, textOf: (mark: string) => string | undefined): Notes {
  const notes = (some: [Label, string][]) =>
    some.flatMap(([label, mark]) => {
      const text = textOf(mark)
      return text === undefined ? [] : [{ label, text }]
    })
  return { ...kept, before: notes(kept.before), after: notes(kept.after) }
}

/** What the notes of some turns have shown already. */
export interface Shown {
  /** Marks of the texts that stand there: a card that was edited counts as new. */
  lore: Set<string>
  memories: Set<string>
  /** The lines of the world's state as they were told last. */
  state: Map<string, string>
  /** The last author's note, and how many turns ago that was. */
  note: { text: string; ago: number } | null
}

/** Read from the notes themselves, never counted: an undo or a cut cannot make it wrong. */
export function shownIn(turns: readonly (Notes | null)[]): Shown {
  const shown: Shown = { lore: new Set(), memories: new Set(), state: new Map(), note: null }
  for (const notes of turns) {
    if (shown.note) shown.note.ago++
    if (notes === null) continue
    for (const [, mark] of notes.lore) shown.lore.add(mark)
    for (const [, mark] of notes.memories) shown.memories.add(mark)
    for (const { label, text } of notes.before) {
      if (label === 'world_state') for (const [about, line] of linesIn(text)) shown.state.set(about, line)
      if (label === 'authors_note') shown.note = { text, ago: 1 }
    }
  }
  return shown
}

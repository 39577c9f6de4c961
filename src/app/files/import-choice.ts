import type { ImportPreview } from '../../domain/portable/import-preview.ts'
import type { NamedOwner } from '../../domain/story-card.ts'

/** Which parts of an upload to import. A missing list means all of it. */
export interface ImportChoice {
  /** Positions in the lists of its preview. */
  scenarios?: readonly number[]
  adventures?: readonly number[]
  /** The owner of cards that come without one. By default a new scenario. */
  owner?: NamedOwner
  /** The title of that new scenario. */
  title?: string
  /** Leaves out what is in the library already, where no positions are given. */
  skips_duplicates?: boolean
  /** What the file has to be: its first one is imported, and nothing else is chosen. */
  only?: 'scenario' | 'adventure' | 'cards'
}

export interface Imported {
  scenario_ids: number[]
  adventure_ids: number[]
  story_card_ids: number[]
}

export interface ImportOutcome {
  preview: ImportPreview
  imported: Imported
}

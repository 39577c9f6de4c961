/** Which parts of a plan to import. A missing list means all of it. */
export interface ImportChoice {
  /** Positions in the plan's lists. */
  scenarios?: readonly number[]
  adventures?: readonly number[]
  /** The owner of cards that come without one. By default a new scenario. */
  owner?: { scenario_id?: number; adventure_id?: number }
  /** The title of that new scenario. */
  title?: string
  /** What the file has to be: its first one is imported, and nothing else is chosen. */
  only?: 'scenario' | 'adventure' | 'cards'
}

/** The ids of what was imported. */
export interface Imported {
  scenario_ids: number[]
  adventure_ids: number[]
  story_card_ids: number[]
}

import type { ImportPreview } from '../../domain/portable/import-preview.ts'
import type { NamedOwner } from '../../domain/story-card.ts'
import { importRefused } from '../../formats/shared/import-refused.ts'

export const DUPLICATES = ['skip', 'import', 'replace'] as const

/** The parts of an upload to import. A missing list means all of it. */
export interface ImportChoice {
  /** Positions in the lists of its preview. */
  scenarios?: readonly number[]
  adventures?: readonly number[]
  /** The owner of cards that come without one. By default a new scenario. */
  owner?: NamedOwner | undefined
  /**
   * `skip` leaves out what is there already, where no positions are given; `replace` also replaces cards of the owner
   * by those of the same name.
   */
  duplicates?: (typeof DUPLICATES)[number]
  /** The required kind of file: its first item is imported, and nothing else is chosen. */
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

/** `unindexed` counts the passages left to the background work on the search index. */
export type WrittenImport = ImportOutcome & { unindexed: number }

/** Positions in the lists of the preview. */
export type Chosen = Record<'scenarios' | 'adventures', ReadonlySet<number>>

/**
 * The chosen positions of a plan that writes so many `cards` without an owner. Throws import_refused if that is nothing
 * or does not exist, and if the plan is not what it has to be.
 */
export function chosenOf(preview: ImportPreview, choice: ImportChoice, cards: number): Chosen {
  const { only, duplicates = 'import', ...lists } = choice
  const skipsDuplicates = duplicates !== 'import'
  const { scenarios, adventures } = only ? onlyChoice(preview, only) : lists
  const chosen = {
    scenarios: positions(preview.scenarios, scenarios, skipsDuplicates),
    adventures: positions(preview.adventures, adventures, skipsDuplicates),
  }
  if (chosen.scenarios.size + chosen.adventures.size + cards > 0) return chosen
  throw importRefused(
    preview.story_cards.length > 0 || !(scenarios ?? adventures)
      ? 'Everything in this file is in the library already, so nothing was imported.'
      : 'Nothing was selected, so nothing was imported.',
  )
}

function positions(
  items: readonly { is_duplicate: boolean; is_alternative: boolean }[],
  wanted: readonly number[] | undefined,
  skipsDuplicates: boolean,
): Set<number> {
  const missing = wanted?.find((position) => position >= items.length)
  if (missing !== undefined) throw importRefused(`There is no item ${missing} to import in this file.`)
  const isLeft = (item: (typeof items)[number]) =>
    item.is_alternative || (skipsDuplicates && item.is_duplicate)
  return new Set(wanted ?? items.flatMap((item, i) => (isLeft(item) ? [] : [i])))
}

/** For imports of one kind of item: the file that has it, its position, and the error for other files. */
const ONLY: Record<
  NonNullable<ImportChoice['only']>,
  { fits: (preview: ImportPreview) => boolean; scenarios: number; adventures: number; sentence: string }
> = {
  scenario: {
    fits: ({ adventures }) => adventures.length === 0,
    scenarios: 1,
    adventures: 0,
    sentence: 'This file contains an adventure. Send it to /api/adventures/import.',
  },
  adventure: {
    fits: ({ adventures }) => adventures.length > 0,
    scenarios: 0,
    adventures: 1,
    sentence:
      'This file contains no adventure. The formats accepted here are inglenook-adventure, ai-dnd-adventure-v1 and ai-dnd-adventure-v2.',
  },
  cards: {
    fits: ({ story_cards }) => story_cards.length > 0,
    scenarios: 0,
    adventures: 0,
    sentence: 'No cards found. Put the list under cards, storyCards or worldInfo.',
  },
}

function onlyChoice(preview: ImportPreview, only: keyof typeof ONLY): Pick<ImportChoice, keyof Chosen> {
  const { fits, scenarios, adventures, sentence } = ONLY[only]
  if (!fits(preview)) throw importRefused(sentence)
  const first = (items: readonly unknown[], count: number) => [...items.keys()].slice(0, count)
  return {
    scenarios: first(preview.scenarios, scenarios),
    adventures: first(preview.adventures, adventures),
  }
}

import type { PortableActions, PortableAdventure, PortableScenario } from '../../domain/portable/portable.ts'
import { EMPTY_SCENARIO } from '../../domain/scenario.ts'
import { importRefused } from '../../formats/shared/import-refused.ts'
import { isBlank } from '../../lib/text.ts'
import type { ImportChoice } from './import-choice.ts'
import type { PlannedFile } from './plan-import.ts'

/** The chosen parts of a file. Cards without an owner are in a scenario of their own, also if they will move to another one. */
export interface ChosenParts {
  scenarios: PortableScenario[]
  adventures: PortableAdventure<PortableActions>[]
  cards: PortableScenario | null
}

/** Takes what was chosen out of the files of an upload, one after another. */
export class Chooser {
  private readonly passed = { scenarios: 0, adventures: 0 }
  private count = 0

  constructor(private readonly choice: ImportChoice) {}

  /** Throws import_refused for a file that is not what it has to be. */
  partsOf(file: PlannedFile): ChosenParts {
    const { only, title = '' } = this.choice
    const choice = only ? onlyChoice(file, only) : this.choice
    const parts = {
      scenarios: this.chosen(file, 'scenarios', file.plan.scenarios, choice),
      adventures: this.chosen(file, 'adventures', file.plan.adventures, choice),
    }
    const { story_cards } = file.plan
    this.count += parts.scenarios.length + parts.adventures.length + story_cards.length
    const cards = { ...EMPTY_SCENARIO, title: isBlank(title) ? 'Imported cards' : title, story_cards }
    return { ...parts, cards: story_cards.length === 0 ? null : cards }
  }

  /** Throws import_refused if nothing was chosen, or if a chosen item does not exist. */
  assertFound(): void {
    for (const list of ['scenarios', 'adventures'] as const) {
      const missing = this.choice[list]?.find((place) => place >= this.passed[list])
      if (missing !== undefined) throw importRefused(`There is no item ${missing} to import in this file.`)
    }
    if (this.count > 0) return
    throw importRefused(
      this.choice.skips_duplicates
        ? 'Everything in this file is in the library already, so nothing was imported.'
        : 'Nothing was selected, so nothing was imported.',
    )
  }

  /** The items of a list that were chosen by their positions in the lists of all files. */
  private chosen<Item>(
    { preview }: PlannedFile,
    name: 'scenarios' | 'adventures',
    list: readonly Item[],
    choice: ImportChoice,
  ): Item[] {
    const first = this.passed[name]
    this.passed[name] += list.length
    const places = choice[name]
    if (places) return [...new Set(places)].flatMap((place) => list[place - first] ?? [])
    return list.filter((_, i) => {
      const { is_duplicate = false, is_alternative = false } = preview[name][i] ?? {}
      return !is_alternative && !(choice.skips_duplicates && is_duplicate)
    })
  }
}

/** For imports of one kind of item: which item of the file that is, and the error if it has none. */
const ONLY: Record<
  NonNullable<ImportChoice['only']>,
  {
    fits: (file: PlannedFile) => boolean
    choice: (file: PlannedFile) => ImportChoice
    sentence: string
  }
> = {
  scenario: {
    fits: ({ plan }) => plan.adventures.length === 0,
    choice: ({ plan }) => ({ scenarios: plan.scenarios.length > 0 ? [0] : [] }),
    sentence: 'This file contains an adventure. Send it to /api/adventures/import.',
  },
  adventure: {
    fits: ({ plan }) => plan.adventures.length > 0,
    choice: () => ({ scenarios: [], adventures: [0] }),
    sentence:
      'This file contains no adventure. The formats accepted here are inglenook-adventure, ai-dnd-adventure-v1 and ai-dnd-adventure-v2.',
  },
  cards: {
    fits: ({ plan }) => plan.story_cards.length > 0,
    choice: () => ({ scenarios: [], adventures: [] }),
    sentence: 'No cards found. Put the list under cards, storyCards or worldInfo.',
  },
}

function onlyChoice(file: PlannedFile, only: keyof typeof ONLY): ImportChoice {
  const { fits, choice, sentence } = ONLY[only]
  if (!fits(file)) throw importRefused(sentence)
  return choice(file)
}

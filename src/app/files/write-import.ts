import type { Library, Step, Writer } from '../../db/database.ts'
import { deleteSteps, show } from '../../db/stories/hidden.ts'
import { deleteScenario } from '../../db/tables/scenarios.ts'
import { type CardOwner, changeCardOwner } from '../../db/tables/story-cards.ts'
import type {
  ImportPlan,
  PortableActions,
  PortableAdventure,
  PortableScenario,
} from '../../domain/portable/portable.ts'
import { EMPTY_SCENARIO } from '../../domain/scenario.ts'
import { importRefused } from '../../formats/shared/import-refused.ts'
import { printError } from '../../lib/print.ts'
import { isBlank } from '../../lib/text.ts'
import { assertRoomForCards, cardOwnerFrom } from '../scenario/story-cards.ts'
import type { JobHost } from '../worker/worker-job.ts'
import { indexSteps, writeInPieces } from '../worker/write-in-pieces.ts'
import type { ImportChoice, Imported } from './import-choice.ts'
import { adventureSteps, countSteps, scenarioSteps, type Written } from './import-steps.ts'

/** The chosen parts. Cards without an owner are in a scenario of their own, also if they will move to another one. */
interface Chosen {
  scenarios: PortableScenario[]
  adventures: PortableAdventure<PortableActions>[]
  cards: PortableScenario | null
}

/** What was written before it is shown. */
interface Staged {
  scenarios: number[]
  adventures: number[]
  cards: { id: number; cards: number[] } | null
}

/** How an import is written. */
interface ImportRun {
  at: Date
  host: JobHost
  /** Whether its passages are left to the background work on the search index. */
  leavesIndex: boolean
}

/**
 * Imports the chosen parts of a plan in short transactions. What they add is hidden until it is complete. Nothing in the
 * library is replaced, and nothing is left of an import that fails. Returns also how many passages are not in the search
 * index. Throws import_refused, and invalid or not_found for an owner that is none.
 */
export async function writeImport(
  library: Library,
  plan: ImportPlan<PortableActions>,
  choice: ImportChoice,
  { at, host, leavesIndex }: ImportRun,
): Promise<{ imported: Imported; unindexed: number }> {
  const parts = chosenParts(plan, choice.only ? onlyChoice(plan, choice.only, choice) : choice)
  const owner = choice.owner && cardOwnerFrom(library.reader, choice.owner)
  if (owner) assertRoomForCards(library.reader, owner, plan.story_cards.length)
  const scenarios = [...parts.scenarios, ...(parts.cards ? [parts.cards] : [])]
  const progress = { done: 0, total: countSteps(scenarios, parts.adventures, leavesIndex) }
  const written: Written = { scenarios: [], adventures: [], actions: [] }
  const imported = await stageAndPublish().catch(async (error: unknown) => {
    // A failure of this leaves hidden rows, which the next start deletes.
    await writeInPieces(library, deleteSteps(written), host, progress)
    throw error
  })
  if (leavesIndex) return { imported, unindexed: written.actions.length }
  const rows = written.actions.map((id) => ({ kind: 'action', id }) as const)
  await writeInPieces(library, indexSteps(rows), host, progress).catch((error: unknown) =>
    // The import is complete, and the next start indexes what is missing.
    printError('An import could not be added to the search index', error),
  )
  return { imported, unindexed: 0 }

  async function stageAndPublish(): Promise<Imported> {
    const staged = await writeInPieces(library, stage(parts, written, at), host, progress)
    await host.mayWrite()
    return library.writeDurably((tx) => publish(tx, written, staged, owner))
  }
}

/** What of a file is chosen that has to be of one kind, and how one that is not is refused. */
const ONLY: Record<
  NonNullable<ImportChoice['only']>,
  {
    fits: (plan: ImportPlan<PortableActions>) => boolean
    choice: (plan: ImportPlan<PortableActions>) => ImportChoice
    sentence: string
  }
> = {
  scenario: {
    fits: ({ adventures }) => adventures.length === 0,
    choice: ({ scenarios }) => ({ scenarios: scenarios.length > 0 ? [0] : [] }),
    sentence: 'This file contains an adventure. Send it to /api/adventures/import.',
  },
  adventure: {
    fits: ({ adventures }) => adventures.length > 0,
    choice: () => ({ scenarios: [], adventures: [0] }),
    sentence:
      'This file contains no adventure. The formats accepted here are inglenook-adventure, ai-dnd-adventure-v1 and ai-dnd-adventure-v2.',
  },
  cards: {
    fits: ({ story_cards }) => story_cards.length > 0,
    choice: () => ({ scenarios: [], adventures: [] }),
    sentence: 'No cards found. Put the list under cards, storyCards or worldInfo.',
  },
}

function onlyChoice(
  plan: ImportPlan<PortableActions>,
  only: keyof typeof ONLY,
  rest: ImportChoice,
): ImportChoice {
  const { fits, choice, sentence } = ONLY[only]
  if (!fits(plan)) throw importRefused(sentence)
  return { ...rest, ...choice(plan) }
}

function chosenParts(
  plan: ImportPlan<PortableActions>,
  { scenarios, adventures, title = '' }: ImportChoice,
): Chosen {
  const parts = {
    scenarios: chosen(plan.scenarios, scenarios),
    adventures: chosen(plan.adventures, adventures),
  }
  const { story_cards } = plan
  if (parts.scenarios.length + parts.adventures.length + story_cards.length === 0)
    throw importRefused('Nothing was selected, so nothing was imported.')
  const cards = { ...EMPTY_SCENARIO, title: isBlank(title) ? 'Imported cards' : title, story_cards }
  return { ...parts, cards: story_cards.length === 0 ? null : cards }
}

function chosen<T>(list: readonly T[], places: readonly number[] | undefined): T[] {
  if (places === undefined) return [...list]
  return [...new Set(places)].map((place) => {
    const one = list[place]
    if (one === undefined) throw importRefused(`There is no item ${place} to import in this file.`)
    return one
  })
}

function* stage(parts: Chosen, written: Written, at: Date): Generator<Step, Staged> {
  const staged: Staged = { scenarios: [], adventures: [], cards: null }
  for (const one of parts.scenarios) staged.scenarios.push((yield* scenarioSteps(one, written, at)).id)
  for (const one of parts.adventures) staged.adventures.push(yield* adventureSteps(one, written, at))
  if (parts.cards) staged.cards = yield* scenarioSteps(parts.cards, written, at)
  return staged
}

function publish(tx: Writer, written: Written, staged: Staged, owner: CardOwner | undefined): Imported {
  const { adventures, scenarios, cards } = staged
  show(tx, written)
  if (cards && owner) {
    changeCardOwner(tx, { scenario_id: cards.id }, owner)
    deleteScenario(tx, cards.id)
  }
  return {
    scenario_ids: cards && !owner ? [...scenarios, cards.id] : scenarios,
    adventure_ids: adventures,
    story_card_ids: cards?.cards ?? [],
  }
}

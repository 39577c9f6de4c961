import type { Step, Writer } from '../../db/database.ts'
import type { Library } from '../../db/library.ts'
import { linkBranches } from '../../db/stories/branches.ts'
import { deleteSteps, show } from '../../db/stories/hidden.ts'
import {
  adventureSteps,
  countSteps,
  scenarioSteps,
  type Written,
  type WrittenScenario,
} from '../../db/stories/import-steps.ts'
import { deleteScenario } from '../../db/tables/scenarios.ts'
import { type CardOwner, changeCardOwner } from '../../db/tables/story-cards.ts'
import type { PortableBranch } from '../../domain/portable/portable.ts'
import { printError } from '../../lib/print.ts'
import { assertRoomForCards, cardOwnerFrom } from '../scenario/story-cards.ts'
import type { JobHost } from '../worker/worker-job.ts'
import { indexSteps, writeInPieces } from '../worker/write-in-pieces.ts'
import { Chooser, type ChosenParts } from './chosen-parts.ts'
import type { ImportChoice, Imported } from './import-choice.ts'
import type { PlannedFile } from './plan-import.ts'

/** What was written before it is shown. */
interface Staged {
  scenarios: number[]
  adventures: number[]
  branches: { id: number; branch: PortableBranch }[]
  /** The scenarios that stories brought along, by their hashes: several stories may have begun from one. */
  known: Map<string, WrittenScenario>
  cards: { id: number; cards: number[] } | null
}

/** The files of an import, whose plans are made one at a time. */
interface PlannedFiles {
  count: number
  plans: () => AsyncIterable<PlannedFile> | Iterable<PlannedFile>
}

interface ImportRun {
  at: Date
  host: JobHost
  /** Whether its passages are left to the background work on the search index. */
  leavesIndex: boolean
}

/**
 * Imports the chosen parts of some files in short transactions. What they add is hidden until it is complete. Nothing in the
 * library is replaced, and nothing is left of an import that fails. Its progress is counted in steps, or in files for several files.
 * Returns also how many passages are not in the search index. Throws import_refused, and invalid or not_found for an owner
 * that is none.
 */
export async function writeImport(
  library: Library,
  files: PlannedFiles,
  choice: ImportChoice,
  { at, host, leavesIndex }: ImportRun,
): Promise<{ imported: Imported; unindexed: number }> {
  const owner = choice.owner && cardOwnerFrom(library.reader, choice.owner)
  const written: Written = { scenarios: [], adventures: [], actions: [] }
  const isSingle = files.count === 1
  const stepHost = isSingle ? host : { ...host, report: () => {} }
  let progress = { done: 0, total: 0 }
  const imported = await stageAndPublish().catch(async (error: unknown) => {
    // A failure of this leaves hidden rows, which the next start deletes.
    await writeInPieces(library, deleteSteps(written), stepHost, progress)
    giveBackJournal(library)
    throw error
  })
  if (leavesIndex) return { imported, unindexed: written.actions.length }
  const rows = written.actions.map((id) => ({ kind: 'action', id }) as const)
  await writeInPieces(library, indexSteps(rows), stepHost, progress).catch((error: unknown) =>
    // The import is complete, and the next start indexes what is missing.
    printError('An import could not be added to the search index', error),
  )
  return { imported, unindexed: 0 }

  async function stageAndPublish(): Promise<Imported> {
    const staged: Staged = { scenarios: [], adventures: [], branches: [], known: new Map(), cards: null }
    const chooser = new Chooser(choice)
    let done = 0
    for await (const file of files.plans()) {
      if (owner) assertRoomForCards(library.reader, owner, file.plan.story_cards.length)
      const parts = chooser.partsOf(file)
      const scenarios = [...parts.scenarios, ...(parts.cards ? [parts.cards] : [])]
      if (isSingle) chooser.assertFound()
      progress = { done: 0, total: countSteps(scenarios, parts.adventures, leavesIndex) }
      await writeInPieces(library, stage(parts, staged, written, at), stepHost, progress)
      if (!isSingle) host.report({ done: ++done, total: files.count })
    }
    chooser.assertFound()
    await host.mayWrite()
    return library.writeDurably((tx) => publish(tx, written, staged, owner))
  }
}

// The pages of the journal go back to the disk; those of the file are used by what is written next.
function giveBackJournal(library: Library): void {
  try {
    library.checkpoint()
  } catch {
    // The disk is full. The service tries again in its next rest.
  }
}

function* stage(parts: ChosenParts, staged: Staged, written: Written, at: Date): Generator<Step, void> {
  for (const one of parts.scenarios) staged.scenarios.push((yield* scenarioSteps(one, written, at)).id)
  for (const one of parts.adventures) {
    const id = yield* adventureSteps(one, { written, known: staged.known, at })
    staged.adventures.push(id)
    if (one.branch) staged.branches.push({ id, branch: one.branch })
  }
  if (parts.cards) staged.cards = yield* scenarioSteps(parts.cards, written, at)
}

function publish(tx: Writer, written: Written, staged: Staged, owner: CardOwner | undefined): Imported {
  const { adventures, scenarios, branches, cards } = staged
  show(tx, written)
  linkBranches(tx, branches)
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

import type { Step, Writer } from '../../db/database.ts'
import type { Library } from '../../db/library.ts'
import { assertRoomToImport } from '../../db/storage-errors.ts'
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
import { type CardOwner, changeCardOwner, getCard, updateCard } from '../../db/tables/story-cards.ts'
import type { PortableBranch } from '../../domain/portable/portable.ts'
import { assertRoomForCards, cardOwnerFrom } from '../scenario/story-cards.ts'
import type { JobHost } from '../worker/worker-job.ts'
import { indexSteps, runSteps, writeInPieces } from '../worker/write-in-pieces.ts'
import { type FilePlan, plansIn } from './file-plans.ts'
import {
  type Chosen,
  chosenOf,
  type ImportChoice,
  type Imported,
  type WrittenImport,
} from './import-choice.ts'
import type { KeptPlan } from './kept-plans.ts'
import { cardsToWrite, compareLooseCards, scenarioOfCards, type WrittenCards } from './loose-cards.ts'

/** The limits of an import that is written and indexed within 50 ms, with a cover. */
const [FEW_ROWS, FEW_BYTES] = [500, 512 * 1024]

/** True if a plan is written in one transaction. */
export function isShort({ rows, parts, plans }: KeptPlan): boolean {
  return rows <= FEW_ROWS && plans.to <= FEW_BYTES && parts.every((part) => typeof part === 'number')
}

interface ImportRun {
  at: Date
  host: JobHost
}

/**
 * Imports the chosen parts of a plan, all or none. Nothing in the library is replaced but cards, if that is chosen.
 * Throws import_refused, storage_full, and invalid or not_found for an owner that is none.
 */
export async function writeImport(
  library: Library,
  plan: KeptPlan,
  choice: ImportChoice,
  run: ImportRun,
): Promise<WrittenImport> {
  const owner = choice.owner && cardOwnerFrom(library.reader, choice.owner)
  const { preview, cards } = await compareLooseCards(library.reader, plan, choice.owner)
  const changes = cardsToWrite(cards, choice.duplicates)
  const chosen = chosenOf(preview, choice, changes.added.length + changes.replaced.length)
  if (owner) assertRoomForCards(library.reader, owner, changes.added.length)
  const writing = new ImportWriting(chosen, changes, plan.name, run.at)
  if (!isShort(plan)) {
    const imported = await writeLong(library, plan, writing, owner, run.host)
    return { preview, imported, unindexed: writing.written.actions.length }
  }
  const files = await Array.fromAsync(plansIn(plan))
  const imported = library.writeDurably((tx) => {
    for (const file of files) runSteps(tx, writing.steps(file))
    runSteps(tx, indexSteps(writing.written.actions.map((id) => ({ kind: 'action', id }) as const)))
    return writing.publish(tx, owner)
  })
  return { preview, imported, unindexed: 0 }
}

/** Imports in short transactions. What they add is hidden until it is complete, and nothing is left of an import that fails. */
async function writeLong(
  library: Library,
  plan: KeptPlan,
  writing: ImportWriting,
  owner: CardOwner | undefined,
  host: JobHost,
): Promise<Imported> {
  assertRoomToImport(library.path, bytesOf(plan))
  const { progress, written } = writing
  progress.total = plan.rows
  try {
    for await (const file of plansIn(plan)) await writeInPieces(library, writing.steps(file), host, progress)
    await host.mayWrite()
    return library.writeDurably((tx) => writing.publish(tx, owner))
  } catch (error) {
    // A failure of this leaves hidden rows, which the next start deletes.
    await writeInPieces(library, deleteSteps(written), host, progress)
    giveBackJournal(library)
    throw error
  }
}

function bytesOf({ plans, parts }: KeptPlan): number {
  return parts.reduce<number>(
    (sum, part) => sum + (typeof part === 'number' ? 0 : part.to - part.from),
    plans.to,
  )
}

// The pages of the journal go back to the disk; those of the file are used by what is written next.
function giveBackJournal(library: Library): void {
  try {
    library.checkpoint()
  } catch {
    // The disk is full. The service tries again in its next rest.
  }
}

/** Writes an import, hidden until it is published. */
class ImportWriting {
  readonly written: Written = { scenarios: [], adventures: [], actions: [] }
  /** Counted in rows. What was not chosen counts as done. */
  readonly progress = { done: 0, total: 0 }
  private readonly passed = { scenarios: 0, adventures: 0 }
  private readonly imported: Imported = { scenario_ids: [], adventure_ids: [], story_card_ids: [] }
  private readonly branches: { id: number; branch: PortableBranch }[] = []
  /** The scenarios that stories brought along, by their hashes: several stories may have begun from one. */
  private readonly known = new Map<string, WrittenScenario>()
  /** The scenario of cards without an owner, also if they will move to another one. */
  private cards: WrittenScenario | null = null

  constructor(
    private readonly chosen: Chosen,
    private readonly changes: WrittenCards,
    private readonly fileName: string,
    private readonly at: Date,
  ) {}

  /** The chosen parts of a file, hidden. */
  *steps({ scenarios, adventures, story_cards, book }: FilePlan): Generator<Step, void> {
    const { written, known, at, imported, progress } = this
    const { added } = this.changes
    for (const one of scenarios)
      if (this.isChosen('scenarios')) imported.scenario_ids.push((yield* scenarioSteps(one, written, at)).id)
      else progress.done += countSteps([one], [])
    for (const one of adventures)
      if (this.isChosen('adventures')) {
        const id = yield* adventureSteps(one, { written, known, at })
        imported.adventure_ids.push(id)
        if (one.branch) this.branches.push({ id, branch: one.branch })
      } else progress.done += countSteps([], [one])
    if (story_cards.length > 0 && added.length > 0)
      this.cards = yield* scenarioSteps(scenarioOfCards(this.fileName, added, book), written, at)
  }

  /** Shows everything. */
  publish(tx: Writer, owner: CardOwner | undefined): Imported {
    const { cards, imported } = this
    const { replaced } = this.changes
    for (const { id, card } of replaced)
      updateCard(tx, getCard(tx, id).id, { ...card, timing: card.timing ?? null })
    show(tx, this.written)
    linkBranches(tx, this.branches)
    if (cards && owner) {
      changeCardOwner(tx, { scenario_id: cards.id }, owner)
      deleteScenario(tx, cards.id)
    } else if (cards) imported.scenario_ids.push(cards.id)
    return { ...imported, story_card_ids: [...replaced.map(({ id }) => id), ...(cards?.cards ?? [])] }
  }

  private isChosen(list: keyof Chosen): boolean {
    return this.chosen[list].has(this.passed[list]++)
  }
}

import type { Library } from '../../db/library.ts'
import { bytesOfValue, type StoredFile, storeFile } from '../../db/stored-file.ts'
import { countSteps } from '../../db/stories/import-steps.ts'
import { StoryError } from '../../domain/errors.ts'
import {
  type FileFate,
  fateOf,
  type ImportPreview,
  previewOf,
  refusedFate,
} from '../../domain/portable/import-preview.ts'
import type { ImportPlan, PortableActions } from '../../domain/portable/portable.ts'
import { addReceipt, emptyReceipt, type Receipt } from '../../domain/portable/receipt.ts'
import { UNFIT_PICTURE } from '../../formats/character-card/icon.ts'
import { ACCEPTED } from '../../formats/detect.ts'
import { importRefused } from '../../formats/shared/import-refused.ts'
import type { AnyUpload } from '../runtime/uploads.ts'
import { mayBeCover } from '../scenario/covers.ts'
import { coverOf, withCover } from './file-plans.ts'
import type { KeptPlan } from './kept-plans.ts'
import { KnownContent } from './known-content.ts'
import { scenarioOfCards } from './loose-cards.ts'
import { filesIn, type ImportedFile, type ReadFile } from './uploaded-files.ts'

type Plan = ImportPlan<PortableActions>

/** Reads an upload and keeps its plan; nothing is written to the library. Throws import_refused, storage_full. */
export async function planUpload(library: Library, upload: AnyUpload): Promise<KeptPlan> {
  const planning = new Planning(new KnownContent(library.reader))
  const { files, isSingle } = filesIn(upload)
  const plans = await storeFile(library.path, planning.plansOf(files, isSingle))
  const { previews, fates, parts, rows } = planning
  const preview = isSingle && previews[0] ? { ...previews[0], files: fates } : planning.previewOfAll()
  const name = (isSingle && files[0]?.name) || upload.name
  return { name, preview, plans, parts, rows, uploads: [] }
}

/** The covers in a preview. Decoding hundreds of pictures takes longer than anything else of it. */
const SHOWN_COVERS = 12

/** Makes the plans of an upload one at a time, because together they may not fit into memory. */
class Planning {
  readonly previews: ImportPreview[] = []
  readonly fates: FileFate[] = []
  readonly parts: (number | StoredFile)[] = []
  rows = 0
  private readonly receipt = emptyReceipt()
  private covers = 0

  constructor(private readonly known: KnownContent) {}

  /**
   * The plans as they are stored. Of several files, those that are refused are left out. Throws import_refused where nothing
   * is left.
   */
  async *plansOf(files: readonly ImportedFile[], isSingle: boolean): AsyncGenerator<Uint8Array> {
    let refusal = 'There is no file in this archive.'
    for (const file of files) {
      const read = isSingle ? await file.read() : await this.readOrReject(file)
      if (typeof read === 'string') refusal = `None of these files can be imported. ${file.name}: ${read}`
      else {
        const plan = await this.withPicture(read.plan)
        yield* this.add(file.name, isSingle ? plan : withOwnedCards(plan, file.name), read.story)
      }
    }
    if (this.previews.length === 0) throw importRefused(refusal)
  }

  previewOfAll(): ImportPreview {
    const refused = this.fates.filter(({ refusal }) => refusal !== null)
    const byReason = Map.groupBy(refused, ({ refusal }) => refusal ?? '')
    return {
      kind: 'files',
      scenarios: this.previews.flatMap(({ scenarios }) => scenarios),
      adventures: this.previews.flatMap(({ adventures }) => adventures),
      story_cards: [],
      files: this.fates,
      rejected_files: [...byReason].map(([reason, files]) => ({
        reason,
        names: files.map(({ name }) => name),
      })),
      receipt: this.receipt,
    }
  }

  private *add(name: string, plan: Plan, story: StoredFile | null): Generator<Uint8Array> {
    const { receipt, ...content } = plan
    const preview = previewOf(plan.oversized ? withCover(plan, UNSCALED) : plan, this.known)
    for (const item of [...preview.scenarios, ...preview.adventures])
      if (item.image !== '' && ++this.covers > SHOWN_COVERS) item.image = ''
    this.previews.push(preview)
    this.fates.push(fateOf(name, preview))
    addReceipt(this.receipt, receipt)
    this.rows += countSteps(plan.scenarios, plan.adventures) + plan.story_cards.length
    const bytes = story ? null : bytesOfValue(content)
    this.parts.push(bytes ? bytes.length : (story as StoredFile))
    if (bytes) yield bytes
  }

  /** One of several files, or the reason why it is refused. */
  private async readOrReject(file: ImportedFile): Promise<ReadFile | string> {
    try {
      return await file.read()
    } catch (error) {
      if (!(error instanceof StoryError) || error.code !== 'import_refused') throw error
      const reason = error.message.replace(ACCEPTED, '').trim()
      this.fates.push(refusedFate(file.name, reason))
      return reason
    }
  }

  /** Pictures of character cards are large. One that the preview shows is scaled down to a cover, others by the import. */
  private async withPicture({ oversized, ...plan }: Plan): Promise<Plan> {
    if (!oversized) return plan
    const isShown = this.covers < SHOWN_COVERS
    const image = isShown ? await coverOf(oversized) : ''
    if (isShown ? image === '' : !mayBeCover(oversized)) return plan
    const receipt = withScaledPicture(plan.receipt)
    return isShown ? { ...withCover(plan, image), receipt } : { ...plan, receipt, oversized }
  }
}

/** Stands for a cover that is still to be scaled. */
const UNSCALED = 'data:'

// Cards without an owner in one of several files get a scenario that is named like their file.
function withOwnedCards(plan: Plan, name: string): Plan {
  const { scenarios, story_cards, book } = plan
  if (story_cards.length === 0) return plan
  return { ...plan, scenarios: [...scenarios, scenarioOfCards(name, story_cards, book)], story_cards: [] }
}

function withScaledPicture(receipt: Receipt): Receipt {
  const pictures = receipt.left.filter(({ what }) => what === UNFIT_PICTURE)
  const what = 'Picture, scaled down to the size of a cover'
  return {
    ...receipt,
    left: receipt.left.filter((entry) => !pictures.includes(entry)),
    changed: [...receipt.changed, ...pictures.map((entry) => ({ ...entry, what }))],
  }
}

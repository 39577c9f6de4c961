import { StoryError } from '../../domain/errors.ts'
import { type ImportPreview, previewOf } from '../../domain/portable/import-preview.ts'
import type { ImportPlan, PortableActions } from '../../domain/portable/portable.ts'
import { addReceipt, emptyReceipt } from '../../domain/portable/receipt.ts'
import { EMPTY_SCENARIO } from '../../domain/scenario.ts'
import { UNFIT_PICTURE } from '../../formats/character-card/icon.ts'
import { ACCEPTED } from '../../formats/detect.ts'
import { titleFrom } from '../../formats/file-name.ts'
import { importRefused } from '../../formats/shared/import-refused.ts'
import type { AnyUpload } from '../runtime/uploads.ts'
import { coverFromBytes, mayBeCover } from '../scenario/covers.ts'
import type { KnownContent } from './known-content.ts'
import { type ImportedFile, listFiles, planFile } from './uploaded-files.ts'

/** What a file would add to the library, and its receipt. */
export interface PlannedFile {
  plan: ImportPlan<PortableActions>
  preview: ImportPreview
}

/** What is in an upload of one file; nothing is written. Throws import_refused. */
export async function planImport(upload: AnyUpload): Promise<ImportPlan<PortableActions>> {
  return withSmallerPicture(await planFile(upload), scaled)
}

/** How many covers a preview shows. Decoding hundreds of pictures takes longer than anything else of it. */
const SHOWN_COVERS = 12

/** The plans of an upload. They are made one at a time, because together they may not fit into memory. */
export class PlannedUpload {
  private readonly files: ImportedFile[] | null
  private readonly previews: ImportPreview[] = []
  private readonly receipt = emptyReceipt()
  private readonly rejected = new Map<string, string[]>()
  private covers = 0

  /** Throws import_refused for an archive of an unknown kind. */
  constructor(
    private readonly upload: AnyUpload,
    private readonly known: KnownContent,
  ) {
    this.files = listFiles(upload)
  }

  get count(): number {
    return this.files?.length ?? 1
  }

  /**
   * The plans. Of several files, those that are refused are left out, and pictures that a preview does not show are not scaled
   * for it. Throws import_refused where nothing is left.
   */
  async *plans({ isPreview = false } = {}): AsyncGenerator<PlannedFile> {
    if (this.files === null) yield this.planned(await planImport(this.upload))
    let refusal = 'There is no file in this archive.'
    for (const file of this.files ?? []) {
      const plan = await this.planOf(file, isPreview)
      if (typeof plan === 'string') refusal = `None of these files can be imported. ${file.name}: ${plan}`
      else yield this.planned(plan)
    }
    if (this.previews.length === 0) throw importRefused(refusal)
  }

  /** The receipts of all plans. */
  preview(): ImportPreview {
    const [first] = this.previews
    if (this.files === null && first) return first
    return {
      kind: 'files',
      scenarios: this.previews.flatMap(({ scenarios }) => scenarios),
      adventures: this.previews.flatMap(({ adventures }) => adventures),
      story_cards: [],
      rejected_files: [...this.rejected].map(([reason, names]) => ({ reason, names })),
      receipt: this.receipt,
    }
  }

  private planned(plan: ImportPlan<PortableActions>): PlannedFile {
    const preview = previewOf(plan, this.known)
    for (const item of [...preview.scenarios, ...preview.adventures])
      if (item.image !== '' && ++this.covers > SHOWN_COVERS) item.image = ''
    this.previews.push(preview)
    return { plan, preview }
  }

  /** The plan of one of several files, or why it is refused. */
  private async planOf(
    file: ImportedFile,
    isPreview: boolean,
  ): Promise<ImportPlan<PortableActions> | string> {
    try {
      const plan = await withSmallerPicture(
        await file.plan(),
        isPreview && this.covers >= SHOWN_COVERS ? unscaled : scaled,
      )
      addReceipt(this.receipt, plan.receipt)
      return withOwnedCards(plan, file.name)
    } catch (error) {
      if (!(error instanceof StoryError) || error.code !== 'import_refused') throw error
      const reason = error.message.replace(ACCEPTED, '').trim()
      this.rejected.set(reason, [...(this.rejected.get(reason) ?? []), file.name])
      return reason
    }
  }
}

// Where there are several files, cards without an owner get a scenario that is named like their file.
function withOwnedCards(plan: ImportPlan<PortableActions>, name: string): ImportPlan<PortableActions> {
  const { scenarios, story_cards } = plan
  if (story_cards.length === 0) return plan
  const owner = { ...EMPTY_SCENARIO, title: titleFrom(name), story_cards }
  return { ...plan, scenarios: [...scenarios, owner], story_cards: [] }
}

const scaled = (picture: Uint8Array) => coverFromBytes(picture).catch(() => '')
const unscaled = async (picture: Uint8Array) => (mayBeCover(picture) ? 'data:' : '')

// Pictures of character cards are large. They are scaled down to a cover.
async function withSmallerPicture(
  plan: ImportPlan<PortableActions>,
  coverOf: (picture: Uint8Array) => Promise<string>,
): Promise<ImportPlan<PortableActions>> {
  const image = plan.oversized ? await coverOf(plan.oversized) : ''
  if (image === '') return plan
  const { left, changed } = plan.receipt
  const pictures = left.filter(({ what }) => what === UNFIT_PICTURE)
  const what = 'Picture, scaled down to the size of a cover'
  return {
    ...plan,
    scenarios: plan.scenarios.map((scenario) => ({ ...scenario, image })),
    adventures: plan.adventures.map((story) => ({
      ...story,
      scenario: story.scenario && { ...story.scenario, image },
    })),
    receipt: {
      ...plan.receipt,
      left: left.filter((entry) => !pictures.includes(entry)),
      changed: [...changed, ...pictures.map((entry) => ({ ...entry, what }))],
    },
  }
}

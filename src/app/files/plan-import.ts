import { linesOf, unpackedFile } from '../../db/uploads/stored-file.ts'
import type { ImportPlan, PortableActions, ReceiptLine } from '../../domain/portable/portable.ts'
import { UNFIT_PICTURE } from '../../formats/character-card/icon.ts'
import { parseFile } from '../../formats/detect.ts'
import { MAX_BUNDLE_LINE, MAX_BUNDLE_RATIO } from '../../formats/import-limits.ts'
import { parseBundle } from '../../formats/inglenook/parse-bundle.ts'
import type { StoredUpload, Upload } from '../runtime/uploads.ts'
import { coverFromBytes } from '../scenario/covers.ts'

/** What is in a file; nothing is written. Throws import_refused. */
export async function planImport(file: Upload | StoredUpload): Promise<ImportPlan<PortableActions>> {
  if ('path' in file) {
    const plain = await unpackedFile(file, MAX_BUNDLE_RATIO)
    return parseBundle(() => linesOf(plain, MAX_BUNDLE_LINE))
  }
  const { bytes, name } = file
  const plan = parseFile(bytes, name)
  return plan.oversized ? withSmallerPicture(plan, plan.oversized) : plan
}

// Pictures of character cards are large. They are scaled down to a cover.
async function withSmallerPicture(plan: ImportPlan, bytes: Uint8Array): Promise<ImportPlan> {
  const image = await coverFromBytes(bytes).catch(() => '')
  if (image === '') return plan
  const { dropped, changed } = plan.receipt
  const note = 'Picture, scaled down to the size of a cover.'
  const isPicture = (line: ReceiptLine) => line.note === UNFIT_PICTURE
  return {
    ...plan,
    scenarios: plan.scenarios.map((scenario) => ({ ...scenario, image })),
    receipt: {
      ...plan.receipt,
      dropped: dropped.filter((line) => !isPicture(line)),
      changed: [...changed, ...dropped.filter(isPicture).map(({ path }) => ({ path, note }))],
    },
  }
}

import { linesOf, unpackedFile } from '../../db/uploads/stored-file.ts'
import type { ImportPlan, PortableActions } from '../../domain/portable/portable.ts'
import { PICTURE, UNFIT_PICTURE } from '../../formats/character-card/parse-card.ts'
import { parseFile } from '../../formats/detect.ts'
import { MAX_BUNDLE_LINE, MAX_BUNDLE_RATIO } from '../../formats/import-limits.ts'
import { parseBundle } from '../../formats/inglenook/parse-bundle.ts'
import type { StoredUpload, Upload } from '../runtime/uploads.ts'
import { coverFrom } from '../scenario/covers.ts'

/** What is in a file; nothing is written. Throws import_refused. */
export async function planImport(file: Upload | StoredUpload): Promise<ImportPlan<PortableActions>> {
  if ('path' in file) {
    const plain = await unpackedFile(file, MAX_BUNDLE_RATIO)
    return parseBundle(() => linesOf(plain, MAX_BUNDLE_LINE))
  }
  const { bytes, name } = file
  const plan = parseFile(bytes, name)
  const isUnfit = plan.receipt.dropped.some(({ path, note }) => path === PICTURE && note === UNFIT_PICTURE)
  return isUnfit ? withSmallerPicture(plan, bytes) : plan
}

// Pictures of character cards are large. They are scaled down to a cover.
async function withSmallerPicture(plan: ImportPlan, bytes: Uint8Array): Promise<ImportPlan> {
  const image = await coverFrom(`data:image/png;base64,${bytes.toBase64()}`).catch(() => '')
  if (image === '') return plan
  const { dropped, changed } = plan.receipt
  const note = 'Picture, scaled down to the size of a cover.'
  return {
    ...plan,
    scenarios: plan.scenarios.map((scenario) => ({ ...scenario, image })),
    receipt: {
      ...plan.receipt,
      dropped: dropped.filter(({ path }) => path !== PICTURE),
      changed: [...changed, { path: PICTURE, note }],
    },
  }
}

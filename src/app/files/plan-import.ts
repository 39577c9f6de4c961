import type { ImportPlan } from '../../domain/portable/portable.ts'
import { PICTURE, UNFIT_PICTURE } from '../../formats/character-card/parse-card.ts'
import { parseFile } from '../../formats/detect.ts'
import type { Upload } from '../runtime/uploads.ts'
import { coverFrom } from '../scenario/covers.ts'

/** What is in a file; nothing is written. Throws import_refused. */
export async function planImport({ bytes, name }: Upload): Promise<ImportPlan> {
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

import type { FileKind, ImportPlan } from '../../portable/portable.ts'
import type { Holder, Reading } from '../../../formats/shared/receipt.ts'

/** How one format is known and read. */
export interface Format {
  kind: FileKind
  fits: (file: Holder) => boolean
  /** `title` is the file's name, for what has no title of its own. Throws import_refused. */
  read: (file: Holder, title: string) => ImportPlan
}

/** A plan with the receipt of what was read. */
export function planOf(
  kind: FileKind,
  reading: Reading,
  file: Holder,
  brought: Partial<Pick<ImportPlan, 'scenarios' | 'adventures' | 'story_cards'>>,
): ImportPlan {
  return {
    kind,
    scenarios: [],
    adventures: [],
    story_cards: [],
    ...brought,
    receipt: reading.receipt(file),
  }
}

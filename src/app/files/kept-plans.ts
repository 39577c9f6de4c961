import { deleteStored, type StoredFile } from '../../db/stored-file.ts'
import type { ImportPreview } from '../../domain/portable/import-preview.ts'

/** The additions of an upload to the library: read once, and kept on the disk until the import. */
export interface KeptPlan {
  name: string
  preview: ImportPreview
  /** The plans of its files, one behind another. */
  plans: StoredFile
  /** For each file the bytes of its plan, or a story that is too large for memory, which is read from its file again. */
  parts: (number | StoredFile)[]
  /** Rows that it would write. */
  rows: number
  /** The uploads with those stories, which are deleted with the plan. */
  uploads: StoredFile[]
}

export async function deletePlan({ plans, uploads }: KeptPlan): Promise<void> {
  for (const file of [plans, ...uploads]) await deleteStored(file)
}

/** Plans that are kept at once, and for how many milliseconds. */
const MAX_PLANS = 8
const HOUR = 3_600_000

/** Plans between their preview and their import: nothing is in the library before the player confirms. */
export class KeptPlans {
  private readonly plans = new Map<string, { plan: KeptPlan; timer: Timer }>()

  constructor(private readonly remove: (plan: KeptPlan) => Promise<void> = deletePlan) {}

  /** Returns the key of the plan. */
  add(plan: KeptPlan): string {
    const key = crypto.randomUUID()
    this.put(key, plan)
    return key
  }

  /** Puts back a plan that was taken. */
  put(key: string, plan: KeptPlan): void {
    const timer = setTimeout(() => this.drop(key), HOUR)
    timer.unref()
    this.plans.set(key, { plan, timer })
    const [oldest] = this.plans.keys()
    if (this.plans.size > MAX_PLANS && oldest !== undefined) this.drop(oldest)
  }

  find(key: string): KeptPlan | null {
    return this.plans.get(key)?.plan ?? null
  }

  /** Removes a plan and returns it. The caller must delete it. */
  take(key: string): KeptPlan | null {
    const kept = this.plans.get(key)
    clearTimeout(kept?.timer)
    this.plans.delete(key)
    return kept?.plan ?? null
  }

  // A file that cannot be deleted now is deleted at the next start.
  private drop(key: string): void {
    const plan = this.take(key)
    if (plan) this.remove(plan).catch(() => {})
  }
}

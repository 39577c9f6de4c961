import type { PlannedFile } from '../../../src/app/files/plan-import.ts'
import { previewOf } from '../../../src/domain/portable/import-preview.ts'
import type { ImportPlan, PortableActions } from '../../../src/domain/portable/portable.ts'

/** Plans as an import of so many files makes them, for a library that has none of it. */
export function planned(...plans: ImportPlan<PortableActions>[]) {
  const none = { hasScenario: () => false, hasAdventure: () => false }
  const files = plans.map((plan): PlannedFile => ({ plan, preview: previewOf(plan, none) }))
  return { count: plans.length, plans: () => files }
}

import { linesOf, readValue, type StoredFile } from '../../db/stored-file.ts'
import type { ImportPlan, PortableActions } from '../../domain/portable/portable.ts'
import { MAX_BUNDLE_LINE } from '../../formats/import-limits.ts'
import { parseBundle } from '../../formats/inglenook/parse-bundle.ts'
import { coverFromBytes } from '../scenario/covers.ts'
import type { KeptPlan } from './kept-plans.ts'

/** The additions of one file of an upload to the library. */
export type FilePlan = Omit<ImportPlan<PortableActions>, 'receipt'>

/** The plans of the files, one at a time. */
export async function* plansIn({ plans, parts }: KeptPlan): AsyncGenerator<FilePlan> {
  let at = 0
  for (const part of parts) {
    if (typeof part === 'number') {
      const { oversized, ...plan } = readValue<FilePlan>(plans, at, part)
      yield oversized ? withCover(plan, await coverOf(oversized)) : plan
      at += part
    } else yield parseStory(part)
  }
}

export function parseStory(story: StoredFile): ImportPlan<PortableActions> {
  return parseBundle(() => linesOf(story, MAX_BUNDLE_LINE))
}

/** '' for a picture that cannot be read. */
export function coverOf(picture: Uint8Array): Promise<string> {
  return coverFromBytes(picture).catch(() => '')
}

/** The plan with a cover, unless that is ''. */
export function withCover<Plan extends FilePlan>(plan: Plan, image: string): Plan {
  if (image === '') return plan
  return {
    ...plan,
    scenarios: plan.scenarios.map((scenario) => ({ ...scenario, image })),
    adventures: plan.adventures.map((story) => ({
      ...story,
      scenario: story.scenario && { ...story.scenario, image },
    })),
  }
}

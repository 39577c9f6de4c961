import type { RerollOffer } from '../../app/checks/roll-again.ts'
import type { Check } from '../../domain/checks/check.ts'
import type { ProseLanguage } from '../../domain/text/language.ts'
import type { Rules } from '../../domain/world/rules.ts'

/** What is needed to show the passages of a story, besides the passages. */
export interface StoryLook {
  language: ProseLanguage
  /** Its stats, by which changes are named and judged; null without any. */
  rules: Rules | null
  /** What can be tried with dice. */
  checks: readonly Check[]
  /** What rolling again would cost the newest turn, read when it is shown; null where that is not offered. */
  reroll: () => RerollOffer | null
  /** The id of the passage that is being recorded, read when it is shown; null if none is. */
  recorded: () => number | null
  /** Whether recording the newest narration again is offered, read when it is shown. */
  offersRecord: () => boolean
  /** The ids of its bookmarked passages. */
  bookmarked: ReadonlySet<number>
}

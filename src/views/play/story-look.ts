import type { RerollOffer } from '../../app/checks/roll-again.ts'
import type { Check } from '../../domain/checks/check.ts'
import type { ProseLanguage } from '../../domain/text/language.ts'
import type { Rules } from '../../domain/world/rules.ts'

export interface StoryLook {
  language: ProseLanguage
  /** Null without stats. */
  rules: Rules | null
  checks: readonly Check[]
  /** The cost of another roll for the newest turn, read when it is shown; null where that is not offered. */
  reroll: () => RerollOffer | null
  /** The id of the passage being recorded, read when it is shown; null if none is. */
  recorded: () => number | null
  /** The offer to record the newest narration again, read when it is shown. */
  offersRecord: () => boolean
  bookmarked: ReadonlySet<number>
}

import { StoryError } from '../../../domain/errors.ts'

const REPETITION = 'set a DRY multiplier or a repetition penalty in Settings, or try another model'
const OWN_TEXT = 'raise the temperature in Settings, or try another model'

/** Descriptions of what the model sent in place of a reply, and of what helps if it does so twice. */
const REASONS = {
  itself: { did: 'only repeated itself', code: 'empty_reply', advice: REPETITION },
  early: { did: 'began to repeat itself too soon', code: 'empty_reply', advice: REPETITION },
  lines: { did: 'only repeated your line', code: 'state_only_reply', advice: OWN_TEXT },
  passages: { did: 'only repeated earlier passages', code: 'state_only_reply', advice: REPETITION },
  notes: { did: 'only repeated what it had been told', code: 'state_only_reply', advice: OWN_TEXT },
  updates: {
    did: 'sent only stat updates and no text',
    code: 'state_only_reply',
    advice: 'ask for prose first in “Narrator instructions”',
  },
} as const

export type UnusableReason = keyof typeof REASONS

/** Says that a reply is discarded and asked for again. */
export function discardedSentence(reason: UnusableReason): string {
  return `The model ${REASONS[reason].did}, so it is asked once more.`
}

/** The end of a turn whose second attempt was as little of a story as the first. */
export function unusableReply(reason: UnusableReason): StoryError {
  const { did, code, advice } = REASONS[reason]
  return new StoryError(code, `The model ${did}, twice. Retry; if it happens again, ${advice}.`)
}

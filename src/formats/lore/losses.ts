import type { CardFields } from '../../domain/story-card.ts'
import type { How } from '../../domain/timing/timing.ts'
import { timingWords } from '../../domain/timing/timing-words.ts'
import { isBlank } from '../../lib/text.ts'
import { insertionOrderIn } from './insertion-order.ts'
import { loreTriggers } from './make-lore.ts'

/** Rules of a card that an entry has, too. */
const HELD: readonly (keyof How)[] = [
  'stays',
  'rests',
  'begins',
  'chance',
  'group',
  'triggers_others',
  'triggered_by',
]

/** The parts of a card without a place in a lorebook or the book of a character card, in words. */
export function lostInLore({ keys, timing, notes }: CardFields): string[] {
  const how = Object.fromEntries(
    Object.entries(timing?.how ?? {}).filter(([name]) => !HELD.some((held) => held === name)),
  )
  const { kinds, losesPrefixes } = loreTriggers(keys)
  return [
    ...timingWords({ when: timing?.when ?? [], how }).split('\n'),
    kinds > 1 ? 'all but one kind of its “+” and “-” triggers' : '',
    losesPrefixes ? 'the “=” and “*” of its triggers' : '',
    isBlank(insertionOrderIn(notes).notes) ? '' : 'its notes, in a lorebook',
  ].filter(Boolean)
}

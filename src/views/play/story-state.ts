import { hashOf } from '../../lib/hash.ts'
import type { PlayProps } from './page-props.ts'

/** The state that a page shows, to know later what it has missed. Begins with the newest passage's id. */
export function storyStateId({ page, end, turn, outcome, suggested, look }: PlayProps): string {
  const world = end?.world && [end.world.state, [...(end.world.told ?? [])]]
  const marks = [look.recorded(), [...look.bookmarked], look.checks, look.offersRecord()]
  const atEnd = end && [end.interrupted, end.questions, turn?.number, outcome, suggested]
  const shown = [page, world, atEnd, marks]
  return `${page.actions.at(-1)?.id ?? 0}-${hashOf(JSON.stringify(shown)).slice(0, 16)}`
}

/** Says what happened since a page showed a state; '' if something else on the page says it. */
export function missedSince(from: string, { page, end, turn, outcome }: PlayProps): string {
  const newest = page.actions.at(-1)
  if (end === null || turn !== null || outcome?.error || end.interrupted || !newest) return ''
  const seen = Number.parseInt(from, 10)
  if (seen === newest.id) return ''
  const isReply = newest.type === 'ai' && newest.id > seen
  return isReply ? 'The reply came while this page was away.' : 'The story changed while this page was away.'
}

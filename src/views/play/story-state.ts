import { hashOf } from '../../lib/hash.ts'
import type { EndProps } from './page-props.ts'

/** Names what the page of a story shows, so that a page knows whether it has missed anything. */
export function storyStateId({ page, end, turn, outcome, suggested, look }: EndProps): string {
  const world = end.world && [end.world.state, [...(end.world.told ?? [])]]
  const marks = [look.recorded(), [...look.bookmarked], look.checks, look.offersRecord()]
  const shown = [page.actions, world, end.interrupted, end.questions, turn?.number, outcome, suggested, marks]
  return hashOf(JSON.stringify(shown)).slice(0, 16)
}

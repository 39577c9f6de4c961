import type { Writer } from '../../db/database.ts'
import { listRowsOf } from '../../db/search/story-index.ts'
import { show } from '../../db/stories/hidden.ts'
import { getAdventure } from '../../db/tables/adventures.ts'
import type { Deps } from '../deps.ts'
import { runInWorker } from '../worker/run-in-worker.ts'
import { indexSteps, runSteps } from '../worker/write-in-pieces.ts'
import { storyCopySteps } from './copy-steps.ts'

/** Actions of a story that is copied or deleted at once. A longer one is copied and deleted by a worker, in pieces. */
const SHORT_STORY = 300

export function isLong({ action_count }: { action_count: number }): boolean {
  return action_count > SHORT_STORY
}

/** Copies a whole adventure. Returns the id of the copy. Throws not_found, and turn_in_progress for a long story. */
export async function copyAdventure(deps: Deps, adventureId: number): Promise<number> {
  using _ = await storyToCopy(deps, adventureId)
  const copy = await prepareCopy(deps, adventureId, null)
  return deps.library.write(copy)
}

/** Holds a long story still while it is copied. Throws not_found, turn_in_progress. */
export async function storyToCopy(
  { library, locks, recordings, closing }: Deps,
  adventureId: number,
): Promise<Disposable | null> {
  // A short one is copied in one transaction, whatever happens beside it.
  if (!isLong(getAdventure(library.reader, adventureId))) return null
  using held = new DisposableStack()
  held.use(locks.takeForLine(adventureId))
  // It waits for the stat changes of its last turn, which would otherwise be written between two pieces.
  await recordings.endedSoon(adventureId, closing)
  return held.move()
}

/**
 * Copies a long story, hidden. Returns what shows the copy in a transaction, links it with other stories, and returns its id; for
 * a short story, it makes the copy as well. Search finds a long one some seconds later. What is never shown is deleted by the
 * next start.
 */
export async function prepareCopy(
  deps: Deps,
  adventure: number,
  upTo: number | null,
): Promise<(tx: Writer, link?: (copy: number) => void) => number> {
  const { library, closing, now } = deps
  const { path } = library
  const story = getAdventure(library.reader, adventure)
  const request = { adventure, upTo, at: now() }
  let hidden: number | null = null
  if (isLong(story)) {
    using _ = library.shareWrites()
    hidden = await runInWorker('copy story', { path, ...request }, closing)
  }
  return (tx, link) => {
    const copy = hidden ?? runSteps(tx, storyCopySteps(tx, request))
    show(tx, { adventures: [copy], scenarios: [] })
    link?.(copy)
    if (hidden === null) runSteps(tx, indexSteps(listRowsOf(tx, copy)))
    else deps.indexing.start(deps, story.action_count)
    return copy
  }
}

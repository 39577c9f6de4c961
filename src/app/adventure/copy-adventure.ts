import { publishImported } from '../../db/stories/importing.ts'
import { getAdventure } from '../../db/tables/adventures.ts'
import type { Deps } from '../deps.ts'
import { runInWorker } from '../worker/run-in-worker.ts'
import { runSteps } from '../worker/write-in-pieces.ts'
import { storyCopySteps } from './copy-steps.ts'

/** Actions of a story that is copied or deleted at once. A longer one is copied and deleted by a worker, in pieces. */
export const SHORT_STORY = 300

/**
 * Copies an adventure up to an action, with the world state of that moment, or as a whole if `upTo` is null. Returns the
 * id of the copy. Throws not_found, turn_in_progress.
 */
export async function copyAdventure(deps: Deps, adventureId: number, upTo: number | null): Promise<number> {
  getAdventure(deps.library.reader, adventureId)
  using _ = deps.locks.take(adventureId)
  const copy = await hiddenCopy(deps, adventureId, upTo)
  deps.library.write((tx) => publishImported(tx, { adventures: [copy], scenarios: [] }))
  return copy
}

/** The same, but the copy stays hidden. The lock of the adventure must be held. */
export async function hiddenCopy(deps: Deps, adventureId: number, upTo: number | null): Promise<number> {
  const { library, closing } = deps
  const given = { path: library.path, adventure: adventureId, upTo, at: deps.now() }
  if (getAdventure(library.reader, adventureId).action_count > SHORT_STORY) {
    using _ = library.shareWrites()
    return await runInWorker('copy story', given, closing)
  }
  return library.write((tx) => runSteps(tx, storyCopySteps(tx, given)))
}

import type { Library } from '../db/database.ts'
import type { Narrator } from '../narrator/client.ts'
import type { CallQueue } from './call-queue.ts'
import type { HeldFiles } from './held-files.ts'
import type { IdleWork } from './idle-work.ts'
import type { Tally } from './runtime/turn-counts.ts'
import type { TurnLocks } from './runtime/turn-lock.ts'

/** All that the deeds of a player need. */
export interface Deps {
  library: Library
  narrator: Narrator
  locks: TurnLocks
  calls: CallQueue
  tally: Tally
  idle: IdleWork
  held: HeldFiles
  now: () => Date
  /** The address at which our own server offers the practice narrator. */
  practiceUrl: () => string
  /** Aborted when the service stops: running turns end as if the player had left. */
  closing: AbortSignal
}

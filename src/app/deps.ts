import type { Library } from '../db/library.ts'
import type { Engine } from '../engine/engine.ts'
import type { Narrator } from '../narrator/client.ts'
import type { Devices } from './devices/devices.ts'
import type { KeptPlans } from './files/kept-plans.ts'
import type { RunningImports } from './files/running-imports.ts'
import type { SearchIndexing } from './files/search-indexing.ts'
import type { CallQueue } from './runtime/call-queue.ts'
import type { LiveStories } from './runtime/live-stories.ts'
import type { PromptCache } from './runtime/prompt-cache.ts'
import type { Recordings } from './runtime/recordings.ts'
import type { Removals } from './runtime/removals.ts'
import type { ServerSpeeds } from './runtime/server-speeds.ts'
import type { TurnCounts } from './runtime/turn-counts.ts'
import type { TurnLocks } from './runtime/turn-lock.ts'
import type { UnsavedReplies } from './runtime/unsaved-replies.ts'

/** Background work that runs while the player reads. */
export interface Idle {
  /**
   * Call it when the player has done something: work may be due, for the given story or the one in play, and begins after
   * a rest.
   */
  wake(adventureId?: number): void
  /** Call it when a turn begins, of any story. */
  turnBegan(): void
  /** Call it when a turn has ended: what it makes due begins after a rest. */
  turnEnded(adventureId: number): void
  /** Call it when the next prompt of a story has changed: the work starts again after a pause. */
  storyChanged(adventureId: number): void
  /** Looks at the model server again: what is known about it may be outdated. */
  learnAgain(): void
  /** The background work on a story at the moment, in words for the player; '' when there is none. */
  busyWith(adventureId: number): string
  /** The reason why the last daily copy of the library failed, in a sentence; '' if it did not fail. */
  copyFailure(): string
  /** Resolves when no work is running or due. */
  ended(): Promise<void>
  /** Ends running work and starts no more. */
  stop(): Promise<void>
}

/** Control of the service from its page. Both methods return at once, so that the request is still answered. */
export interface ServiceControl {
  /** True if a person on this machine can end the service from its page. */
  canQuit: boolean
  /** Ends running turns and the service. */
  quit(): void
  /** Stops, replaces the library with a copy, which has been checked, and starts again at the same address. */
  restore(file: string): void
  /** The result of the last restore, in a sentence; '' if there was none. */
  restored: string
}

/** The listener for other devices. */
export interface NetworkListener {
  /** The address for other devices, with a trailing slash; null while it is switched off. */
  listening(): string | null
  /** The addresses of this machine in its own networks. */
  addresses(): string[]
  /** The port that is proposed. */
  port(): number
  /** Switches it on; if it was on, it restarts. Throws invalid. */
  open(address: string, port: number): Promise<void>
  /** Revokes the access of all devices, and switches it off. */
  close(): Promise<void>
}

/** Everything the use cases depend on. */
export interface Deps {
  library: Library
  narrator: Narrator
  engine: Engine
  locks: TurnLocks
  live: LiveStories
  recordings: Recordings
  calls: CallQueue
  promptCache: PromptCache
  speeds: ServerSpeeds
  turnCounts: TurnCounts
  unsavedReplies: UnsavedReplies
  idle: Idle
  plans: KeptPlans
  imports: RunningImports
  indexing: SearchIndexing
  removals: Removals
  devices: Devices
  network: NetworkListener
  now: () => Date
  /** The endpoint of the practice narrator on our own server. */
  practiceUrl: () => string
  /** Milliseconds that a turn waits for the vector of its line. Without one, it recalls by words alone. */
  queryTimeout: number
  /** Milliseconds between two words of the practice narrator. */
  practicePace: number
  /** Null where the service cannot be stopped and started again from inside, as in tests. */
  control: ServiceControl | null
  /** Aborted when the service stops. Running turns then end as if the client had disconnected. */
  closing: AbortSignal
}

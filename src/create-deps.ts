import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Deps, ServiceControl } from './app/deps.ts'
import { Devices } from './app/devices/devices.ts'
import { KeptPlans } from './app/files/kept-plans.ts'
import { RunningImports } from './app/files/running-imports.ts'
import { SearchIndexing } from './app/files/search-indexing.ts'
import { CallQueue } from './app/runtime/call-queue.ts'
import { IdleWork } from './app/runtime/idle-work.ts'
import { LiveStories } from './app/runtime/live-stories.ts'
import { PromptCache } from './app/runtime/prompt-cache.ts'
import { Recordings } from './app/runtime/recordings.ts'
import { Removals } from './app/runtime/removals.ts'
import { ServerSpeeds } from './app/runtime/server-speeds.ts'
import { TurnCounts } from './app/runtime/turn-counts.ts'
import { TurnLocks } from './app/runtime/turn-lock.ts'
import { UnsavedReplies } from './app/runtime/unsaved-replies.ts'
import { risingClock } from './clock.ts'
import type { Config } from './config.ts'
import { DeviceListener } from './device-listener.ts'
import { ENGINE_HOST } from './domain/settings.ts'
import { Engine, type EngineOptions } from './engine/engine.ts'
import { engineCommandLine } from './engine/engine-process.ts'
import { createNarrator, type NarratorOptions } from './narrator/client.ts'

/** Replacements for tests. */
export interface DepsOptions {
  narrator?: NarratorOptions
  now?: () => Date
  /** Milliseconds between a turn and the background work after it. */
  idleDelay?: number
  /** Milliseconds between two words of the practice narrator. */
  practicePace?: number
  /** Milliseconds that a turn waits for the vector of its line. */
  queryTimeout?: number
  control?: ServiceControl
  engine?: Partial<EngineOptions>
}

/** The server of the open library; its address is known once it listens. */
interface OwnServer extends Pick<Deps, 'library' | 'closing'> {
  address: () => string
  port: () => number
  answer: (request: Request) => Promise<Response>
}

/** Milliseconds: about reading speed. */
const PRACTICE_PACE = 30
const QUERY_TIMEOUT = 2_000

export function createDeps(
  { ca, dbPath }: Config,
  { narrator, now = risingClock(), engine, ...options }: DepsOptions,
  { library, closing, address, port, answer }: OwnServer,
): Deps {
  const recordings = new Recordings()
  const live = new LiveStories()
  const devices = new Devices(now)
  const deps: Deps = {
    library,
    narrator: createNarrator({
      now,
      aliases: new Map([[ENGINE_HOST, () => new URL(address()).host]]),
      isContained: () => existsSync('/.dockerenv'),
      ...(ca === null ? {} : { ca }),
      ...narrator,
    }),
    engine: new Engine({ folder: join(dirname(dbPath), 'engine'), command: engineCommandLine, ...engine }),
    locks: new TurnLocks(recordings, live),
    live,
    recordings,
    calls: new CallQueue(),
    promptCache: new PromptCache(),
    speeds: new ServerSpeeds(),
    turnCounts: new TurnCounts(),
    unsavedReplies: new UnsavedReplies(),
    idle: new IdleWork(() => deps, options.idleDelay),
    plans: new KeptPlans(),
    imports: new RunningImports(),
    indexing: new SearchIndexing(),
    removals: new Removals(),
    devices,
    network: new DeviceListener({ devices, ownPort: port, answer }),
    now,
    practiceUrl: () => `${address()}api/practice/v1`,
    practicePace: options.practicePace ?? PRACTICE_PACE,
    queryTimeout: options.queryTimeout ?? QUERY_TIMEOUT,
    control: options.control ?? null,
    closing,
  }
  return deps
}

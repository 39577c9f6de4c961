import { existsSync } from 'node:fs'
import { CallQueue } from './app/call-queue.ts'
import type { Deps } from './app/deps.ts'
import { HeldFiles } from './app/held-files.ts'
import { IdleWork } from './app/idle-work.ts'
import { Tally } from './app/runtime/turn-counts.ts'
import { TurnLocks } from './app/runtime/turn-lock.ts'
import { risingClock } from './clock.ts'
import type { Config } from './config.ts'
import { findLastPlayed } from './db/tables/adventures.ts'
import { clearUnfinished } from './db/copies.ts'
import type { Library, Watch } from './db/database.ts'
import { openLibrary } from './db/open.ts'
import { createNarrator, type NarratorOptions } from './narrator/client.ts'
import { hostNames, isInUse, ownAddress } from './own-address.ts'
import { createServer } from './server.ts'

/** A service that answers. */
export interface Running {
  /** Where a person on this machine reaches it, with a slash at the end. */
  address: string
  deps: Deps
  /** Ends running turns, then closes the library. A second call waits for the first. */
  stop(): Promise<void>
}

/** What tests put in place of the outside world. */
export interface Outside {
  watch?: Watch
  narrator?: NarratorOptions
  now?: () => Date
  /** Milliseconds after a turn in which nothing is done. */
  rest?: number
}

/** Opens the library and listens. Throws LibraryRefused, and a sentence when the port is taken. */
export async function start(
  config: Config,
  { watch, narrator = {}, now = risingClock(), rest }: Outside = {},
): Promise<Running> {
  const closing = new AbortController()
  const library = openLibrary(config.dbPath, watch)
  const deps: Deps = {
    library,
    narrator: createNarrator({
      now,
      isContained: () => existsSync('/.dockerenv'),
      ...(config.ca === null ? {} : { ca: config.ca }),
      ...narrator,
    }),
    locks: new TurnLocks(),
    calls: new CallQueue(),
    tally: new Tally(),
    held: new HeldFiles(),
    idle: new IdleWork(() => deps, rest),
    now,
    practiceUrl: () => `${address}api/practice/v1`,
    closing: closing.signal,
  }
  const { port, stop } = await listen(config, deps).catch((error: unknown) => {
    library.close()
    throw error
  })
  const address = ownAddress(config.host, port)
  // What was due when the service stopped is due still.
  deps.idle.wake(findLastPlayed(library.reader) ?? undefined)
  let stopped: Promise<void> | undefined
  const stopOnce = async () => {
    closing.abort()
    await stop(Promise.all([deps.locks.allFreed(), deps.idle.stop()]))
    closeQuietly(library)
  }
  return { address, deps, stop: () => (stopped ??= stopOnce()) }
}

interface Listening {
  port: number
  /** Lets nobody in any more. When `work` has ended, answers have a moment to reach their clients; then they are cut off. */
  stop(work: Promise<unknown>): Promise<void>
}

/** Milliseconds for the last words of a stream: a client that does not read them is not waited for. */
const LAST_WORDS = 1_000

async function listen(config: Config, deps: Deps): Promise<Listening> {
  let hosts: ReadonlySet<string> = new Set()
  const app = await createServer(deps, { hosts: () => hosts, origins: new Set(config.corsOrigins) })
  try {
    app.listen({
      hostname: config.host,
      port: config.port,
      // Two copies of the service would share the port and answer in turns.
      reusePort: false,
      idleTimeout: 60,
      // The guard refuses by length and in words; what it refuses is never read.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      // Otherwise a fault that nobody caught would be answered with a page of source and machine paths.
      development: false,
    })
  } catch (error) {
    if (!isInUse(error)) throw error
    throw new Error(
      `Port ${config.port} is taken by another program. Stop it, or set APP_PORT to another number.`,
    )
  }
  const port = app.server?.port ?? config.port
  hosts = hostNames(config, port)
  const { server } = app
  const stop = async (work: Promise<unknown>) => {
    const answered = app.stop()
    await work
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, LAST_WORDS)
    await Promise.race([answered, late])
    clearTimeout(timer)
    await server?.stop(true)
  }
  return { port, stop }
}

// Everything is committed by now; the journal is read at the next start, and what was half sent is cleared then.
function closeQuietly(library: Library): void {
  try {
    clearUnfinished(library.path)
    library.close()
  } catch (error) {
    console.error('The journal was not moved into the library file:', error)
  }
}

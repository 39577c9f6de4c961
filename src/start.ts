import { createApp } from './app/app.ts'
import type { Deps } from './app/deps.ts'
import { runInWorker } from './app/worker/run-in-worker.ts'
import type { Config } from './config.ts'
import { createDeps, type DepsOptions } from './create-deps.ts'
import type { QueryWatch } from './db/database.ts'
import { clearUnfinished } from './db/library/copies/unfinished.ts'
import type { FileNumber } from './db/library/file-state.ts'
import { isLongCheckDue, openLibrary } from './db/library/open.ts'
import { makePrivate } from './db/library/private.ts'
import type { Library } from './db/library.ts'
import { LibraryRefused, refusingWithReason } from './db/library-refused.ts'
import { findLastPlayed } from './db/tables/adventure-list.ts'
import { printError, printLine, printProblem } from './lib/print.ts'
import { orNullAfter } from './lib/promises.ts'
import { hostNames, isInUse, listedHostNames, ownAddress } from './own-address.ts'
import { STARTERS } from './practice/starters/starters.ts'
import { serveOptions } from './serve-options.ts'
import { createServer } from './server.ts'
import { CHECKING, serveWaitingPage, type WaitingServer } from './waiting-page.ts'

export interface Running {
  /** Address on this machine, with a trailing slash. */
  address: string
  deps: Deps
  /** Number of library files that were readable by other users, and no longer are. */
  madePrivate: number
  /** Ends running turns, then closes the library. Idempotent. */
  stop(): Promise<void>
}

export interface StartOptions extends DepsOptions {
  watch?: QueryWatch
  /** Seconds before a silent connection is closed. */
  idleTimeout?: number
  fileNumber?: FileNumber
  /** Server of the waiting page, stopped before the service listens. */
  waiting?: WaitingServer | null
}

/**
 * Opens the library and starts the server. Throws LibraryRefused, or an Error with a sentence if the port is taken.
 */
export async function start(config: Config, options: StartOptions = {}): Promise<Running> {
  const closing = new AbortController()
  await checkLibrary(config, closing.signal)
  const library = openWithNotices(config, options)
  const madePrivate = makePrivate(library.path)
  let address = ''
  const deps = createDeps(config, options, {
    library,
    closing: closing.signal,
    address: () => address,
    port: () => port,
    answer: (request) => answer(request),
  })
  deps.engine.clearUnfinished()
  library.afterWrite = () => deps.live.changed()
  await options.waiting?.stop()
  const { port, answer, stop } = await listen(config, deps, options.idleTimeout).catch((error: unknown) => {
    library.close()
    throw error
  })
  address = ownAddress(config.host, port)
  deps.indexing.start(deps, library.unindexed)
  // Work that was due before the last stop is still due.
  deps.idle.wake(findLastPlayed(library.reader) ?? undefined)
  let stopped: Promise<void> | undefined
  const stopOnce = async () => {
    closing.abort()
    const work = Promise.all([finishWork(deps), deps.indexing.ended(), deps.removals.run(deps)])
    await Promise.all([deps.network.close(), stop(work)])
    deps.unsavedReplies.saveAll(library)
    closeQuietly(library)
  }
  return { address, deps, madePrivate, stop: () => (stopped ??= stopOnce()) }
}

function openWithNotices({ dbPath }: Config, { watch, fileNumber }: StartOptions): Library {
  const library = openLibrary(dbPath, {
    starters: STARTERS,
    ...(watch && { watch }),
    ...(fileNumber && { fileNumber }),
  })
  const problem = library.findProblem()
  if (problem) printProblem(problem.message)
  if (library.conversion) printLine(library.conversion)
  return library
}

// Runs in a worker, while the address of the service shows a waiting page.
async function checkLibrary(config: Config, signal: AbortSignal): Promise<void> {
  if (!refusingWithReason(`${config.dbPath} was not opened.`, () => isLongCheckDue(config.dbPath))) return
  printLine('Checking the library: it was not closed properly, or another program has written to it.')
  const waiting = serveWaitingPage(config, CHECKING)
  try {
    const refused = await runInWorker('open library', { path: config.dbPath }, signal)
    if (refused !== null) throw new LibraryRefused(refused)
  } finally {
    await waiting?.stop()
  }
}

// A turn that ends may start a recording.
async function finishWork({ locks, recordings, idle, engine }: Deps): Promise<void> {
  await Promise.all([locks.allFreed(), idle.stop()])
  await recordings.allEnded()
  await engine.close()
}

interface Listening {
  port: number
  /** Answers a request from another listener. */
  answer: (request: Request) => Promise<Response>
  /** Accepts no more requests. After `work`, open responses get a moment to finish. */
  stop(work: Promise<unknown>): Promise<void>
}

async function listen(config: Config, deps: Deps, idleTimeout?: number): Promise<Listening> {
  let hosts: ReadonlySet<string> = new Set()
  let listedHosts: ReadonlySet<string> = new Set()
  const app = await createServer(createApp(deps), {
    hosts: () => hosts,
    listedHosts: () => listedHosts,
    origins: new Set(config.corsOrigins),
  })
  try {
    app.listen(serveOptions(config.host, config.port, idleTimeout))
  } catch (error) {
    if (!isInUse(error)) throw error
    throw new Error(
      `Port ${config.port} is in use by another program. Stop that program, or set APP_PORT to another number.`,
    )
  }
  const { server } = app
  const port = server?.port ?? config.port
  hosts = hostNames(config, port)
  listedHosts = listedHostNames(config, port)
  const stop = async (work: Promise<unknown>) => {
    const finished = app.stop()
    await work
    await orNullAfter(FINISH_TIMEOUT, finished)
    await server?.stop(true)
  }
  return { port, answer: (request) => app.handle(request), stop }
}

/** Milliseconds for open responses to finish. Clients that do not read are cut off. */
const FINISH_TIMEOUT = 1_000

// Everything is committed by now. The next start reads a leftover journal, and deletes half-written copies.
function closeQuietly(library: Library): void {
  try {
    clearUnfinished(library.path)
    library.close()
  } catch (error) {
    printError('The journal could not be moved into the library file', error)
  }
}

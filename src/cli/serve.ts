import { homedir } from 'node:os'
import type { Deps } from '../app/deps.ts'
import { type Config, readConfig } from '../config.ts'
import { isLockHeld } from '../db/library/lock.ts'
import { realPath } from '../db/library/real-path.ts'
import { LibraryRefused, sqliteCode } from '../db/library-refused.ts'
import { printError, printLine } from '../lib/print.ts'
import { isInstalled } from '../lib/project.ts'
import { isInUse, listeningNote, ownAddress } from '../own-address.ts'
import { startService } from '../service.ts'

/**
 * Runs the service until it is stopped, or opens the browser at the running one. Throws what {@link startService}
 * throws.
 */
export function serve(options: readonly string[]): Promise<void> {
  return serveAt(readConfig(process.env), { opens: !options.includes('--no-open') })
}

interface ServeOptions {
  opens: boolean
  /** Page to open, without a leading slash. */
  page?: string
  beforeOpen?: (deps: Deps) => Promise<void>
}

export async function serveAt(config: Config, { opens, page = '', beforeOpen }: ServeOptions): Promise<void> {
  const opensBrowser = isInstalled && opens
  const running = runningAddress(config)
  if (running !== null) {
    printLine(`Inglenook is already running at ${running}${page}`)
    if (opensBrowser) openBrowser(running + page)
    return
  }
  const failed = untilFatalError()
  const service = await startService(config)
  const { address, madePrivate, deps } = service.current()
  await beforeOpen?.(deps)
  if (madePrivate > 0)
    printLine(`Other users of this machine could read the library (files: ${madePrivate}). Now only you can.`)
  if (isInstalled) printLine(`Your stories are in ${config.dbPath}`)
  printLine(`Inglenook is running at ${address}${page}${listeningNote(config.host, address)}`)
  if (isInstalled) printLine('To stop it, press Ctrl+C here, or Quit in its settings.')
  if (opensBrowser) openBrowser(address + page)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void service.stop())
  await Promise.race([service.ended, failed])
}

function runningAddress({ dbPath, host, port }: Config): string | null {
  if (port === 0 || !isLockHeld(realPath(dbPath))) return null
  try {
    void Bun.serve({ hostname: host, port, reusePort: false, fetch: () => new Response() }).stop(true)
    return null
  } catch (error) {
    return isInUse(error) ? ownAddress(host, port) : null
  }
}

/** Commands that open a URL in the browser; all come with the system or its desktop. */
const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  linux: ['xdg-open'],
  // `start` is not a program, and takes a quoted address for a title.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens the browser; does nothing where that is impossible, since the address was printed too. */
function openBrowser(address: string): void {
  const { platform, env } = process
  const opener = OPENERS[platform]
  // `xdg-open` in a terminal without a desktop would open a text browser there.
  const hasDesktop = platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY
  if (!opener || !hasDesktop) return
  try {
    Bun.spawn([...opener, address], { cwd: homedir(), stdio: ['ignore', 'ignore', 'ignore'] }).unref()
  } catch {}
}

/** Logs uncaught errors, such as those of a broken stream. Rejects with a sentence after a fatal one. */
function untilFatalError(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const handle = (error: unknown) => {
    printError('Unexpected error outside a request', error)
    if (isFatal(error)) reject(new Error(FATAL))
  }
  process.on('uncaughtException', handle)
  process.on('unhandledRejection', handle)
  return promise
}

const FATAL =
  'Inglenook ended after an error that it cannot recover from, shown above. Everything that was saved is in the library. Start it again.'

function isFatal(error: unknown): boolean {
  return (
    error instanceof LibraryRefused ||
    /^SQLITE_(CORRUPT|NOTADB|NOMEM|MISUSE|INTERNAL)|^ENOMEM$/.test(sqliteCode(error)) ||
    (error instanceof RangeError && error.message === 'Out of memory')
  )
}

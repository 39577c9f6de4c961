import { existsSync } from 'node:fs'
import type { Deps, ServiceControl } from './app/deps.ts'
import { runInWorker } from './app/worker/run-in-worker.ts'
import { type Config, isLoopback } from './config.ts'
import { describeError } from './db/library-refused.ts'
import { type Running, type StartOptions, start } from './start.ts'
import { RESTORING, serveWaitingPage } from './waiting-page.ts'

/** A service that can quit from its page, and replace its library. */
export interface Service {
  /** The running service: another one after a restore. */
  current(): Running
  /** Settles when the service has ended. Rejects if it could not start again. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** Throws what {@link start} throws. `isContained` means that it runs in a container. */
export async function startService(
  config: Config,
  options: StartOptions = {},
  isContained = existsSync('/.dockerenv'),
): Promise<Service> {
  const ended = Promise.withResolvers<void>()
  const control = (restored: string): ServiceControl => {
    let isReplaced = false
    return {
      canQuit: !isContained && isLocalOnly(config),
      quit: () => void stop(),
      restore: (file) => {
        // A form may be sent twice.
        if (isReplaced) return
        isReplaced = true
        replacing = replaceLibrary(file).catch(ended.reject)
      },
      restored,
    }
  }
  let replacing = Promise.resolve()
  const startWith = (given: StartOptions, at = config) => start(at, { ...options, ...given })
  let running = await startWith({ control: control('') })
  const stop = async () => {
    await replacing
    await running.stop()
    ended.resolve()
  }
  const replaceLibrary = async (file: string) => {
    // The port that was free when the service began.
    const address = { ...config, port: Number(new URL(running.address).port || 80) }
    await running.stop()
    const waiting = serveWaitingPage(address, RESTORING)
    const restored = await restore(running.deps, file)
    running = await startWith({ waiting, control: control(restored) }, address)
  }
  return { current: () => running, ended: ended.promise, stop }
}

/** Replaces the library with a backup. Returns a sentence about the outcome. */
async function restore({ library, now }: Deps, file: string): Promise<string> {
  const given = { path: library.path, file, at: now() }
  const outcome = await runInWorker('restore', given, new AbortController().signal).catch(
    (error: unknown) => ({
      refused: `The backup was not restored. ${describeError(error)}`,
    }),
  )
  if ('refused' in outcome) return outcome.refused
  return `The backup is restored.${outcome.kept ? ' Your library as it was is kept among the backups.' : ''}`
}

/** True if only this machine can reach the service. Others are ended by whoever runs them. */
function isLocalOnly({ host, allowedHosts }: Config): boolean {
  return isLoopback(host) && allowedHosts.length === 0
}

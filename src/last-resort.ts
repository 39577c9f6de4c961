import { LibraryRefused, sqliteCode } from './db/library-refused.ts'
import { printError } from './lib/print.ts'

/**
 * Logs errors that no request, turn or job has caught, such as those of a broken stream. Rejects with a sentence after one
 * that leaves nothing to go on with.
 */
export function untilFatalError(): Promise<never> {
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

import { Readable } from 'node:stream'
import { runProgram } from '../../../src/cli/run.ts'
import { LibraryRefused } from '../../../src/db/library-refused.ts'

// The service with an error outside every request, which SIGUSR2 causes. FAULT names it.

const FAULTS: Record<string, () => void> = {
  'a broken stream': () => void new Readable({ read() {} }).destroy(new Error('cut off')),
  'a rejected promise': () => void Promise.reject(new TypeError('no such thing')),
  'something that is no error': () => void Promise.reject(undefined),
  'a damaged library': () => {
    throw Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' })
  },
  'a library that is refused': () => void Promise.reject(new LibraryRefused('It was not opened.')),
  'no memory': () => void new Uint8Array(2 ** 40),
}

process.on('SIGUSR2', () => FAULTS[process.env.FAULT ?? '']?.())
process.exit(await runProgram(['start']))

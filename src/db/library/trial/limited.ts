import { parseJson } from '../../../lib/json.ts'
import { ownCommand } from '../../../lib/project.ts'
import { LibraryRefused } from '../../library-refused.ts'
import { LIMITED_WORK, type LimitedOutcome, type LimitedWork, type Limits } from './limited-child.ts'

export type { Limits }

/** Limits that no library which people use comes near: a minute and a second more for each megabyte, and a gigabyte. */
export function limitsFor(fileBytes: number): Limits {
  return { seconds: 60 + Math.ceil(fileBytes / 1e6), bytes: 1e9 }
}

/** Seconds for a process to end by its own limits before it is killed. */
const GRACE = 10

/**
 * Runs the work of a module (see `serveLimited`) in a process of its own, which ends when it takes too long or too much
 * memory, as a file can be made to do. Waits for it. Throws what the work throws, and LibraryRefused at a limit.
 */
export function runLimited<Result>(module: URL, given: unknown, limits: Limits): Result {
  const work: LimitedWork = { given, limits, parent: process.pid }
  const { stdout } = Bun.spawnSync({
    cmd: [...ownCommand(), LIMITED_WORK, module.href, JSON.stringify(work)],
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    timeout: (limits.seconds + GRACE) * 1000,
  })
  const outcome = parseJson(stdout.toString(), { depth: Infinity }) as LimitedOutcome | undefined
  if (outcome?.kind === 'done') return outcome.result as Result
  if (outcome?.kind === 'refused') throw new LibraryRefused(outcome.sentence)
  if (outcome?.kind === 'limit') throw new LibraryRefused(limitSentence(outcome.limit, limits))
  if (outcome?.kind === 'failed') throw Object.assign(new Error(outcome.message), { code: outcome.code })
  throw new LibraryRefused(
    'Checking it was interrupted. Try again; if it happens again, choose another file.',
  )
}

const ADVICE = 'A file can be made to do that. Choose another one, or ask where this one comes from.'

function limitSentence(limit: 'time' | 'memory', { seconds, bytes }: Limits): string {
  return limit === 'time'
    ? `Checking it takes more than ${seconds} seconds. ${ADVICE}`
    : `Checking it takes more than ${Math.round(bytes / 1e6)} MB of memory. ${ADVICE}`
}

import { commandLine } from '../../lib/project.ts'

/** Something wrong in a library: where, and what the player can do. Never contains text of a story. */
export interface DoctorFinding {
  check: string
  what: string
  advice: string
}

/** The advice when nothing else helps. */
export const RESTORE = `Restore an intact backup: ${commandLine('restore FILE')}.`

/** The result of `read`, or `fallback` if the file is too damaged for it. */
export function unlessDamaged<T>(fallback: T, read: () => T): T {
  try {
    return read()
  } catch {
    return fallback
  }
}

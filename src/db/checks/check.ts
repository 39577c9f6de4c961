import { commandLine } from '../../lib/project.ts'

/** A fault in a library, with advice. Never contains text of a story. */
export interface DoctorFinding {
  check: string
  what: string
  advice: string
}

export const RESTORE = `Restore an intact backup: ${commandLine('restore FILE')}.`

/** The result of `read`, or `fallback` if the file is too damaged for it. */
export function unlessDamaged<T>(fallback: T, read: () => T): T {
  try {
    return read()
  } catch {
    return fallback
  }
}

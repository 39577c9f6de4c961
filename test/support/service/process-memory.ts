import { existsSync, readFileSync } from 'node:fs'

/** Whether the system tells how much memory a process has taken at most (proc(5)). */
export const tellsMemory = existsSync('/proc/self/status')

/** The most memory that a process has held so far, in MB. */
export function mostMemory(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

import { existsSync, readFileSync } from 'node:fs'

/** Whether the system reports the peak memory of a process (proc(5)). */
export const reportsMemory = existsSync('/proc/self/status')

/** The peak resident memory of a process so far, in MiB. */
export function peakMemory(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

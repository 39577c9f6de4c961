import { readFileSync } from 'node:fs'
import { freemem } from 'node:os'
import type { ModelFile } from './model-file.ts'

export interface MemoryPlan {
  /** 0 if not even the minimum fits. */
  window: number
  needed: number
  available: number
}

const MIN_WINDOW = 2_048
const PROCESS_BYTES = 300_000_000
const RESERVED_BYTES = 400_000_000

export function planMemory(model: ModelFile, wanted: number, available: number): MemoryPlan {
  const most = Math.max(256, Math.min(wanted, model.trained || wanted))
  const neededFor = (window: number) => model.bytes + window * model.bytesPerToken + PROCESS_BYTES
  for (let window = most; ; window = Math.max(MIN_WINDOW, Math.floor(window / 2))) {
    const needed = neededFor(window)
    if (needed + RESERVED_BYTES <= available) return { window, needed, available }
    if (window <= MIN_WINDOW) return { window: 0, needed, available }
  }
}

export function availableMemory(): number {
  if (process.platform !== 'linux') return freemem()
  const { MemAvailable } = meminfo()
  return Math.min(MemAvailable ?? freemem(), ...containerMemory())
}

function meminfo(): Record<string, number> {
  const lines = textOfFile('/proc/meminfo').matchAll(/^(\w+):\s+(\d+) kB/gm)
  return Object.fromEntries([...lines].map(([, name, kilobytes]) => [name, Number(kilobytes) * 1024]))
}

function containerMemory(): number[] {
  const [limit, used] = ['max', 'current'].map((name) =>
    Number.parseInt(textOfFile(`/sys/fs/cgroup/memory.${name}`), 10),
  )
  return limit && used !== undefined && limit > used ? [limit - used] : []
}

function textOfFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

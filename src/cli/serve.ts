import { readConfig } from '../config.ts'
import { printLine } from '../lib/print.ts'
import { startService } from '../service.ts'

/** Runs the service until it is stopped. Throws what {@link startService} throws. */
export async function serve(): Promise<void> {
  const service = await startService(readConfig(process.env))
  const { address, mended } = service.current()
  if (mended > 0)
    printLine(`Other users of this machine could read the library (files: ${mended}). Now only you can.`)
  printLine(`Inglenook is running at ${address}`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void service.stop())
  await service.ended
}
